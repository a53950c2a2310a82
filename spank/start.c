/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starting the node's recorder from slurmd: there, there is no job yet that
 * could be charged for it.  slurmd has threads, so the child calls nothing but
 * what is safe in a signal handler until it executes the recorder, which
 * leaves descriptors, cgroup, session and all else behind by itself.
 */
#include "spank/start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/protocol.h"
#include "spank/send_message.h"

/* For an answer of one that lives; a busy one is found by its lock. */
#define PING_USEC 1000000

/* Longer than the recorder waits for the end of one that was killed. */
enum { START_TRIES = 2000 };

static void hide_standard_descriptors(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* Whoever waits for the end of slurmd's output waits not for ours. */
	if (fd >= 0) {
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
	}
}

static int await_child(pid_t pid)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	int i, status;
	pid_t got;

	for (i = 0; i < START_TRIES; i++) {
		got = waitpid(pid, &status, WNOHANG);
		if (got < 0 && errno != EINTR)
			return 0;	/* slurmd has waited for it */
		if (got == pid) {
			errno = ENOEXEC;
			return WIFEXITED(status) && WEXITSTATUS(status) == 0 ?
				       0 : -1;
		}
		nanosleep(&nap, NULL);
	}
	errno = ETIMEDOUT;
	return -1;
}

int sw_start_recorder(const char *path, const char *socket_path)
{
	char *const arguments[] = {
		(char *)(uintptr_t)path, (char *)(uintptr_t)"--node",
		(char *)(uintptr_t)"--detach", NULL,
	};
	static char *const environment[] = {
		(char *)(uintptr_t)"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL,
	};
	struct sw_message_header ping;
	uint64_t wait_usec = PING_USEC;
	pid_t pid;

	sw_message_head(&ping, SW_MESSAGE_PING, sizeof(ping));
	/* Sent is not heard: a killed one listens until its end is over. */
	if (sw_send_message(socket_path, &ping, -1, &wait_usec) >= 0)
		return 0;
	if (access(path, X_OK) < 0)
		return -1;
	pid = fork();
	if (pid < 0)
		return -1;
	if (pid == 0) {
		hide_standard_descriptors();
		execve(path, arguments, environment);
		_exit(127);
	}
	return await_child(pid);
}
