/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of one process that run or could run, and the CPUs that they may
 * use, for each may be bound apart; and how its threads have shared the work.
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

struct sw_runnable {
	size_t looked_at, left_out;	/* threads */
	size_t count;			/* of these, that run or could */
	struct sw_cpus cpus;		/* that one of them may use */
	/* Threads with a tenth of the CPU time of the busiest one or more; 0:
	 * not known. */
	size_t workers;
	uint64_t workers_usec, busiest_usec;	/* CPU time so far */
};

/* May block, and be kept from an answer: only visits.c calls it. */
enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid);

#endif
