/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run the reporter at the end of a recording.  Give up if it cannot be executed
 * or takes too long: the profile is complete without it.
 */
#include "recorder/run/report_end.h"

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
execute(const char *reporter, const char *const *argv,
	const struct sw_signals *signals)
{
	sw_signals_restore(signals);
	/* Print from the background, too, as any program may. */
	signal(SIGTTOU, SIG_IGN);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		execv(reporter, (char *const *)argv);
	_exit(NOT_EXECUTED);
}

/* Wait until a child may have changed its state, or until the timeout. */
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
		;	/* other signals come too late */
}

/*
 * Wait for the child; a stop from the terminal stops this process, too.  After
 * the timeout, kill it without waiting for its exit, as it may hang in I/O.
 */
static int wait_for(pid_t pid, int *status, uint64_t until_usec,
		    const struct sw_signals *signals)
{
	for (;;) {
		pid_t ended = waitpid(pid, status, WUNTRACED | WNOHANG);

		if (ended < 0 && errno != EINTR)
			return -1;
		if (ended == 0 && sw_clock_boottime_usec() >= until_usec) {
			kill(pid, SIGKILL);
			*status = SIGKILL;
			return 0;
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

/* Return 0 with the wait status, or -1 with errno. */
static int run_reporter(const char *reporter, const char *const *argv,
			const struct sw_signals *signals, uint64_t until_usec,
			int *status)
{
	pid_t pid = fork();

	if (pid == 0)
		execute(reporter, argv, signals);
	return pid < 0 ? -1 : wait_for(pid, status, until_usec, signals);
}

/*
 * An unread pipe must not delay the end of the command; on a terminal, the user
 * sees what is going on.
 */
int sw_report_end(const char *reporter, const char *profile,
		  const struct sw_signals *signals, struct sw_error *error)
{
	const char *const argv[] = { "stepwell", "report", "--brief", "--",
				     profile, NULL };
	uint64_t until_usec = isatty(STDERR_FILENO) ? SW_MISSING :
			      sw_clock_boottime_usec() + PATIENCE_USEC;
	char quoted[QUOTED_SIZE];
	int status = 0;

	sw_escape_terminal(quoted, sizeof(quoted), reporter);
	if (run_reporter(reporter, argv, signals, until_usec, &status) < 0)
		return sw_error_errno(error, "no report: %s", quoted);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return sw_error_set(error, "no report: %s was killed, or its "
				    "output is not being read", quoted);
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

int sw_report_history(const char *reporter, const char *profile,
		      const struct sw_signals *signals, struct sw_error *error)
{
	const char *const argv[] = { "stepwell", "import", "--of-run", "--",
				     profile, NULL };
	uint64_t until_usec = sw_clock_boottime_usec() + PATIENCE_USEC;
	char quoted[QUOTED_SIZE];
	int status = 0;

	sw_escape_terminal(quoted, sizeof(quoted), profile);
	if (run_reporter(reporter, argv, signals, until_usec, &status) < 0)
		return sw_error_errno(error, "not in the history: %s", quoted);
	if (!WIFSIGNALED(status))
		return 0;
	return sw_error_set(error, "not in the history: it took too long or "
			    "was interrupted; run \"stepwell import %s\" later",
			    quoted);
}
