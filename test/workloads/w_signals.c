/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_signals [--exit-on NAME] [--stop] [--seconds N]: writes "ready", then
 * "got NAME" for each INT TERM HUP USR1 USR2 QUIT CONT WINCH TSTP that
 * arrives, one write(2) each.  Exits 0 on the signal named by --exit-on, which
 * is one of these, and 3 when --seconds pass without it.  With --stop it stops
 * itself after TSTP, as an editor does.
 *
 * Truth: got_INT, got_TERM, ... how often each handler ran (a signal sent
 * twice before it is taken arrives once).
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

struct handled {
	const char *line;
	const char *key;
	int number;
};

static const struct handled handled[] = {
	{ .number = SIGINT, .line = "got INT\n", .key = "got_INT" },
	{ .number = SIGTERM, .line = "got TERM\n", .key = "got_TERM" },
	{ .number = SIGHUP, .line = "got HUP\n", .key = "got_HUP" },
	{ .number = SIGUSR1, .line = "got USR1\n", .key = "got_USR1" },
	{ .number = SIGUSR2, .line = "got USR2\n", .key = "got_USR2" },
	{ .number = SIGQUIT, .line = "got QUIT\n", .key = "got_QUIT" },
	{ .number = SIGCONT, .line = "got CONT\n", .key = "got_CONT" },
	{ .number = SIGWINCH, .line = "got WINCH\n", .key = "got_WINCH" },
	{ .number = SIGTSTP, .line = "got TSTP\n", .key = "got_TSTP" },
};

enum { HANDLED_COUNT = sizeof(handled) / sizeof(handled[0]) };

static int exit_number;
static bool has_stop;
static uint64_t timeout_usec;

static volatile sig_atomic_t counts[HANDLED_COUNT];
static volatile sig_atomic_t written_count;
static volatile sig_atomic_t is_over;
static volatile sig_atomic_t is_late;

static const struct truth_option options[] = {
	{ .name = "exit-on", .help = "NAME: exit 0 on this signal",
	  .kind = TRUTH_SIGNAL, .value = &exit_number },
	{ .name = "stop", .help = "stop after TSTP",
	  .kind = TRUTH_FLAG, .value = &has_stop },
	{ .name = "seconds", .help = "N: wait no longer, then exit 3",
	  .kind = TRUTH_USEC, .value = &timeout_usec },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Says which signals arrive.",
	.options = options,
};

static void take(int number)
{
	int saved_errno = errno;

	for (size_t i = 0; i < HANDLED_COUNT; i++) {
		ssize_t put;

		if (handled[i].number != number)
			continue;
		counts[i]++;
		put = write(STDOUT_FILENO, handled[i].line,
			    strlen(handled[i].line));
		if (put > 0)
			written_count += (sig_atomic_t)put;
	}
	if (number == exit_number)
		is_over = 1;
	if (number == SIGALRM)
		is_late = 1;
	if (number == SIGTSTP && has_stop)
		raise(SIGSTOP);
	errno = saved_errno;
}

/* Each handler runs alone, and only in sigsuspend(): no signal is missed. */
static void install_handlers(sigset_t *open_mask)
{
	struct sigaction action = { .sa_handler = take };
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	for (size_t i = 0; i < HANDLED_COUNT; i++)
		sigaddset(&blocked, handled[i].number);
	if (sigprocmask(SIG_BLOCK, &blocked, open_mask) < 0)
		truth_die("sigprocmask");
	action.sa_mask = blocked;
	for (size_t i = 0; i < HANDLED_COUNT; i++) {
		if (sigaction(handled[i].number, &action, NULL) < 0)
			truth_die("sigaction");
		sigdelset(open_mask, handled[i].number);
	}
	if (sigaction(SIGALRM, &action, NULL) < 0)
		truth_die("sigaction");
	sigdelset(open_mask, SIGALRM);
}

static void start_timer(void)
{
	const struct itimerval timer = {
		.it_value = {
			.tv_sec = (time_t)(timeout_usec / 1000000),
			.tv_usec = (suseconds_t)(timeout_usec % 1000000),
		},
	};

	if (setitimer(ITIMER_REAL, &timer, NULL) < 0)
		truth_die("setitimer");
}

static bool is_handled(int number)
{
	for (size_t i = 0; i < HANDLED_COUNT; i++)
		if (handled[i].number == number)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const char ready[] = "ready\n";
	sigset_t open_mask;

	(void)argc;
	truth_begin(argv, &spec);
	if (exit_number != 0 && !is_handled(exit_number)) {
		errno = EINVAL;
		truth_die("--exit-on");
	}
	install_handlers(&open_mask);
	start_timer();
	if (truth_write(STDOUT_FILENO, ready, strlen(ready)) < 0)
		perror("stdout");
	while (!is_over && !is_late)
		sigsuspend(&open_mask);
	truth_count(0, (uint64_t)written_count);
	for (size_t i = 0; i < HANDLED_COUNT; i++)
		truth_add_u64(handled[i].key, (uint64_t)counts[i]);
	truth_end();
	return is_over ? 0 : 3;
}
