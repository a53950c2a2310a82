/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's accounts of tasks that end (taskstats, by generic netlink;
 * Documentation/accounting/taskstats.rst): one message for each thread of the
 * node.  Needs CAP_NET_ADMIN in the first namespaces, and version 12 of the
 * messages (Linux 5.19): before that they do not say whose thread it was.
 */
#ifndef SW_RECORDER_TASKSTATS_H
#define SW_RECORDER_TASKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { SW_TASKSTATS_COMM_SIZE = 32, SW_TASKSTATS_BYTES_MAX = 4096 };

/* What one thread has used.  Its last CPU tick is not in it. */
struct sw_taskstats_sums {
	uint64_t cpu_nsec;		/* by the scheduler */
	uint64_t user_usec, system_usec;	/* in ticks: only for shares */
	uint64_t run_delay_nsec;
	uint64_t rchar, wchar, read_bytes, write_bytes;
};

/* A thread that has ended. */
struct sw_taskstats_end {
	pid_t pid, process, parent;	/* parent: of the process, then */
	bool is_last;			/* the process has ended with it */
	int wait_status;		/* as wait(2) has it, of this thread */
	char comm[SW_TASKSTATS_COMM_SIZE];
	uint64_t elapsed_usec;		/* of the process, when is_last */
	uint64_t peak_bytes;		/* of the process so far */
	struct sw_taskstats_sums sums;
};

/* What a message says. */
enum sw_taskstats_kind {
	SW_TASKSTATS_END,
	SW_TASKSTATS_OTHER,	/* nothing of a thread's end */
	SW_TASKSTATS_OLD,	/* of a version that is too old */
	SW_TASKSTATS_GARBAGE,	/* not of the known form */
};

/* Read a message of the kernel's as it came; *end is set where it is one. */
enum sw_taskstats_kind sw_taskstats_parse(const void *bytes, size_t length,
					  struct sw_taskstats_end *end);

/* A socket that is told of all ends from now on; -1 with *error. */
int sw_taskstats_open(struct sw_error *error);

/*
 * One message, never waits.  Its length; 0: there is none; -1 with errno
 * ENOBUFS: some were lost, go on.
 */
ssize_t sw_taskstats_receive(int fd, void *bytes, size_t size);

/* Messages that found no room, so far; SW_MISSING: not known. */
uint64_t sw_taskstats_lost(int fd, int proc_fd);

#endif
