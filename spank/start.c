/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starting the node's recorder from slurmd: there, there is no job yet that
 * could be charged for it.  slurmd has threads, so its children call nothing
 * but what is safe in a signal handler until one executes the recorder, which
 * leaves descriptors, cgroup, session and all else behind by itself.
 */
#include "spank/start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/protocol.h"
#include "spank/send_message.h"

/* For an answer of one that lives; a busy one is found by its lock. */
#define PING_USEC 1000000

/* Longer than the recorder waits for the end of one that was killed. */
enum { START_MSEC = 4000 };

/* The pipe in the child that waits, and what it says there. */
enum { RESULT_FD = 3, STARTED = 's', NOT_STARTED = 'n' };

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

/* slurmd's sockets are not kept open by a child of it that lives on. */
static void close_all_but(int fd)
{
	int i;

	dup2(fd, RESULT_FD);
	fcntl(RESULT_FD, F_SETFD, FD_CLOEXEC);
	if (close_range(RESULT_FD + 1, ~0u, 0) == 0)
		return;
	for (i = RESULT_FD + 1; i < 4096; i++)
		close(i);
}

__attribute__((noreturn))
static void execute(const char *path)
{
	char *const arguments[] = {
		(char *)(uintptr_t)path, (char *)(uintptr_t)"--node",
		(char *)(uintptr_t)"--detach", NULL,
	};
	static char *const environment[] = {
		(char *)(uintptr_t)"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL,
	};

	execve(path, arguments, environment);
	_exit(127);
}

/*
 * Execute the recorder and say how that went.  Until it is ready it may take
 * longer than slurmd waits, so slurmd is not the parent of this process.
 */
__attribute__((noreturn))
static void start_and_tell(const char *path, int result_fd)
{
	char result = NOT_STARTED;
	pid_t pid;
	int status;

	hide_standard_descriptors();
	close_all_but(result_fd);
	pid = fork();
	if (pid == 0)
		execute(path);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	    WEXITSTATUS(status) == 0)
		result = STARTED;
	_exit(write(RESULT_FD, &result, 1) != 1);
}

static int await_result(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	char result = NOT_STARTED;
	ssize_t length;

	poll(&poll_fd, 1, START_MSEC);
	length = read(fd, &result, 1);
	if (length == 1 && result == STARTED)
		return 0;
	errno = length < 0 && errno == EAGAIN ? EINPROGRESS : ENOEXEC;
	return -1;
}

static int start(const char *path)
{
	int pipes[2], result;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		pid = fork();
		if (pid == 0)
			start_and_tell(path, pipes[1]);
		_exit(pid < 0);
	}
	close(pipes[1]);
	/* Where slurmd has waited for it already, that is as good. */
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	result = pid < 0 ? -1 : await_result(pipes[0]);
	close(pipes[0]);
	return result;
}

int sw_start_recorder(const char *path, const char *socket_path)
{
	struct sw_message_header ping;
	uint64_t wait_usec = PING_USEC;

	sw_message_head(&ping, SW_MESSAGE_PING, sizeof(ping));
	/* Sent is not heard: a killed one listens until its end is over. */
	if (sw_send_message(socket_path, &ping, -1, &wait_usec) >= 0 ||
	    sw_is_served(socket_path))
		return 0;
	if (access(path, X_OK) < 0)
		return -1;
	return start(path);
}
