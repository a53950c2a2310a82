/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the node's recorder from slurmd, where no job exists yet that it could
 * be charged to.  slurmd has threads, so its children call only
 * async-signal-safe functions until one executes the recorder, which leaves
 * descriptors, cgroup, session and everything else behind by itself.
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

/* For the answer of a live one; a busy one is detected by its lock. */
#define PING_USEC 1000000

/* Longer than the recorder waits for a killed one to exit. */
enum { START_MSEC = 4000 };

/* The pipe in the child that waits, and the results sent through it. */
enum { RESULT_FD = 3, STARTED = 's', NOT_STARTED = 'n' };

static void hide_standard_descriptors(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* A reader waiting for EOF on slurmd's output must not wait for us. */
	if (fd >= 0) {
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
	}
}

/* A long-lived child must not keep slurmd's sockets open. */
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
 * Execute the recorder and report the result.  It may not be ready before
 * slurmd's timeout, so slurmd is not the parent of this process.
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
	/* It makes no difference if slurmd has already reaped it. */
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
	/* Sending proves nothing: a killed one listens until it has exited. */
	if (sw_send_message(socket_path, &ping, -1, &wait_usec) >= 0 ||
	    sw_is_served(socket_path))
		return 0;
	if (access(path, X_OK) < 0)
		return -1;
	return start(path);
}
