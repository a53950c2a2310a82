/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of one process that run or could run, and the CPUs that they may
 * use, for each may be bound apart; and how threads have shared the work.
 */
#ifndef SW_RECORDER_RUNNABLE_H
#define SW_RECORDER_RUNNABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cpus.h"
#include "recorder/kernel/kernfile.h"

/* So many threads of a process are looked at. */
enum { SW_RUNNABLE_THREADS = 64 };

/* A thread, or the only one of its process. */
struct sw_worker {
	pid_t tid;
	uint32_t kind;		/* of its name, whatever numbers are in it */
	uint64_t cpu_usec;	/* so far; 0: not known */
};

/* How some threads have shared their CPU time so far; count 0: not known. */
struct sw_workers {
	size_t count;	/* with a tenth of the busiest one's, or more */
	uint64_t usec;	/* of these */
	uint64_t busiest_usec;
};

/* The kind of a name: that of "GC Thread#0" is that of "GC Thread#12". */
uint32_t sw_worker_kind(const char *name);

/*
 * Moves the workers among so many threads to the front: those of the busiest
 * one's kind.
 */
struct sw_workers sw_workers_of(struct sw_worker *threads, size_t count);

/* How many used so much more than before; those that are new do not count. */
size_t sw_workers_ran(const struct sw_worker *now, size_t count,
		      const struct sw_worker *before, size_t count_before,
		      uint64_t least_usec);

struct sw_runnable {
	size_t looked_at, left_out;	/* threads */
	size_t count;			/* of these, that run or could */
	struct sw_cpus cpus;		/* that one of them may use */
	struct sw_workers workers;	/* of these threads */
	struct sw_worker thread[SW_RUNNABLE_THREADS];	/* workers first */
};

/* May block, and be kept from an answer: only visits.c calls it. */
enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid);

#endif
