/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process has waited for. */
#include "recorder/reaped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/process.h"

enum { READS_MAX = 4 };

/* Of the threads but the main one, which never end. */
struct others {
	int proc_fd;
	uint64_t io[SW_IO_COUNT];
};

static void add_thread(void *context, pid_t pid, const char *thread)
{
	struct others *others = context;
	uint64_t one[SW_IO_COUNT];
	char path[64];
	size_t i;

	if (strtol(thread, NULL, 10) == pid)
		return;
	snprintf(path, sizeof(path), "self/task/%.16s/io", thread);
	sw_process_read_io(others->proc_fd, path, one, NULL);
	for (i = 0; i < SW_IO_COUNT; i++) {
		if (!sw_is_missing(one[i]))
			others->io[i] += one[i];
	}
}

static void read_others(struct others *others, int proc_fd)
{
	memset(others, 0, sizeof(*others));
	others->proc_fd = proc_fd;
	sw_process_each_thread(proc_fd, getpid(), add_thread, others);
}

/*
 * I/O of all that this process has waited for, and of its threads but this
 * one.  To read the account of this thread adds to it, and so it is the last.
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
	/* Two reads: one with data, one that finds the end. */
	io[SW_IO_SYSCR] = sw_excess_u64(io[SW_IO_SYSCR], 2);
}

/*
 * I/O of all that this process has waited for: its own account holds it, and
 * the accounts of its threads do not.  Missing while one of these is at work:
 * what it did between two of our reads would be the children's.
 */
static void read_own_io(int proc_fd, uint64_t *io)
{
	struct others before, after;
	size_t i;
	int reads = 0;

	read_others(&after, proc_fd);
	do {
		before = after;
		read_but_main(proc_fd, io);
		read_others(&after, proc_fd);
	} while (memcmp(before.io, after.io, sizeof(after.io)) != 0 &&
		 ++reads < READS_MAX);
	for (i = 0; i < SW_IO_COUNT; i++)
		io[i] = reads == READS_MAX ? SW_MISSING :
					     sw_excess_u64(io[i], after.io[i]);
}

/* Of this process the kernel tells more exactly than of others. */
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

struct io {
	int proc_fd;
	uint64_t *values;
};

static void take_off_thread(void *context, pid_t pid, const char *thread)
{
	const struct io *io = context;
	uint64_t own[SW_IO_COUNT];
	char path[64];
	size_t i;

	snprintf(path, sizeof(path), "%d/task/%.16s/io", (int)pid, thread);
	sw_process_read_io(io->proc_fd, path, own, NULL);
	for (i = 0; i < SW_IO_COUNT; i++) {
		if (!sw_is_missing(own[i]))
			io->values[i] = sw_excess_u64(io->values[i], own[i]);
	}
}

/*
 * slurmstepd: its page faults and those of who it has waited for cannot be
 * told apart, so none are taken.  What its own threads read and wrote is
 * taken off, but for threads that have ended.
 */
static void read_foreign(struct sw_reaped *reaped, int proc_fd, pid_t pid)
{
	struct io io = { proc_fd, reaped->io };
	struct sw_process parent;
	size_t i;

	reaped->user_usec = reaped->system_usec = SW_MISSING;
	reaped->minflt = reaped->majflt = SW_MISSING;
	for (i = 0; i < SW_IO_COUNT; i++)
		reaped->io[i] = SW_MISSING;
	if (sw_process_read(&parent, proc_fd, pid) != SW_READ_OK)
		return;
	reaped->user_usec = parent.waited_user_usec;
	reaped->system_usec = parent.waited_system_usec;
	memcpy(reaped->io, parent.io, sizeof(reaped->io));
	sw_process_each_thread(proc_fd, pid, take_off_thread, &io);
}

void sw_reaped_read(struct sw_reaped *reaped, int proc_fd, pid_t pid,
		    bool is_own)
{
	if (is_own)
		read_own(reaped, proc_fd);
	else
		read_foreign(reaped, proc_fd, pid);
}
