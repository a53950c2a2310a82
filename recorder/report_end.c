/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The brief report at the end of a recording.  Gives up where the reporter
 * cannot be executed: the profile is complete without it.
 */
#include "recorder/report_end.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/escape.h"
#include "common/missing.h"
#include "common/units.h"

#define PATIENCE_USEC (5 * SW_USEC_PER_SEC)

enum { NOT_EXECUTED = 127, QUOTED_SIZE = 128 };

static void __attribute__((noreturn))
execute(const char *reporter, const char *profile,
	const struct sw_signals *signals)
{
	const char *const argv[] = { "stepwell", "report", "--brief", "--",
				     profile, NULL };

	sw_signals_restore(signals);
	/* Printed from the background too, like the end of any program. */
	signal(SIGTTOU, SIG_IGN);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		execv(reporter, (char *const *)argv);
	_exit(NOT_EXECUTED);
}

/* Until a child may have changed its state, or until the time is up. */
static void await_child(const struct sw_signals *signals, uint64_t until_usec)
{
	struct pollfd polled = { .fd = signals->fd, .events = POLLIN };
	struct signalfd_siginfo info;
	uint64_t now = sw_clock_boottime_usec();
	int msec = -1;

	if (!sw_is_missing(until_usec))
		msec = now < until_usec ?
			       (int)((until_usec - now) / 1000) + 1 : 0;
	poll(&polled, 1, msec);
	while (read(signals->fd, &info, sizeof(info)) > 0)
		;	/* those that are not of children come too late */
}

/*
 * Wait for it; a stop from the terminal stops this process as well.  A pipe
 * that nobody reads from must not hold up the end of the command; who has a
 * terminal sees what is going on.
 */
static int wait_for(pid_t pid, int *status, const struct sw_signals *signals)
{
	uint64_t until_usec = SW_MISSING;

	if (!isatty(STDERR_FILENO))
		until_usec = sw_clock_boottime_usec() + PATIENCE_USEC;
	for (;;) {
		pid_t ended = waitpid(pid, status, WUNTRACED | WNOHANG);

		if (ended < 0 && errno != EINTR)
			return -1;
		if (ended == 0 && sw_clock_boottime_usec() >= until_usec) {
			kill(pid, SIGKILL);
			until_usec = SW_MISSING;
		}
		if (ended == 0)
			await_child(signals, until_usec);
		if (ended != pid)
			continue;
		if (!WIFSTOPPED(*status))
			return 0;
		kill(getpid(), SIGSTOP);
		kill(pid, SIGCONT);
	}
}

int sw_report_end(const char *reporter, const char *profile,
		  const struct sw_signals *signals, struct sw_error *error)
{
	char quoted[QUOTED_SIZE];
	int status = 0;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return sw_error_errno(error, "no report: fork");
	if (pid == 0)
		execute(reporter, profile, signals);
	sw_escape_terminal(quoted, sizeof(quoted), reporter);
	if (wait_for(pid, &status, signals) < 0)
		return sw_error_errno(error, "no report: %s", quoted);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return sw_error_set(error, "no report: %s was killed, or "
				    "nobody reads what it writes", quoted);
	if (WIFSIGNALED(status))
		return sw_error_set(error, "no report: %s was ended by "
				    "signal %d", quoted, WTERMSIG(status));
	if (WEXITSTATUS(status) == NOT_EXECUTED)
		return sw_error_set(error, "no report: %s cannot be executed",
				    quoted);
	if (WEXITSTATUS(status) != 0)
		return sw_error_set(error, "no report: %s ended with status "
				    "%d", quoted, WEXITSTATUS(status));
	return 0;
}
