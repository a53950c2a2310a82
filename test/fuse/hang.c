/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hang READ WRITE ALL: a job that hangs in every way a program can, on three
 * file systems of fuse_stall, until these go away.  On READ, whose file "data"
 * is never read, it hangs in page faults of a mapping, in 8 threads, and in
 * read(2).  On ALL, which never answers, it hangs in open(2), stat(2) and the
 * execve(2) of another program.
 *
 * On WRITE, whose file "data" is never written, it hangs in munmap(2) of
 * modified pages, which holds the process's mmap lock.  As a thread waits to
 * map something, nobody else gets that lock: neither a reader of
 * /proc/PID/cmdline nor a vfork(2) child in its execve(2), which meanwhile
 * blocks all readers of its /proc/PID/io.
 *
 * Prints "hangs" when it does.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FAULTS = 8,
	PAGE = 4096,
	APART = 64 * PAGE,
	STEP_USEC = 200000,	/* each waits for the previous */
};

static char *mapped_read, *mapped_write;
static int read_fd;
static char dead_file[4096];

static void fail(const char *what) __attribute__((noreturn));

static void fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void *fault(void *page)
{
	return (void *)(unsigned long)*(volatile char *)page;
}

static void *read_it(void *unused)
{
	char byte;

	return pread(read_fd, &byte, 1, FAULTS * APART) < 0 ? NULL : unused;
}

static void *open_it(void *unused)
{
	return open(dead_file, O_RDONLY | O_CLOEXEC) < 0 ? NULL : unused;
}

static void *stat_it(void *unused)
{
	struct stat status;

	return stat(dead_file, &status) < 0 ? NULL : unused;
}

static void *unmap_it(void *unused)
{
	usleep(STEP_USEC);
	munmap(mapped_write, PAGE);
	return unused;
}

static void *map_it(void *unused)
{
	usleep(2 * STEP_USEC);
	return mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
	       == MAP_FAILED ? NULL : unused;
}

static void execute(const char *path)
{
	char *const arguments[] = { (char *)(unsigned long)path, NULL };
	char *const environment[] = { NULL };

	execve(path, arguments, environment);
	_exit(127);
}

static void *vfork_it(void *unused)
{
	usleep(3 * STEP_USEC);
	if (vfork() == 0)
		execute("/bin/true");
	return unused;
}

static void start(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, argument))
		fail("pthread_create");
}

static char *map_file(const char *folder, int *fd, size_t size)
{
	char path[4096];
	char *mapped;

	snprintf(path, sizeof(path), "%s/data", folder);
	*fd = open(path, O_RDWR | O_CLOEXEC);
	if (*fd < 0)
		fail(path);
	mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (mapped == MAP_FAILED)
		fail(path);
	return mapped;
}

int main(int argc, char **argv)
{
	int write_fd, i;

	if (argc != 4) {
		fprintf(stderr, "usage: hang READ WRITE ALL\n");
		return 2;
	}
	mapped_read = map_file(argv[1], &read_fd, FAULTS * APART);
	mapped_write = map_file(argv[2], &write_fd, PAGE);
	snprintf(dead_file, sizeof(dead_file), "%s/data", argv[3]);
	memset(mapped_write, 1, PAGE);
	if (fork() == 0)
		execute(dead_file);
	for (i = 0; i < FAULTS; i++)
		start(fault, mapped_read + i * APART);
	start(read_it, NULL);
	start(open_it, NULL);
	start(stat_it, NULL);
	/* Everything needed is mapped by now: mmap(2) is about to hang. */
	start(unmap_it, NULL);
	start(map_it, NULL);
	start(vfork_it, NULL);
	if (write(STDOUT_FILENO, "hangs\n", 6) < 0)
		fail("stdout");
	for (;;)
		pause();
}
