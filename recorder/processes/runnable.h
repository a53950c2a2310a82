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

/* How some threads have shared their CPU time so far; count 0: not known. */
struct sw_workers {
	size_t count;	/* with a tenth of the busiest one's, or more */
	uint64_t usec;	/* of these */
	uint64_t busiest_usec;
};

/* Of so many threads; 0: that one's is not known. */
struct sw_workers sw_workers_of(const uint64_t *cpu_usec, size_t count);

struct sw_runnable {
	size_t looked_at, left_out;	/* threads */
	size_t count;			/* of these, that run or could */
	struct sw_cpus cpus;		/* that one of them may use */
	struct sw_workers workers;	/* of these threads */
};

/* May block, and be kept from an answer: only visits.c calls it. */
enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid);

#endif
