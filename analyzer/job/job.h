/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job made from the profiles of its nodes: each node's steps, the steps over
 * all nodes, and the whole.  Reading files aside, everything is computed once.
 */
#ifndef SW_ANALYZER_JOB_H
#define SW_ANALYZER_JOB_H

#include "analyzer/trust/judge.h"
#include "analyzer/view/view.h"
#include "common/jobid.h"

/* A profile of a node. */
struct sw_node_file {
	char *path;
	struct sw_reader *reader;
	struct sw_view total;	/* of its steps */
};

/*
 * A node with several files had no step of the job for longer than the recorder
 * waits for one.
 */
struct sw_node {
	struct sw_node_file *files;	/* by start */
	size_t file_count;
	struct sw_view *steps;	/* batch, 0, 1, ..., extern */
	size_t step_count;
	size_t seen_count;	/* includes dropped ones */
	size_t left_out;	/* above SW_VIEW_STEPS_MAX in a file */
	struct sw_spans worked;	/* steps inside the job's, including dropped
				 * ones; usec since the Epoch */
	struct sw_view total;	/* of the steps; equals that of a single file */
};

/* A step over all nodes on which it was seen. */
struct sw_job_step {
	struct sw_view view;
	const struct sw_view *const *on_nodes;
	size_t node_count;
};

/* A task with its step on its node. */
struct sw_job_task {
	const struct sw_view *step;
	const struct sw_view_task *task;
};

/* State of Slurm's own record of the job. */
enum sw_record {
	SW_RECORD_UNASKED,	/* sacct was not asked */
	SW_RECORD_UNREAD,	/* it did not answer */
	SW_RECORD_OPEN,		/* no final state yet */
	SW_RECORD_FINAL,
};

struct sw_job {
	struct sw_node *nodes;	/* sorted by name */
	size_t node_count;
	uint64_t node_expected;	/* of the job or step; missing: unknown */
	const struct sw_view **views;	/* of all nodes, sorted by step */
	struct sw_job_step *steps;
	size_t step_count;
	size_t component_count; /* seen, of a heterogeneous job; otherwise 1 */
	struct sw_view total;
	struct sw_spans worked;	/* on any node, merged */
	bool is_one_step;	/* others were dropped */
	/* Set by callers: files of earlier runs of the job. */
	const char *const *earlier_paths;
	size_t earlier_count, earlier_runs;
	size_t unread_count;	/* unreadable files */
	struct sw_error unread;	/* error of the first */
	enum sw_record record;		/* set by analyzer/job/job_record.h */
	char record_state[160];	/* "CANCELLED by 1000"; if UNREAD, why */
	struct sw_verdict verdict;	/* least trusted of its files */
	bool lacks_series;	/* of a file, too large to read */
};

/* Profiles of one run of a job, and how to read them. */
struct sw_job_files {
	const char *const *paths;
	size_t count;
	const char *step;	/* only this one; NULL: all */
	struct sw_judge *judge;	/* NULL: all belong to the reader */
	uint64_t uid;		/* required user; missing: any */
	bool is_named;		/* by the user: read altered files, too */
	/* Limit on decoded values of all files; 0: as much as possible.  Files
	 * beyond it are read without series if is_short, or not at all. */
	size_t values_max_bytes;
	bool is_short;
};

/*
 * Read the profiles of one run of a job, or of components of a heterogeneous
 * job, whose steps have separate numbers in the whole job.  Those of one node
 * and component are joined, and a step in two of them counts once.  Unreadable
 * files are counted, provided that one is readable.  Return 0, or -1 with
 * *error and errno, ENOENT if no node has the step; free with sw_job_fini() in
 * both cases.
 */
int sw_job_read(struct sw_job *job, const struct sw_job_files *files,
		struct sw_error *error);
void sw_job_fini(struct sw_job *job);

/* True for one run without a scheduler, with a single view. */
bool sw_job_is_plain(const struct sw_job *job);

/* First file with damaged or missing bytes, or NULL. */
const struct sw_node_file *sw_job_find_damaged(const struct sw_job *job);

/* Number of dropped steps on all nodes. */
size_t sw_job_left_out(const struct sw_job *job);

/* True if bytes, a file, or steps are damaged or missing. */
bool sw_job_is_partial(const struct sw_job *job);

/* Let all its views point to what is known of earlier runs; NULL: nothing. */
void sw_job_point_to_past(struct sw_job *job, const struct sw_view_past *past);

/* Tasks of a step on all nodes, by rank; NULL if none, or out of memory. */
struct sw_job_task *sw_job_tasks(const struct sw_job_step *step,
				 size_t *count);

#endif
