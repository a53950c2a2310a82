/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorded command: fork, hold, exec, and a shell's error messages. */
#include "recorder/run/command.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/escape.h"

enum { QUOTED_SIZE = 128 };

static ssize_t read_retry(int fd, void *buf, size_t size)
{
	ssize_t length;

	do {
		length = read(fd, buf, size);
	} while (length < 0 && errno == EINTR);
	return length;
}

/*
 * Runs in the child.  Continue when released, or when the recorder exits: the
 * command must not depend on being recorded.
 */
static void __attribute__((noreturn))
execute(int hold_fd, int status_fd, char **argv,
	const struct sw_signals *signals)
{
	const char *slash = strrchr(argv[0], '/');
	char byte;
	int failure;

	/* Samples before exec already show the command's name. */
	prctl(PR_SET_NAME, slash && slash[1] ? slash + 1 : argv[0]);
	read_retry(hold_fd, &byte, 1);
	sw_signals_restore(signals);
	execvp(argv[0], argv);
	failure = errno;
	if (write(status_fd, &failure, sizeof(failure)) < 0)
		failure = 0;
	_exit(SW_EXIT_NOT_FOUND);
}

static void close_both(int *fds)
{
	int saved = errno;

	close(fds[0]);
	close(fds[1]);
	errno = saved;
}

/*
 * Fork a child in the cgroup: moving a process there later makes the kernel
 * wait for all CPUs, 10 ms and more.  If that is not supported, the caller has
 * to move it.
 */
static pid_t fork_into(int cgroup_fd, bool *is_inside)
{
	pid_t pid = -1;

#if defined(CLONE_INTO_CGROUP) && defined(SYS_clone3)
	struct clone_args arguments = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = (__u64)cgroup_fd,
	};

	if (cgroup_fd >= 0)
		pid = (pid_t)syscall(SYS_clone3, &arguments,
				     sizeof(arguments));
#else
	(void)cgroup_fd;
#endif
	*is_inside = pid >= 0;
	return pid >= 0 ? pid : fork();
}

int sw_command_start(struct sw_command *command, char **argv,
		     const struct sw_signals *signals, int cgroup_fd,
		     struct sw_error *error)
{
	int hold[2], status[2];
	pid_t pid;

	if (pipe2(hold, O_CLOEXEC) < 0)
		return sw_error_errno(error, "pipe");
	if (pipe2(status, O_CLOEXEC | O_NONBLOCK) < 0) {
		close_both(hold);
		return sw_error_errno(error, "pipe");
	}
	pid = fork_into(cgroup_fd, &command->is_in_cgroup);
	if (pid < 0) {
		close_both(hold);
		close_both(status);
		return sw_error_errno(error, "fork");
	}
	if (pid == 0) {
		close(hold[1]);
		close(status[0]);
		execute(hold[0], status[1], argv, signals);
	}
	close(hold[0]);
	close(status[1]);
	command->pid = pid;
	command->release_fd = hold[1];
	command->status_fd = status[0];
	return 0;
}

void sw_command_release(struct sw_command *command)
{
	close(command->release_fd);
	command->release_fd = -1;
}

int sw_command_exec_errno(struct sw_command *command)
{
	int failure = 0;
	ssize_t length;

	length = read_retry(command->status_fd, &failure, sizeof(failure));
	close(command->status_fd);
	command->status_fd = -1;
	return length == sizeof(failure) ? failure : 0;
}

int sw_command_exec_failure(const char *program, int exec_errno,
			    struct sw_error *error)
{
	char quoted[QUOTED_SIZE];
	const char *why = strerror(exec_errno);

	sw_escape_terminal(quoted, sizeof(quoted), program);
	if (exec_errno == ENOENT && !strchr(program, '/'))
		why = "command not found";
	else if (exec_errno == ENOENT && access(program, F_OK) == 0)
		why = "its interpreter was not found";
	/* Rare in a program name; common in a quoted shell command line. */
	sw_error_set(error, "%s: %s%s", quoted, why,
		     exec_errno == ENOENT && strpbrk(program, " |") ?
		     "; to run a shell's line: stepwell run -- sh -c "
		     "'COMMAND | COMMAND'" : "");
	return exec_errno == ENOENT ? SW_EXIT_NOT_FOUND :
				      SW_EXIT_NOT_EXECUTABLE;
}

int sw_command_exit_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return SW_EXIT_SIGNALED + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}
