/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for counter sources.
 *
 * A source reads one family of kernel counters and is one file (src_*.c) and
 * one row in sources.c.  Its columns become the table "series.<name>" of the
 * profile: first "time_usec" and "step", which the loop fills, then the
 * source's own in the order given here.  src_template.c is there to be copied;
 * `make check` wants good/, missing/ and garbage/ trees under
 * test/fixtures/sources/<name>/ for each.
 *
 * Promises of the loop: one thread; open once, then read at most once per
 * period, then close exactly once, also after a failed open; values[] arrive
 * as SW_MISSING.  Promises of a source: never blocks on a job, never logs,
 * never ends the process, allocates nothing after open, and leaves missing
 * what it could not read (ENOENT, ENODEV: the kernel has no such file, or the
 * cgroup is gone).
 */
#ifndef SW_RECORDER_SOURCE_H
#define SW_RECORDER_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/table.h"

struct sw_tree;

/* Where a step can be seen; fds are -1 where there is none. */
struct sw_target {
	int cgroup_fd;		/* folder of the step's own cgroup v2 */
	int proc_fd;		/* /proc, or a recorded tree */
	pid_t root_pid;		/* the command */
	uint64_t step;		/* the key of the step in the profile */
	struct sw_tree *tree;	/* the command's process tree, refreshed by the
				 * loop before each read; NULL if not followed */
};

/*
 * Outcome of a read.  GONE: the thing watched has ended; ABSENT: this machine
 * does not have it; GARBAGE: the kernel's text was not of the known form.
 */
enum sw_read_status {
	SW_READ_OK,
	SW_READ_ABSENT,
	SW_READ_GONE,
	SW_READ_GARBAGE,
};

/* When a source is read. */
enum sw_cadence {
	SW_EVERY_PERIOD,	/* cheap */
	SW_EVERY_TENTH,		/* dear: each tenth period, and at the end */
};

struct sw_source {
	const char *name;	/* "cpu": also the folder of its fixtures */
	const char *ladder;	/* the rung: "cgroup.v2", "proc" */
	enum sw_scope scope;
	enum sw_cadence cadence;
	const struct sw_column *columns;
	size_t column_count;
	size_t state_size;	/* zeroed memory the loop hands to the source */
	enum sw_read_status (*open)(void *state,
				    const struct sw_target *target);
	enum sw_read_status (*read)(void *state,
				    const struct sw_target *target,
				    uint64_t *values);
	void (*close)(void *state);
};

/* All sources, NULL-terminated, in the order in which they are read. */
extern const struct sw_source *const sw_sources[];

#endif
