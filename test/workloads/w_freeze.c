/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_freeze SECONDS [--sleep] [--burn-ms N]: computes for --burn-ms of CPU
 * time (1000 by default), then makes no progress at all for SECONDS: it waits
 * on a pipe of which it holds both ends, as a deadlocked program does, or
 * with --sleep in nanosleep(2).  Then it exits 0.
 *
 * Truth: frozen_begin_usec and frozen_end_usec, wall clock since the epoch;
 * frozen_usec, monotonic; frozen_cpu_usec, CPU time used meanwhile;
 * busy_usec, CPU time up to the freeze.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static uint64_t freeze_usec;
static uint64_t burn_ms = 1000;
static bool has_sleep;
static int pipe_fds[2];

static const struct truth_option positionals[] = {
	{ .name = "SECONDS", .help = "without progress",
	  .kind = TRUTH_USEC, .value = &freeze_usec },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "sleep", .help = "in nanosleep, not on a pipe",
	  .kind = TRUTH_FLAG, .value = &has_sleep },
	{ .name = "burn-ms", .help = "N: CPU time before, 1000 by default",
	  .kind = TRUTH_U64, .value = &burn_ms },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Works, then makes no progress for a known time.",
	.positionals = positionals,
	.required_count = 1,
	.options = options,
};

/* By the pipe, not by EINTR: the alarm may come before the read. */
static void wake(int number)
{
	ssize_t put = write(pipe_fds[1], "", 1);

	(void)number;
	(void)put;
}

static void wait_on_pipe(void)
{
	const struct sigaction action = {
		.sa_handler = wake, .sa_flags = SA_RESTART,
	};
	const struct itimerval timer = {
		.it_value = {
			.tv_sec = (time_t)(freeze_usec / 1000000),
			.tv_usec = (suseconds_t)(freeze_usec % 1000000),
		},
	};
	char byte;

	if (freeze_usec == 0)
		return;
	if (pipe(pipe_fds) < 0 || sigaction(SIGALRM, &action, NULL) < 0 ||
	    setitimer(ITIMER_REAL, &timer, NULL) < 0)
		truth_die("pipe and timer");
	if (truth_read(pipe_fds[0], &byte, 1) != 1)
		truth_die("read");
	truth_count(0, 1);
}

int main(int argc, char **argv)
{
	uint64_t busy_usec;
	uint64_t begin_usec;
	uint64_t frozen_usec;

	(void)argc;
	truth_begin(argv, &spec);
	work_burn_until(CLOCK_PROCESS_CPUTIME_ID, burn_ms * 1000);
	busy_usec = work_clock_usec(CLOCK_PROCESS_CPUTIME_ID);
	begin_usec = work_clock_usec(CLOCK_REALTIME);
	frozen_usec = work_clock_usec(CLOCK_MONOTONIC);
	if (has_sleep)
		work_sleep_usec(freeze_usec);
	else
		wait_on_pipe();
	frozen_usec = work_clock_usec(CLOCK_MONOTONIC) - frozen_usec;
	truth_add_u64("frozen_begin_usec", begin_usec);
	truth_add_u64("frozen_end_usec", work_clock_usec(CLOCK_REALTIME));
	truth_add_u64("frozen_usec", frozen_usec);
	truth_add_u64("frozen_cpu_usec",
		      work_clock_usec(CLOCK_PROCESS_CPUTIME_ID) - busy_usec);
	truth_add_u64("busy_usec", busy_usec);
	truth_end();
	return 0;
}
