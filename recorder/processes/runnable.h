/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of a process that are running or runnable, the CPUs that they may
 * use (each may have its own binding), and how they share the work.
 */
#ifndef SW_RECORDER_RUNNABLE_H
#define SW_RECORDER_RUNNABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cpus.h"
#include "recorder/kernel/kernfile.h"

/* Maximum number of threads sampled per process. */
enum { SW_RUNNABLE_THREADS = 64 };

/* A thread, or a process with a single thread. */
struct sw_worker {
	pid_t tid;
	uint32_t kind;		/* hash of its name without digits */
	uint64_t cpu_usec;	/* total so far; 0: not known */
};

/* CPU time that some threads have used so far.  count 0: not known. */
struct sw_workers {
	size_t count;	/* with at least a tenth of the busiest's */
	uint64_t usec;	/* CPU time of these */
	uint64_t busiest_usec;
};

/* Return the kind of a name: "GC Thread#0" and "GC Thread#12" are equal. */
uint32_t sw_worker_kind(const char *name);

/*
 * Move the workers among count threads to the front: those of the same kind as
 * the busiest thread.
 */
struct sw_workers sw_workers_of(struct sw_worker *threads, size_t count);

/* Return how many used at least least_usec since before, except new threads. */
size_t sw_workers_ran(const struct sw_worker *now, size_t count,
		      const struct sw_worker *before, size_t count_before,
		      uint64_t least_usec);

struct sw_runnable {
	size_t looked_at, left_out;	/* number of threads */
	size_t count;			/* running or runnable, of looked_at */
	struct sw_cpus cpus;		/* union of the CPUs they may use */
	struct sw_workers workers;	/* of these threads */
	struct sw_worker thread[SW_RUNNABLE_THREADS];	/* workers first */
};

/* Read the threads of pid.  May block indefinitely: call only from visits.c. */
enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid);

#endif
