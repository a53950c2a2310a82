/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources used by the children that a process has reaped. */
#include "recorder/processes/reaped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/process.h"

enum { READS_MAX = 4 };

struct threads {
	int proc_fd;
	pid_t left_out;		/* a thread, or 0 for none */
	uint64_t io[SW_IO_COUNT];
};

static void add_thread(void *context, pid_t pid, const char *thread)
{
	struct threads *threads = context;
	uint64_t one[SW_IO_COUNT];
	char path[64];
	size_t i;

	if (strtol(thread, NULL, 10) == threads->left_out)
		return;
	snprintf(path, sizeof(path), "%d/task/%.16s/io", (int)pid, thread);
	sw_process_read_io(threads->proc_fd, path, one, NULL);
	for (i = 0; i < SW_IO_COUNT; i++) {
		if (!sw_is_missing(one[i]))
			threads->io[i] += one[i];
	}
}

/* Return the I/O of the threads of pid, except left_out. */
static struct threads read_threads(int proc_fd, pid_t pid, pid_t left_out)
{
	struct threads threads = { .proc_fd = proc_fd, .left_out = left_out };

	sw_process_each_thread(proc_fd, pid, add_thread, &threads);
	return threads;
}

static void take_off(uint64_t *io, const struct threads *threads)
{
	size_t i;

	for (i = 0; i < SW_IO_COUNT; i++)
		io[i] = sw_excess_u64(io[i], threads->io[i]);
}

/*
 * Read the I/O of all reaped children and of all threads but this one.  Reading
 * the I/O of this thread adds to it, so it must come last.
 */
static void read_but_main(int proc_fd, uint64_t *io)
{
	uint64_t one[SW_IO_COUNT];
	size_t text_bytes = 0, i;
	char path[64];

	snprintf(path, sizeof(path), "self/task/%d/io", (int)getpid());
	sw_process_read_io(proc_fd, path, one, &text_bytes);
	sw_process_read_io(proc_fd, "self/io", io, NULL);
	for (i = 0; i < SW_IO_COUNT; i++)
		io[i] = sw_excess_u64(io[i], one[i]);
	io[SW_IO_RCHAR] = sw_excess_u64(io[SW_IO_RCHAR], text_bytes);
	/* Two reads: one that returns data, one that finds the end. */
	io[SW_IO_SYSCR] = sw_excess_u64(io[SW_IO_SYSCR], 2);
}

/*
 * Read the I/O of all reaped children.  The account of the process includes
 * them; the accounts of its threads, which never exit, do not.  Missing if a
 * thread was active between two reads, because its I/O would be counted as the
 * children's.
 */
static void read_own_io(int proc_fd, uint64_t *io)
{
	const pid_t self = getpid();
	struct threads before, after;
	size_t i;
	int reads = 0;

	after = read_threads(proc_fd, self, self);
	do {
		before = after;
		read_but_main(proc_fd, io);
		after = read_threads(proc_fd, self, self);
	} while (memcmp(before.io, after.io, sizeof(after.io)) != 0 &&
		 ++reads < READS_MAX);
	take_off(io, &after);
	for (i = 0; reads == READS_MAX && i < SW_IO_COUNT; i++)
		io[i] = SW_MISSING;
}

/* Read the values of this process, for which the kernel is more exact. */
static void read_own(struct sw_reaped *reaped, int proc_fd)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	reaped->user_usec = sw_clock_timeval_usec(usage.ru_utime);
	reaped->system_usec = sw_clock_timeval_usec(usage.ru_stime);
	reaped->minflt = (uint64_t)usage.ru_minflt;
	reaped->majflt = (uint64_t)usage.ru_majflt;
	read_own_io(proc_fd, reaped->io);
}

/*
 * Read the values of slurmstepd.  Its page faults cannot be separated from
 * those of its children, so they are missing.  The I/O of its own threads is
 * subtracted, except of threads that have exited.
 */
static void read_foreign(struct sw_reaped *reaped, int proc_fd, pid_t pid)
{
	struct threads threads;
	struct sw_process parent;

	reaped->user_usec = reaped->system_usec = SW_MISSING;
	reaped->minflt = reaped->majflt = SW_MISSING;
	sw_set_missing(reaped->io, SW_IO_COUNT);
	if (sw_process_read(&parent, proc_fd, pid) != SW_READ_OK)
		return;
	reaped->user_usec = parent.waited_user_usec;
	reaped->system_usec = parent.waited_system_usec;
	memcpy(reaped->io, parent.io, sizeof(reaped->io));
	threads = read_threads(proc_fd, pid, 0);
	take_off(reaped->io, &threads);
}

void sw_reaped_read(struct sw_reaped *reaped, int proc_fd, pid_t pid,
		    bool is_own)
{
	if (is_own)
		read_own(reaped, proc_fd);
	else
		read_foreign(reaped, proc_fd, pid);
}
