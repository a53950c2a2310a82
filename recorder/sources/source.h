/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for counter sources.
 *
 * A source reads one family of kernel counters and is one file (src_*.c) and
 * one row in sources.c.  Its columns become the table "series.<name>" of the
 * profile: first "time_usec" and "step", which the loop fills, with read_rows
 * then "subject", the index of the row, then the source's own in the order
 * given here.  Who an index is, is said once in the table "subjects".
 * src_template.c is there to be copied; `make check` wants good/, missing/ and
 * garbage/ trees under test/fixtures/sources/<name>/ for each.
 *
 * A source of a step or of its tasks has a state per step, which is opened
 * while the tasks wait to execute.  A source of the node has one state for all
 * steps, is opened with a target that has no more than proc_fd and sys_fd,
 * and goes once into each job's profile.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/table.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/rows.h"

struct sw_shared;
struct sw_programs;
struct sw_tree;
struct sw_wait_tally;

/* A task: of Slurm's one of the step's on this node, else the command. */
struct sw_target_task {
	pid_t pid;
	uint64_t start_ticks;	/* with pid, its identity */
	uint64_t rank;		/* SW_MISSING: it has none */
	uint64_t cgroup_number;	/* of its cgroup task_<n> below the step's, of
				 * v1 likewise; SW_MISSING: none of its own */
};

/* The folders of a step's job, above its own; -1 and none where there is none. */
struct sw_target_job {
	int cgroup_fd;
	struct sw_cgroup_v1 v1;
};

/* Where a step can be seen; fds are -1 where there is none. */
struct sw_target {
	int cgroup_fd;		/* folder of the step's own cgroup v2 */
	const struct sw_cgroup_v1 *v1;	/* its folders in the trees of v1;
					 * NULL: none */
	const struct sw_target_job *job;	/* NULL: it has none */
	int proc_fd;		/* /proc, or a recorded tree */
	int sys_fd;		/* /sys, or a recorded tree */
	pid_t root_pid;		/* the command */
	uid_t uid;		/* the user whose step it is ... */
	gid_t gid;		/* ... and the group that it was started with */
	uint32_t job_id;	/* with the user, whose budget; 0: of no job */
	uint64_t step;		/* the key of the step in the profile */
	struct sw_tree *tree;	/* the command's process tree, refreshed by the
				 * loop before each read, unless its processes
				 * can be had from programs; NULL if not followed */
	const struct sw_target_task *tasks;
	size_t task_count;
	bool is_late;		/* the tasks have executed already */
	struct sw_shared *shared;	/* sources of the node; NULL: none */
	struct sw_programs *programs;	/* its programs; NULL: none are recorded */
	/* Where "waits" says what it has read, for who adds it up, and for the
	 * sampler; NULL. */
	const struct sw_wait_tally **waits;
};

/* When a source is read. */
enum sw_cadence {
	SW_EVERY_PERIOD,	/* cheap */
	SW_EVERY_TENTH,		/* dear: each tenth period, and at the end */
};

struct sw_source {
	const char *name;	/* "cpu": also the folder of its fixtures */
	const char *backend;	/* the backend: "cgroup.v2", "proc" */
	/* Which one the first good read was on; NULL: there is no other. */
	const char *(*find_backend)(const void *state);
	enum sw_scope scope;
	enum sw_cadence cadence;
	/*
	 * Its calls may block: they are made in a process of its own, once a
	 * second.  Only of the node.  is_there is a look that cannot block at
	 * whether that process is worth its while.
	 */
	bool is_out_of_process;
	bool (*is_there)(void);
	/* Is it wanted at all?  Where not, nobody misses it.  NULL: it is. */
	bool (*is_wanted)(void);
	const struct sw_column *columns;
	size_t column_count;
	size_t state_size;	/* zeroed memory the loop hands to the source */
	/* The state begins with so many struct sw_kernfile: closed for it. */
	size_t file_count;
	enum sw_read_status (*open)(void *state,
				    const struct sw_target *target);
	/* One of both: a single row, or up to rows_max of them. */
	enum sw_read_status (*read)(void *state,
				    const struct sw_target *target,
				    uint64_t *values);
	size_t rows_max;
	enum sw_read_status (*read_rows)(void *state,
					 const struct sw_target *target,
					 struct sw_rows *rows);
	/*
	 * Who the rows of an index are about: the same for the life of the
	 * state.  False: not known.  NULL: it has no rows with an index.
	 */
	bool (*describe)(void *state, uint64_t index,
			 struct sw_subject *subject);
	/*
	 * Has what is described changed since?  It is described again then.
	 * NULL: it never does.  Not of sources of the node.
	 */
	bool (*is_renamed)(void *state, uint64_t index);
	/*
	 * Optional, with SW_EVERY_TENTH, of a step's or its tasks': asked each
	 * period whether it should be read now, and not only when its turn is.
	 */
	bool (*is_due)(void *state);
	/*
	 * Why it is not there, in words for whoever reads a report: "no Lustre
	 * is mounted".  The loop itself says where a step has no cgroup, or no
	 * more.
	 */
	const char *absence;
	/*
	 * In place of that where there is more to say: why it is not there
	 * (ABSENT), has ended (GONE) or is there only in part (OK).  NULL or
	 * "": nothing to say, of OK that it is whole.  The state is NULL for
	 * sources of the node.
	 */
	const char *(*reason)(const void *state, enum sw_read_status status);
	/* NULL: the files were all. */
	void (*close)(void *state);
};

/* Those of src_*.c. */
extern const struct sw_source
	sw_src_binding, sw_src_counters, sw_src_cpu, sw_src_dram, sw_src_energy, sw_src_gpu,
	sw_src_gpu_amd, sw_src_gpu_pids, sw_src_gpu_process, sw_src_hugetlb,
	sw_src_infiniband, sw_src_interface, sw_src_io, sw_src_job_cpu, sw_src_job_memory,
	sw_src_lustre, sw_src_memory, sw_src_mount, sw_src_net, sw_src_node,
	sw_src_numa, sw_src_papi, sw_src_perf, sw_src_pids, sw_src_pmu, sw_src_pressure,
	sw_src_proc, sw_src_runnable, sw_src_task, sw_src_task_memory,
	sw_src_template, sw_src_waits;

/* All sources, NULL-terminated, in the order in which they are read. */
extern const struct sw_source *const sw_sources[];

/* Sources of the node that other sources read and no profile has. */
extern const struct sw_source *const sw_hidden_sources[];

#endif
