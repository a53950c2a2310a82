/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Foreign processes: forks that wait for a signal that never comes.
 *
 * Fails if the machine or a limit allows no more processes.
 */
#include "bench/foreign.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Raise the soft limit to the hard limit; root is not bound by it anyway. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NPROC, &limit) < 0 ||
	    limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NPROC, &limit);
}

static void idle(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent may have died before prctl(2). */
	while (getppid() == parent)
		pause();
	_exit(0);
}

int foreign_grow(struct foreign *foreign, size_t count,
		 struct sw_error *error)
{
	pid_t own = getpid();

	if (count > FOREIGN_MAX)
		return sw_error_set(error, "at most %d foreign processes",
				    FOREIGN_MAX);
	raise_limit();
	fflush(NULL);
	while (foreign->count < count) {
		pid_t pid = fork();

		if (pid < 0)
			return sw_error_errno(error,
					      "foreign process %zu of %zu",
					      foreign->count + 1, count);
		if (pid == 0)
			idle(own);
		foreign->pids[foreign->count++] = pid;
	}
	return 0;
}

void foreign_stop(struct foreign *foreign)
{
	for (size_t i = 0; i < foreign->count; i++)
		kill(foreign->pids[i], SIGKILL);
	for (size_t i = 0; i < foreign->count; i++)
		while (waitpid(foreign->pids[i], NULL, 0) < 0 &&
		       errno == EINTR)
			;
	foreign->count = 0;
}
