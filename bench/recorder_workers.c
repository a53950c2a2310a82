/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded command of bench_recorder.
 *
 * A worker fails (status 1) if it cannot fork, work or report itself.
 */
#include "bench/recorder_workers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/cgroup/cgroup.h"

enum {
	NAP_MS = 20,
	WORK_BYTES = 64 * 1024,
	READY_MS = 30000,	/* until all must have reported */
	LINE_SIZE = PATH_MAX + 32,
};

/* Enter a cgroup as Slurm gives each task one; on failure path is "". */
static void enter_cgroup(const char *leaf, size_t number, char *path)
{
	char file[PATH_MAX];
	char text[32];
	int length;
	int fd;

	path[0] = '\0';
	if (leaf[0] == '\0' ||
	    snprintf(file, sizeof(file), "%s/task_%zu", leaf, number) >=
	    (int)sizeof(file) - 16 || mkdir(file, 0755) < 0)
		return;
	strcpy(path, file);
	strcat(file, "/cgroup.procs");
	fd = open(file, O_WRONLY | O_CLOEXEC);
	length = snprintf(text, sizeof(text), "%ld", (long)getpid());
	if (fd < 0 || write(fd, text, (size_t)length) != length) {
		rmdir(path);
		path[0] = '\0';
	}
	if (fd >= 0)
		close(fd);
}

/* Do a little of everything, so that the numbers differ between samples. */
static void work(int zero_fd, unsigned char *memory)
{
	for (size_t i = 0; i < WORK_BYTES; i += 64)
		memory[i]++;
	/* A read system call, counted in /proc/PID/io. */
	(void)!read(zero_fd, memory, 1);
}

static int worker(const char *leaf, size_t number)
{
	static unsigned char memory[WORK_BYTES];
	struct pollfd polled = { .fd = STDIN_FILENO, .events = POLLIN };
	char path[PATH_MAX];
	char line[LINE_SIZE];
	int zero_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int length;

	enter_cgroup(leaf, number, path);
	length = snprintf(line, sizeof(line), "%ld %s\n", (long)getpid(),
			  path);
	/* Short enough that a pipe takes it in one piece. */
	if (zero_fd < 0 || length > PIPE_BUF ||
	    write(STDOUT_FILENO, line, (size_t)length) != length)
		return 1;
	while (poll(&polled, 1, NAP_MS) == 0)
		work(zero_fd, memory);
	return 0;
}

/* Find the cgroup that the recorder made for the command; "" if none. */
static void find_leaf(char *leaf, size_t size)
{
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sw_error error;
	const char *name = NULL;

	if (sw_cgroup_find(proc_fd, NULL, leaf, size, &error) == 0)
		name = strrchr(leaf, '/');
	if (name == NULL || strncmp(name, "/stepwell-", 10) != 0)
		leaf[0] = '\0';
	if (proc_fd >= 0)
		close(proc_fd);
}

int workers_run(size_t count, bool has_cgroups)
{
	char leaf[PATH_MAX] = "";
	int result = 0;
	int status = 0;

	if (has_cgroups)
		find_leaf(leaf, sizeof(leaf));
	for (size_t i = 1; i < count && result == 0; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(worker(leaf, i));
		if (pid < 0)
			result = 1;
	}
	if (result == 0)
		result = worker(leaf, 0);
	close(STDIN_FILENO);
	while (wait(&status) > 0 || errno == EINTR)
		if (status != 0)
			result = 1;
	return result;
}

static int parse(struct workers *workers, char *line, struct sw_error *error)
{
	char *path = strchr(line, ' ');
	long pid = strtol(line, NULL, 10);

	if (path == NULL || pid <= 0 || strlen(path + 1) >= PATH_MAX)
		return sw_error_set(error, "the workers do not tell who they "
				    "are");
	workers->pids[workers->count] = (pid_t)pid;
	strcpy(workers->cgroups[workers->count++], path + 1);
	return 0;
}

/* Take the complete lines of the text; move the rest to its start. */
static int take_lines(struct workers *workers, size_t count, char *text,
		      size_t *used, struct sw_error *error)
{
	char *next = text;
	char *end;

	while (workers->count < count &&
	       (end = memchr(next, '\n', *used - (size_t)(next - text)))) {
		*end = '\0';
		if (parse(workers, next, error) < 0)
			return -1;
		next = end + 1;
	}
	*used -= (size_t)(next - text);
	memmove(text, next, *used);
	return 0;
}

int workers_read(struct workers *workers, size_t count, int fd,
		 struct sw_error *error)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	char text[2 * LINE_SIZE];
	size_t used = 0;
	ssize_t got;

	workers->count = 0;
	while (workers->count < count) {
		if (used == sizeof(text))
			return sw_error_set(error, "a worker's line is too "
					    "long");
		got = poll(&polled, 1, READY_MS);
		if (got < 0 && errno == EINTR)
			continue;
		if (got > 0)
			got = read(fd, text + used, sizeof(text) - used);
		if (got <= 0)
			return sw_error_set(error, "%zu of %zu workers came",
					    workers->count, count);
		used += (size_t)got;
		if (take_lines(workers, count, text, &used, error) < 0)
			return -1;
	}
	return 0;
}
