/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries that need a live machine.  Programs that print no line time out after
 * RUN_MSEC.
 */
#include "analyzer/doctor/doctor_probes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/exit_socket.h"

enum { RUN_MSEC = 15000, EXIT_MSEC = 1000, NOBODY = 65534 };

extern char **environ;

/* posix_spawnp() takes non-const words, but does not change them. */
static char *const *writable(const char *const *argv)
{
	union {
		const char *const *in;
		char *const *out;
	} words = { .in = argv };

	return words.out;
}

static int spawn(const char *const *argv, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int rc;

	rc = posix_spawn_file_actions_init(&actions);
	if (rc)
		return rc;
	rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
					      O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (!rc)
		rc = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
						      O_WRONLY, 0);
	if (!rc)
		rc = posix_spawnp(pid, argv[0], &actions, NULL, writable(argv),
				  environ);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static int read_line(int fd, char *line, size_t size)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	size_t length = 0;
	ssize_t got = 1;

	while (got > 0 && length < size - 1 && !memchr(line, '\n', length)) {
		if (poll(&poll_fd, 1, RUN_MSEC) <= 0) {
			errno = ETIMEDOUT;
			return -1;
		}
		got = read(fd, line + length, size - 1 - length);
		if (got > 0)
			length += (size_t)got;
	}
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	errno = ENODATA;
	return length ? 0 : -1;
}

static int run(const char *const *argv, char *line, size_t size)
{
	int fds[2], rc;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	rc = spawn(argv, fds[1], &pid);
	close(fds[1]);
	if (rc) {
		close(fds[0]);
		errno = rc;
		return -1;
	}
	rc = read_line(fds[0], line, size);
	close(fds[0]);
	/* It has printed its line, or never will. */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return rc;
}

/*
 * The smallest program of the type that the recorder attaches.  It is loaded
 * and released, but never attached.
 */
static int try_bpf(void)
{
	static const char license[] = "GPL";
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },	/* r0 = 0 */
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attributes;
	long fd;

	memset(&attributes, 0, sizeof(attributes));
	attributes.prog_type = BPF_PROG_TYPE_TRACEPOINT;
	attributes.insns = (uint64_t)(uintptr_t)program;
	attributes.insn_cnt = sizeof(program) / sizeof(*program);
	attributes.license = (uint64_t)(uintptr_t)license;
	fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof(attributes));
	if (fd < 0)
		return -1;
	close((int)fd);
	return 0;
}

/* why is "" if exit events were received. */
static void listen_as_user(struct sw_error *why)
{
	int fd;

	why->text[0] = '\0';
	/* Containers may lack that user. */
	if (geteuid() == 0 &&
	    (setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	     setresuid(NOBODY, NOBODY, NOBODY) < 0) &&
	    errno != EINVAL) {
		sw_error_errno(why, "exit events could not be tried as another user");
		return;
	}
	fd = sw_exit_socket_open(SW_EXIT_FIRST_THREADS, why);
	if (fd >= 0 && !sw_exit_socket_tells(fd, EXIT_MSEC))
		sw_error_set(why, "the kernel sent no exit event");
	sw_exit_socket_close(fd);
}

/* Use a child, which can change its uid. */
static bool try_exits(struct sw_error *why)
{
	ssize_t length = -1;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return sw_error_errno(why, "exit events could not be tried") == 0;
	pid = fork();
	if (pid == 0) {
		listen_as_user(why);
		_exit(write(fds[1], why, sizeof(*why)) < 0);
	}
	close(fds[1]);
	if (pid > 0) {
		length = read(fds[0], why, sizeof(*why));
		waitpid(pid, NULL, 0);
	}
	close(fds[0]);
	if (length != sizeof(*why))
		sw_error_set(why, "exit events could not be tried");
	return !why->text[0];
}

const struct sw_doctor_probes sw_probes_live = {
	.run = run,
	.try_bpf = try_bpf,
	.try_exits = try_exits,
	.statfs = fstatfs,
};
