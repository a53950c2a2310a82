/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for counter sources.
 *
 * A source reads one family of kernel counters and is one file (src_*.c) and
 * one row in sources.c.  Its columns become the table "series.<name>" of the
 * profile: first "time_usec" and "step", which the loop fills in; with
 * read_rows, then "subject", the index of the row; then the source's own
 * columns in the order given here.  The table "subjects" names each index once.
 * Copy src_template.c to begin; `make check` needs good/, missing/ and garbage/
 * trees under test/fixtures/sources/<name>/ for each.
 *
 * A source of a step or of its tasks has a state per step, which is opened
 * while the tasks wait to execute.  A source of the node has one state for all
 * steps, is opened with a target that has only proc_fd and sys_fd, and is
 * written once to each job's profile.
 *
 * The loop promises: one thread; open once, then read at most once per period,
 * then close exactly once, also after a failed open; values[] are initialized
 * to SW_MISSING.  A source promises: never to block on a job, to log or to end
 * the process, to allocate nothing after open, and to leave missing what it
 * could not read (ENOENT, ENODEV: the kernel has no such file, or the cgroup
 * was removed).
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

/* A task: one of the Slurm step's on this node, otherwise the command. */
struct sw_target_task {
	pid_t pid;
	uint64_t start_ticks;	/* identifies the process, with pid */
	uint64_t rank;		/* SW_MISSING: none */
	/*
	 * Number of its cgroup task_<n> below the step's, also with v1;
	 * SW_MISSING: none of its own
	 */
	uint64_t cgroup_number;
};

/* Cgroups of the step's job, above the step's own; -1 and none if missing */
struct sw_target_job {
	int cgroup_fd;
	struct sw_cgroup_v1 v1;
};

/* Places to observe a step; fds are -1 if not available */
struct sw_target {
	int cgroup_fd;		/* the step's own cgroup v2 */
	/* Directories in the v1 hierarchies; NULL: none */
	const struct sw_cgroup_v1 *v1;
	const struct sw_target_job *job;	/* NULL: none */
	int proc_fd;		/* /proc, or a recorded tree */
	int sys_fd;		/* /sys, or a recorded tree */
	pid_t root_pid;		/* the command */
	uid_t uid;		/* user of the step ... */
	gid_t gid;		/* ... and the group it was started with */
	uint32_t job_id;	/* with uid, owner of the budget; 0: no job */
	uint64_t step;		/* key of the step in the profile */
	/*
	 * Process tree of the command, refreshed by the loop before each read,
	 * unless programs provides the processes; NULL: not followed
	 */
	struct sw_tree *tree;
	const struct sw_target_task *tasks;
	size_t task_count;
	bool is_late;		/* tasks have already executed */
	struct sw_shared *shared;	/* sources of the node; may be NULL */
	struct sw_programs *programs;	/* NULL: not recorded */
	/*
	 * Location where "waits" publishes its tally, for its users and for the
	 * sampler; may be NULL
	 */
	const struct sw_wait_tally **waits;
};

/* Read interval of a source */
enum sw_cadence {
	SW_EVERY_PERIOD,	/* inexpensive */
	SW_EVERY_TENTH,		/* expensive: each tenth period, and last */
};

struct sw_source {
	const char *name;	/* "cpu"; also the directory of its fixtures */
	const char *backend;	/* "cgroup.v2", "proc" */
	/* Return the backend of the first good read; NULL: there is only one */
	const char *(*find_backend)(const void *state);
	enum sw_scope scope;
	enum sw_cadence cadence;
	/*
	 * Its calls may block, so a helper process makes them, once per second.
	 * For sources of the node only.  is_there checks without blocking
	 * whether that process is needed.
	 */
	bool is_out_of_process;
	bool (*is_there)(void);
	/* Return true if it is wanted, else it is not missed.  NULL: always. */
	bool (*is_wanted)(void);
	const struct sw_column *columns;
	size_t column_count;
	size_t state_size;	/* size of the state, zeroed by the loop */
	/* Number of struct sw_kernfile first in the state, closed for it. */
	size_t file_count;
	enum sw_read_status (*open)(void *state,
				    const struct sw_target *target);
	/* Set one of both: a single row, or up to rows_max rows. */
	enum sw_read_status (*read)(void *state,
				    const struct sw_target *target,
				    uint64_t *values);
	size_t rows_max;
	enum sw_read_status (*read_rows)(void *state,
					 const struct sw_target *target,
					 struct sw_rows *rows);
	/*
	 * Describe the subject of an index, which is fixed for the life of the
	 * state.  Return false if unknown.  NULL: rows have no index.
	 */
	bool (*describe)(void *state, uint64_t index,
			 struct sw_subject *subject);
	/*
	 * Return whether the description has changed; then it is requested
	 * again.  NULL: never.  Not for sources of the node.
	 */
	bool (*is_renamed)(void *state, uint64_t index);
	/*
	 * Optional, with SW_EVERY_TENTH, for sources of a step or its tasks:
	 * called each period to check whether to read it now, before its turn.
	 */
	bool (*is_due)(void *state);
	/*
	 * Reason for absence, as shown in reports: "no Lustre is mounted".  The
	 * loop itself reports steps without a cgroup, or whose cgroup was
	 * removed.
	 */
	const char *absence;
	/*
	 * Alternative with more detail: why it is absent (ABSENT), has ended
	 * (GONE) or is incomplete (OK).  NULL or "": no reason; with OK, it is
	 * complete.  The state is NULL for sources of the node.
	 */
	const char *(*reason)(const void *state, enum sw_read_status status);
	/* NULL: only the files need closing */
	void (*close)(void *state);
};

/* Defined in src_*.c */
extern const struct sw_source
	sw_src_binding, sw_src_counters, sw_src_cpu, sw_src_dram, sw_src_energy, sw_src_gpu,
	sw_src_gpu_amd, sw_src_gpu_pids, sw_src_gpu_process, sw_src_hugetlb,
	sw_src_infiniband, sw_src_interface, sw_src_io, sw_src_job_cpu, sw_src_job_memory,
	sw_src_lustre, sw_src_memory, sw_src_mount, sw_src_net, sw_src_node,
	sw_src_numa, sw_src_papi, sw_src_perf, sw_src_pids, sw_src_pmu, sw_src_pressure,
	sw_src_proc, sw_src_runnable, sw_src_task, sw_src_task_memory,
	sw_src_template, sw_src_waits;

/* All sources, NULL-terminated, in reading order */
extern const struct sw_source *const sw_sources[];

/* Sources of the node used by other sources and not recorded */
extern const struct sw_source *const sw_hidden_sources[];

#endif
