/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the child that reads the stacks of one process.
 *
 * The content of the mapped files belongs to the user: nothing of it is read
 * before this process has changed to the user id of the step.  Exits if it
 * cannot do that, or if the process has other credentials than that user.
 */
#include "recorder/stacks/capture_child.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "recorder/kernel/become.h"
#include "recorder/kernel/process.h"

enum {
	CPU_SECONDS_MAX = 5,
	DATA_BYTES_MAX = 128 << 20,
	TEXT_BYTES_MAX = 64 << 10,
	FILES_MAX = 256,
	MEMORY_FD = 3, MAPS_FD, FIRST_FREE,	/* as in stack_main.c */
};

static int open_of(int proc_fd, pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "%d/%s", (int)pid, name);
	return openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
}

/* Parse "202 0x7ffc 0x1 0x2 ... SP PC", "running", or "-1 SP PC" of a fault. */
static bool read_registers(int proc_fd, pid_t pid, pid_t tid, uint64_t *pc,
			   uint64_t *sp)
{
	char name[64], text[512], *last, *before;
	ssize_t length;
	int fd;

	snprintf(name, sizeof(name), "task/%d/syscall", (int)tid);
	fd = open_of(proc_fd, pid, name);
	length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	last = strrchr(text, ' ');
	if (!last)
		return false;
	*last++ = '\0';
	before = strrchr(text, ' ');
	if (!before)
		return false;
	*pc = strtoull(last, NULL, 16);
	*sp = strtoull(before + 1, NULL, 16);
	return *pc && *sp;
}

/* Write the standard input of stepwell-stack.  Return -1 without a thread. */
static int write_threads(const struct sw_capture_one *one, int proc_fd)
{
	int fd = memfd_create("threads", MFD_CLOEXEC);
	bool has_any = false;
	uint64_t pc, sp;
	size_t i;

	for (i = 0; fd >= 0 && i < one->count; i++) {
		if (!read_registers(proc_fd, one->pid, one->tid[i], &pc, &sp))
			continue;
		dprintf(fd, "%d %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
			"\n", (int)one->tid[i], pc, sp, one->frame_pointer[i],
			one->link[i]);
		has_any = true;
	}
	return has_any && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* A core file would reveal the memory of the process. */
static void set_limits(void)
{
	sw_become_limit(RLIMIT_CPU, CPU_SECONDS_MAX);
	sw_become_limit(RLIMIT_DATA, DATA_BYTES_MAX);
	sw_become_limit(RLIMIT_FSIZE, TEXT_BYTES_MAX);
	sw_become_limit(RLIMIT_NOFILE, FILES_MAX);
	sw_become_limit(RLIMIT_CORE, 0);
}

/* Move each to its place, via descriptors above all of them. */
static void put_descriptors(const int from[FIRST_FREE])
{
	int high[FIRST_FREE], i;

	for (i = 0; i < FIRST_FREE; i++)
		high[i] = fcntl(from[i], F_DUPFD, FIRST_FREE);
	for (i = 0; i < FIRST_FREE; i++) {
		if (high[i] < 0 || dup2(high[i], i) < 0)
			_exit(1);
	}
	close_range(FIRST_FREE, ~0u, 0);
}

/* Report the refusal for each thread and exit. */
__attribute__((noreturn))
static void refuse(const struct sw_capture_one *one)
{
	size_t i;

	for (i = 0; i < one->count; i++)
		dprintf(one->text_fd, "%d " SW_CAPTURE_REFUSED "\n",
			(int)one->tid[i]);
	_exit(1);
}

void sw_capture_serve(const struct sw_capture_one *one,
		      const struct sw_capture_place *place,
		      const char *program, pid_t parent)
{
	char pid[16], name[] = SW_CAPTURE_PROGRAM;
	char *const arguments[] = { name, pid, NULL };
	char *const environment[] = { NULL };
	int from[FIRST_FREE];

	sw_become_child(parent);
	if (!sw_process_is_of(place->proc_fd, one->pid, place->uid))
		refuse(one);
	from[0] = write_threads(one, place->proc_fd);
	from[1] = one->text_fd;
	from[2] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	from[MEMORY_FD] = open_of(place->proc_fd, one->pid, "mem");
	from[MAPS_FD] = open_of(place->proc_fd, one->pid, "maps");
	/* It may have executed another program in the meantime. */
	if (!sw_process_is_of(place->proc_fd, one->pid, place->uid))
		refuse(one);
	snprintf(pid, sizeof(pid), "%d", (int)one->pid);
	put_descriptors(from);
	set_limits();
	if (sw_become_alone(place->uid, place->gid) < 0)
		_exit(1);
	/* The kernel clears it when the user id changes. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execve(program, arguments, environment);
	_exit(1);
}
