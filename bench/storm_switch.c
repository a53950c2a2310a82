/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches and detaches the recorder's BPF programs.
 *
 * Fails if they cannot be loaded.
 */
#include "bench/storm_switch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/bpf/exec_load.h"
#include "recorder/bpf/exec_record.h"

/* Requests other than phases. */
enum { STORM_CLOCK = STORM_PHASES, STORM_END };

struct side {
	struct exec_bpf *skeleton;
	struct ring_buffer *ring;
	struct storm_records records;
	pid_t pid[STORM_PHASES];	/* followed in a phase; 0: none */
	bool is_attached;
	int statistics;		/* open fd enables them; -1: off */
};

void storm_pin(int is_spawner)
{
	cpu_set_t set;
	size_t i;

	CPU_ZERO(&set);
	for (i = 0; i < CPU_SETSIZE; i++) {
		if ((i == 0) == is_spawner)
			CPU_SET(i, &set);
	}
	/* With a single CPU the process stays on it. */
	sched_setaffinity(0, sizeof(set), &set);
}

static int count_record(void *context, void *data, size_t size)
{
	struct storm_records *records = context;
	const struct sw_record_head *head = data;

	(void)size;
	records->forks += head->kind == SW_RECORD_FORK;
	records->execs += head->kind == SW_RECORD_EXEC;
	records->exits += head->kind == SW_RECORD_EXIT;
	return 0;
}

static int load(struct side *side)
{
	struct sw_error error;

	side->skeleton = sw_exec_load(&error);
	if (!side->skeleton) {
		fprintf(stderr, "bench_storm: %s\n", error.text);
		return -1;
	}
	sw_exec_compare_clocks(side->skeleton);
	side->is_attached = true;
	side->ring = ring_buffer__new(bpf_map__fd(side->skeleton->maps.records),
				      count_record, &side->records, NULL);
	return side->ring ? 0 : -1;
}

static int set_attached(struct side *side, bool is_attached)
{
	if (is_attached == side->is_attached)
		return 0;
	side->is_attached = is_attached;
	if (is_attached)
		return exec_bpf__attach(side->skeleton);
	exec_bpf__detach(side->skeleton);
	return 0;
}

static int change(struct side *side, int phase)
{
	int i;

	ring_buffer__consume(side->ring);
	for (i = 0; i < STORM_PHASES; i++)
		if (side->pid[i])
			sw_exec_forget(side->skeleton, side->pid[i]);
	/* The control measures the effect of a change a moment ago. */
	if (phase == STORM_CONTROL && set_attached(side, true) < 0)
		return -1;
	if (set_attached(side, side->pid[phase] != 0) < 0)
		return -1;
	if (!side->pid[phase])
		return 0;
	return sw_exec_follow(side->skeleton, 0, side->pid[phase]);
}

static uint64_t run_time_nsec(const struct side *side)
{
	struct bpf_program *program;
	struct bpf_prog_info info;
	uint64_t nsec = 0;
	__u32 size;

	bpf_object__for_each_program(program, side->skeleton->obj) {
		memset(&info, 0, sizeof(info));
		size = sizeof(info);
		if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info,
					   &size) == 0)
			nsec += info.run_time_ns;
	}
	return nsec;
}

static int tell_clock(struct side *side, int answer)
{
	uint64_t nsec = run_time_nsec(side);

	ring_buffer__consume(side->ring);
	if (side->statistics < 0) {
		side->statistics = bpf_enable_stats(BPF_STATS_RUN_TIME);
	} else {
		close(side->statistics);
		side->statistics = -1;
	}
	return write(answer, &nsec, sizeof(nsec)) == sizeof(nsec) ? 0 : -1;
}

static int obey(struct side *side, char phase, int answer)
{
	if (phase == STORM_CLOCK)
		return tell_clock(side, answer);
	return change(side, phase) < 0 || write(answer, &phase, 1) != 1 ? -1 :
									   0;
}

static int serve(struct side *side, int ask, int answer)
{
	char phase;

	while (read(ask, &phase, 1) == 1 && phase != STORM_END)
		if (obey(side, phase, answer) < 0)
			return -1;
	ring_buffer__consume(side->ring);
	side->records.lost += sw_exec_lost(side->skeleton, 0);
	return write(answer, &side->records, sizeof(side->records)) ==
	       sizeof(side->records) ? 0 : -1;
}

int storm_switch_start(struct storm_switch *sw, pid_t spawner, pid_t other)
{
	struct side side = { .pid = { [STORM_OTHER] = other,
				      [STORM_OWN] = spawner },
			     .statistics = -1 };
	int ask[2], answer[2];

	if (pipe2(ask, O_CLOEXEC) < 0 || pipe2(answer, O_CLOEXEC) < 0)
		return -1;
	fflush(NULL);
	sw->pid = fork();
	if (sw->pid < 0)
		return -1;
	if (sw->pid == 0) {
		close(ask[1]);
		close(answer[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		storm_pin(false);
		_exit(load(&side) < 0 || serve(&side, ask[0], answer[1]) < 0);
	}
	close(ask[0]);
	close(answer[1]);
	sw->ask = ask[1];
	sw->answer = answer[0];
	return storm_switch_to(sw, STORM_NONE);
}

int storm_switch_to(struct storm_switch *sw, enum storm_phase phase)
{
	char message = (char)phase;

	return write(sw->ask, &message, 1) == 1 &&
	       read(sw->answer, &message, 1) == 1 ? 0 : -1;
}

int storm_switch_clock(struct storm_switch *sw, uint64_t *nsec)
{
	char message = STORM_CLOCK;

	return write(sw->ask, &message, 1) == 1 &&
	       read(sw->answer, nsec, sizeof(*nsec)) == sizeof(*nsec) ? 0 : -1;
}

int storm_switch_end(struct storm_switch *sw, struct storm_records *records)
{
	char message = STORM_END;
	int result = write(sw->ask, &message, 1) == 1 &&
		     read(sw->answer, records, sizeof(*records)) ==
		     sizeof(*records) ? 0 : -1;

	close(sw->ask);
	close(sw->answer);
	waitpid(sw->pid, NULL, 0);
	return result;
}
