/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_daemon [--seconds N] [--keep-stdio] [--burn-ms N]: forks a daemon (twice,
 * with a session of its own) that burns --burn-ms of CPU time, lives for N
 * seconds (60 by default) and is nobody's child; prints its pid and exits 0 at
 * once.  The daemon lets go of the terminal and the pipes, unless
 * --keep-stdio.
 *
 * Truth: daemon_pid; live_usec, how long the daemon lives if nobody ends it.
 */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static uint64_t live_usec = 60000000;
static uint64_t burn_ms;
static bool has_keep_stdio;

static const struct truth_option options[] = {
	{ .name = "seconds", .help = "N: the daemon's life, 60 by default",
	  .kind = TRUTH_USEC, .value = &live_usec },
	{ .name = "burn-ms", .help = "N: the daemon's CPU time",
	  .kind = TRUTH_U64, .value = &burn_ms },
	{ .name = "keep-stdio", .help = "the daemon keeps stdin and so on",
	  .kind = TRUTH_FLAG, .value = &has_keep_stdio },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Leaves a daemon behind.",
	.options = options,
};

static _Noreturn void run_daemon(int pid_fd)
{
	pid_t pid = getpid();
	int null_fd;

	if (!has_keep_stdio) {
		null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		for (int fd = 0; fd < 3; fd++)
			if (null_fd < 0 || dup2(null_fd, fd) < 0)
				_exit(2);
		if (null_fd > 2)
			close(null_fd);
	}
	if (truth_write(pid_fd, &pid, sizeof(pid)) < 0)
		_exit(2);
	close(pid_fd);
	work_burn_until(CLOCK_PROCESS_CPUTIME_ID, burn_ms * 1000);
	work_sleep_usec(live_usec);
	_exit(0);
}

static _Noreturn void run_middle(int pid_fd)
{
	pid_t pid;

	if (setsid() < 0)
		_exit(2);
	pid = fork();
	if (pid == 0)
		run_daemon(pid_fd);
	_exit(pid < 0 ? 2 : 0);
}

static pid_t start_daemon(void)
{
	int fds[2];
	pid_t middle;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		truth_die("pipe");
	middle = fork();
	if (middle < 0)
		truth_die("fork");
	if (middle == 0) {
		close(fds[0]);
		run_middle(fds[1]);
	}
	close(fds[1]);
	work_wait(middle, NULL);
	if (truth_read(fds[0], &pid, sizeof(pid)) != (ssize_t)sizeof(pid))
		truth_die("the daemon");
	close(fds[0]);
	return pid;
}

int main(int argc, char **argv)
{
	char text[32];
	pid_t pid;

	(void)argc;
	truth_begin(argv, &spec);
	pid = start_daemon();
	snprintf(text, sizeof(text), "%ld\n", (long)pid);
	if (truth_write(STDOUT_FILENO, text, strlen(text)) < 0)
		perror("stdout");
	truth_add_u64("daemon_pid", (uint64_t)pid);
	truth_add_u64("live_usec", live_usec);
	truth_end();
	return 0;
}
