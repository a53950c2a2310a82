/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_silent [--signal S] [--live-ms N] [PROGRAM [ARGUMENT...]]: its child is
 * killed by a signal (KILL by default) after --live-ms, and it exits 0
 * nevertheless, without a word.  Where PROGRAM is given the child is that
 * program, killed from outside; otherwise a copy of this one that computes for
 * so long and sends the signal to itself.
 *
 * Truth: child_pid; signal, by which the child died as wait(2) says (missing
 * when it ended otherwise); asked_signal; child_lived_usec.
 */
#define _GNU_SOURCE 1

#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static int signal_number = SIGKILL;
static uint64_t live_ms = 200;
static char **command;

static const struct truth_option options[] = {
	{ .name = "signal", .help = "NAME: KILL by default",
	  .kind = TRUTH_SIGNAL, .value = &signal_number },
	{ .name = "live-ms", .help = "N: the child's life, 200 by default",
	  .kind = TRUTH_U64, .value = &live_ms },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Hides that its child was killed.",
	.options = options,
	.rest = &command,
};

static pid_t start_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		truth_die("fork");
	if (pid > 0)
		return pid;
	if (command != NULL) {
		execvp(command[0], command);
		_exit(127);
	}
	/* Of what did nothing SIGKILL is no loss. */
	work_burn_until(CLOCK_PROCESS_CPUTIME_ID, live_ms * 1000);
	work_die_by(signal_number);
}

int main(int argc, char **argv)
{
	uint64_t begin_usec;
	pid_t pid;
	int status;

	(void)argc;
	truth_begin(argv, &spec);
	begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	pid = start_child();
	if (command != NULL) {
		work_sleep_usec(live_ms * 1000);
		if (kill(pid, signal_number) < 0)
			truth_die("kill");
	}
	status = work_wait(pid, NULL);
	truth_add_u64("child_pid", (uint64_t)pid);
	truth_add_u64("asked_signal", (uint64_t)signal_number);
	if (WIFSIGNALED(status))
		truth_add_u64("signal", (uint64_t)WTERMSIG(status));
	else
		truth_add_text("signal", "missing");
	truth_add_u64("child_lived_usec",
		      work_clock_usec(CLOCK_MONOTONIC) - begin_usec);
	truth_end();
	return 0;
}
