/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sides of bench_overhead: one pass over some tasks of one process each, by
 * stepwell and by others.
 *
 *	stepwell	the recorder's pass by BPF and its row of the tasks'
 *			processes
 *	waits		the same, and what the threads that do not run wait for
 *	jobacct, ldms	see baseline_jobacct.h
 *	kept		stat and io of each process, parsed from descriptors
 *			that stay open: the minimum cost of /proc
 */
#ifndef BENCH_OVERHEAD_SIDES_H
#define BENCH_OVERHEAD_SIDES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum overhead_side {
	OVERHEAD_STEPWELL, OVERHEAD_JOBACCT, OVERHEAD_LDMS, OVERHEAD_KEPT,
	OVERHEAD_WAITS, OVERHEAD_SIDES
};

enum { OVERHEAD_TASKS_MAX = 512 };

struct overhead_tasks;

/*
 * Start count tasks, each with a cgroup of its own if possible, and do all
 * setup needed before a first pass.  NULL with *error.
 */
struct overhead_tasks *overhead_start(size_t count, struct sw_error *error);
void overhead_stop(struct overhead_tasks *tasks);

/* Return stepwell's backend for processes here: "bpf", "bpf.iter", "proc". */
const char *overhead_backend(const struct overhead_tasks *tasks);
int overhead_has_cgroups(const struct overhead_tasks *tasks);

/* Run one pass; *cpu_nsec is its CPU time.  -1 if it missed a task. */
int overhead_look(struct overhead_tasks *tasks, enum overhead_side side,
		  uint64_t *cpu_nsec, struct sw_error *error);

#endif
