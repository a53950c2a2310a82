/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sides of bench_overhead: one look at some tasks of one process each, as
 * stepwell takes it and as others do.
 *
 *	stepwell	the recorder's pass by BPF and its row of the tasks'
 *			processes
 *	waits		the same, and what those threads wait for that do not
 *			run
 *	jobacct, ldms	see baseline_jobacct.h
 *	kept		stat and io of each process, parsed from descriptors
 *			that stay open: what /proc costs at least
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
 * Starts as many tasks, each with a cgroup of its own where that can be, and
 * does all that comes before a first look.  NULL with *error.
 */
struct overhead_tasks *overhead_start(size_t count, struct sw_error *error);
void overhead_stop(struct overhead_tasks *tasks);

/* Which way stepwell looks at processes here: "bpf", "bpf.iter", "proc". */
const char *overhead_backend(const struct overhead_tasks *tasks);
int overhead_has_cgroups(const struct overhead_tasks *tasks);

/* One look; *cpu_nsec is its CPU time.  -1 where it saw less than all. */
int overhead_look(struct overhead_tasks *tasks, enum overhead_side side,
		  uint64_t *cpu_nsec, struct sw_error *error);

#endif
