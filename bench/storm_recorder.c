/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder's BPF programs beside a storm of programs.
 *
 * Fails if they are not available by BPF.
 */
#include "bench/storm_recorder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/storm_switch.h"
#include "common/clock.h"
#include "recorder/programs/programs.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/tables/events.h"

enum { DRAIN_MS = 100 };

static uint64_t lost_records;

static void note_lost(void *context, const struct sw_event *event)
{
	(void)context;
	if (!strcmp(event->kind, "lost"))
		lost_records = event->value;
}

/* Drain records like the recorder's loop, until queried. */
static void drain_until_asked(struct sw_programs *programs, int ask)
{
	struct pollfd polled[] = {
		{ .fd = ask, .events = POLLIN },
		{ .fd = sw_programs_fd(programs), .events = POLLIN },
	};

	do {
		poll(polled, 2, DRAIN_MS);
		sw_programs_drain(programs, sw_clock_boottime_usec());
	} while (!polled[0].revents);
}

static struct sw_programs *follow(pid_t pid)
{
	struct sw_programs_target target = {
		.cgroup_fd = -1, .has_many = true, .only = "bpf",
		.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.event = note_lost,
	};
	struct sw_programs *programs = sw_programs_create(&target, NULL);

	if (!programs || sw_programs_attach(programs, pid) < 0) {
		fprintf(stderr, "bench_storm: %s\n",
			programs ? sw_programs_reason(programs) : "no memory");
		return NULL;
	}
	/* Load everything that a recorder does, before the storm. */
	sw_programs_prepare(0);
	while (sw_programs_is_coming(programs))
		poll(NULL, 0, 1);
	sw_programs_sample(programs);
	return programs;
}

static int record(pid_t pid, int ask, int answer)
{
	struct sw_programs *programs = follow(pid);
	struct storm_verdict verdict = { 0 };
	unsigned i;

	if (!programs || write(answer, "x", 1) != 1)
		return -1;
	drain_until_asked(programs, ask);
	sw_programs_drain(programs, sw_clock_boottime_usec());
	for (i = 0; i < programs->count; i++) {
		verdict.started += programs->program[i].started;
		verdict.ended += programs->program[i].ended;
	}
	verdict.lost = lost_records;
	return write(answer, &verdict, sizeof(verdict)) == sizeof(verdict) ?
	       0 : -1;
}

int storm_recorder_start(struct storm_recorder *recorder)
{
	pid_t followed = getpid();
	int ask[2], answer[2];
	char ready;

	if (pipe2(ask, O_CLOEXEC) < 0 || pipe2(answer, O_CLOEXEC) < 0)
		return -1;
	fflush(NULL);
	recorder->pid = fork();
	if (recorder->pid < 0)
		return -1;
	if (recorder->pid == 0) {
		close(ask[1]);
		close(answer[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		storm_pin(false);
		_exit(record(followed, ask[0], answer[1]) < 0);
	}
	close(ask[0]);
	close(answer[1]);
	recorder->ask = ask[1];
	recorder->answer = answer[0];
	return read(recorder->answer, &ready, 1) == 1 ? 0 : -1;
}

int storm_recorder_end(struct storm_recorder *recorder,
		       struct storm_verdict *verdict)
{
	int result = write(recorder->ask, "x", 1) == 1 &&
		     read(recorder->answer, verdict, sizeof(*verdict)) ==
		     sizeof(*verdict) ? 0 : -1;

	close(recorder->ask);
	close(recorder->answer);
	waitpid(recorder->pid, NULL, 0);
	return result;
}
