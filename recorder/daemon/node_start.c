/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start of the node's recorder. */
#include "recorder/daemon/node_start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder/cgroup/cgroup.h"
#include "recorder/daemon/node_socket.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/log/node_log.h"

enum {
	FILES_MAX = 65536,
	OOM_SCORE_ADJ = 500,	/* kill this process rather than a job */
	REMOVE_TRIES = 100,	/* 10 ms each */
	LOCK_TRIES = 600,	/* 5 ms each: longer than an exit takes */
};

/* Limit for this process, not for jobs */
#define MEMORY_MAX "512M"
#define CGROUP_NAME "stepwell-recorder"

static void await_ready(int fd)
{
	char byte;
	ssize_t length;

	do {
		length = read(fd, &byte, 1);
	} while (length < 0 && errno == EINTR);
	_exit(length == 1 ? 0 : 1);
}

int sw_node_detach(struct sw_error *error)
{
	int pipes[2];
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return sw_error_errno(error, "detach");
	pid = fork();
	if (pid < 0)
		return sw_error_errno(error, "detach");
	if (pid > 0) {
		close(pipes[1]);
		await_ready(pipes[0]);
	}
	close(pipes[0]);
	setsid();
	return pipes[1];
}

void sw_node_ready(int ready_fd)
{
	if (write(ready_fd, "", 1) < 0)
		sw_node_log("the caller did not wait");
	close(ready_fd);
}

/* Get the directory of a path. */
static int folder_of(const char *path, char *folder, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path || (size_t)(slash - path) >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	return 0;
}

/* Return 0; 1 if another recorder holds the lock; -1 with *error. */
static int try_lock(const char *socket_path, struct sw_error *error)
{
	char folder[PATH_MAX];
	int dirfd, fd;

	if (folder_of(socket_path, folder, sizeof(folder)) < 0)
		return sw_error_errno(error, "%s", socket_path);
	/* Everybody can see that there is a recorder; only root can connect. */
	if (mkdir(folder, 0755) == 0 ? chmod(folder, 0755) < 0 :
				       errno != EEXIST)
		return sw_error_errno(error, "%s", folder);
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return sw_error_errno(error, "%s", folder);
	fd = openat(dirfd, "recorder.lock",
		    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	close(dirfd);
	if (fd < 0)
		return sw_error_errno(error, "%s/recorder.lock", folder);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 0;	/* held until this process exits */
	if (errno == EWOULDBLOCK) {
		close(fd);
		return 1;
	}
	return sw_error_errno(error, "%s/recorder.lock", folder);
}

/*
 * A starting recorder has the lock before it listens, and an ending one
 * releases it.
 */
static int lock_or_see(const char *socket_path, struct sw_error *error)
{
	const struct timespec nap = { .tv_nsec = 5 * 1000 * 1000 };
	int status, i;

	for (i = 0; i < LOCK_TRIES; i++) {
		if (sw_node_is_served(socket_path))
			return 1;
		status = try_lock(socket_path, error);
		if (status <= 0)
			return status;
		nanosleep(&nap, NULL);
	}
	return sw_error_set(error, "another recorder is running and does not "
			    "listen at %s", socket_path);
}

int sw_node_lock(const struct sw_node_options *options, bool is_unit,
		 struct sw_error *error)
{
	const struct timespec nap = { .tv_nsec = 50 * 1000 * 1000 };
	bool is_told = false;
	int status;

	if (!is_unit)
		return lock_or_see(options->socket_path, error);
	while ((status = try_lock(options->socket_path, error)) > 0) {
		if (access(options->off_path, F_OK) == 0)
			return 1;
		if (!is_told)
			sw_node_log("waiting for another recorder to end");
		is_told = true;
		nanosleep(&nap, NULL);
	}
	return status;
}

int sw_node_open_cgroups(void)
{
	static const char *const roots[] = {
		"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
	};
	size_t i;
	int fd;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		fd = open(roots[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 &&
		    faccessat(fd, "cgroup.controllers", F_OK, 0) == 0)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

/* Return the root of cgroup v1's memory hierarchy; -1: none. */
static int open_v1_memory(void)
{
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = -1;

	if (proc_fd >= 0) {
		fd = sw_cgroup_open_root(proc_fd, "memory");
		close(proc_fd);
	}
	return fd;
}

void sw_node_open_log(const char *socket_path)
{
	char path[PATH_MAX];
	int fd;

	if (folder_of(socket_path, path, sizeof(path) - 8) < 0)
		return;
	strcat(path, "/log");
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (fd < 0)
		return;
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static int put(int dirfd, const char *name, const char *text)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length = -1;

	if (fd < 0)
		return -1;
	length = write(fd, text, strlen(text));
	close(fd);
	return length < 0 ? -1 : 0;
}

/* Enter a cgroup of a hierarchy, with a memory limit if it has that. */
static int enter_cgroup(int root_fd, const char *limit_file)
{
	int fd, result;

	if (mkdirat(root_fd, CGROUP_NAME, 0755) < 0 && errno != EEXIST)
		return -1;
	fd = openat(root_fd, CGROUP_NAME,
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -1;
	if (faccessat(fd, limit_file, F_OK, 0) == 0)
		put(fd, limit_file, MEMORY_MAX);
	result = put(fd, "cgroup.procs", "0");
	close(fd);
	return result;
}

/* A systemd unit already has one, with limits set by the administrator. */
static void enter_cgroups(void)
{
	int root_fd, v1_fd;

	if (getenv("INVOCATION_ID"))
		return;
	root_fd = sw_node_open_cgroups();
	if (root_fd >= 0 && enter_cgroup(root_fd, "memory.max") < 0)
		sw_node_log("no cgroup of its own: %s", strerror(errno));
	v1_fd = open_v1_memory();
	if (v1_fd >= 0 && enter_cgroup(v1_fd, "memory.limit_in_bytes") < 0)
		sw_node_log("no cgroup v1 of its own: %s", strerror(errno));
	if (root_fd >= 0)
		close(root_fd);
	if (v1_fd >= 0)
		close(v1_fd);
}

static uint64_t oom_kills_of(int root_fd, const char *name)
{
	static const struct sw_kernkey key = { "oom_kill", 0 };
	struct sw_kernfile file;
	uint64_t count = 0;

	if (sw_kernfile_open(&file, root_fd, name) != SW_READ_OK)
		return 0;
	sw_kernfile_keyed(&file, &key, 1, &count);
	sw_kernfile_close(&file);
	return count;
}

uint32_t sw_node_count_oom_kills(int root_fd, int v1_memory_fd)
{
	return (uint32_t)(oom_kills_of(root_fd, CGROUP_NAME "/memory.events") +
			  oom_kills_of(v1_memory_fd,
				       CGROUP_NAME "/memory.oom_control"));
}

void sw_node_remove_cgroup(int root_fd)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	int i;

	if (root_fd < 0 || faccessat(root_fd, CGROUP_NAME, F_OK, 0) < 0)
		return;
	/* A process cannot remove its own cgroup. */
	put(root_fd, "cgroup.procs", "0");
	/* Children remain in it until they have noticed the end. */
	for (i = 0; i < REMOVE_TRIES; i++) {
		if (unlinkat(root_fd, CGROUP_NAME, AT_REMOVEDIR) == 0 ||
		    errno != EBUSY)
			return;
		nanosleep(&pause, NULL);
	}
}

static void reset_signals(void)
{
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void reset_limits(void)
{
	static const int unlimited[] = {
		RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK,
		RLIMIT_AS, RLIMIT_MEMLOCK,
	};
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	const struct rlimit files = { FILES_MAX, FILES_MAX };
	const struct rlimit no_core = { 0, 0 };
	size_t i;

	for (i = 0; i < sizeof(unlimited) / sizeof(unlimited[0]); i++)
		setrlimit((__rlimit_resource_t)unlimited[i], &none);
	setrlimit(RLIMIT_NOFILE, &files);
	setrlimit(RLIMIT_CORE, &no_core);
}

static void close_but(int keep_fd, int ready_fd)
{
	int first = keep_fd < ready_fd ? keep_fd : ready_fd;
	int second = keep_fd < ready_fd ? ready_fd : keep_fd;
	unsigned from = STDERR_FILENO + 1;

	if (first >= (int)from) {
		if ((unsigned)first > from)
			close_range(from, (unsigned)first - 1, 0);
		from = (unsigned)first + 1;
	}
	if (second >= (int)from) {
		if ((unsigned)second > from)
			close_range(from, (unsigned)second - 1, 0);
		from = (unsigned)second + 1;
	}
	close_range(from, UINT_MAX, 0);
}

void sw_node_leave_caller(int ready_fd, int keep_fd)
{
	int file;

	close_but(keep_fd, ready_fd);
	reset_signals();
	reset_limits();
	setpriority(PRIO_PROCESS, 0, 0);
	enter_cgroups();
	file = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file >= 0) {
		char text[16];

		snprintf(text, sizeof(text), "%d", OOM_SCORE_ADJ);
		put(file, "oom_score_adj", text);
		close(file);
	}
	umask(077);
	if (chdir("/") < 0)
		sw_node_log("/: %s", strerror(errno));
	clearenv();
}
