/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder's tools beside a storm of programs.
 *
 * Gives up where they cannot be had by BPF.
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
#include "recorder/programs/tools.h"
#include "recorder/programs/tools_internal.h"
#include "recorder/tables/events.h"

enum { DRAIN_MS = 100 };

static uint64_t lost_records;

static void note_lost(void *context, const struct sw_event *event)
{
	(void)context;
	if (!strcmp(event->kind, "lost"))
		lost_records = event->value;
}

/* As the recorder's loop, until it is asked again. */
static void drain_until_asked(struct sw_tools *tools, int ask)
{
	struct pollfd polled[] = {
		{ .fd = ask, .events = POLLIN },
		{ .fd = sw_tools_fd(tools), .events = POLLIN },
	};

	do {
		poll(polled, 2, DRAIN_MS);
		sw_tools_drain(tools, sw_clock_boottime_usec());
	} while (!polled[0].revents);
}

static struct sw_tools *follow(pid_t pid)
{
	struct sw_tools_target target = {
		.cgroup_fd = -1, .has_many = true, .only = "bpf",
		.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.event = note_lost,
	};
	struct sw_tools *tools = sw_tools_create(&target, NULL);

	if (!tools || sw_tools_attach(tools, pid) < 0) {
		fprintf(stderr, "bench_storm: %s\n",
			tools ? sw_tools_reason(tools) : "no memory");
		return NULL;
	}
	/* All that a recorder has, before the storm. */
	sw_tools_prepare(0);
	while (sw_tools_is_coming(tools))
		poll(NULL, 0, 1);
	sw_tools_look(tools);
	return tools;
}

static int record(pid_t pid, int ask, int answer)
{
	struct sw_tools *tools = follow(pid);
	struct storm_verdict verdict = { 0 };
	unsigned i;

	if (!tools || write(answer, "x", 1) != 1)
		return -1;
	drain_until_asked(tools, ask);
	sw_tools_drain(tools, sw_clock_boottime_usec());
	for (i = 0; i < tools->count; i++) {
		verdict.started += tools->tool[i].started;
		verdict.ended += tools->tool[i].ended;
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
