/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job from the profiles of its nodes: each node's steps, the steps over all
 * nodes, and the whole.  Reads files; all else is computed once and kept.
 */
#ifndef SW_ANALYZER_JOB_H
#define SW_ANALYZER_JOB_H

#include "analyzer/trust/judge.h"
#include "analyzer/view/view.h"
#include "common/jobid.h"

/* One profile of a node. */
struct sw_node_file {
	char *path;
	struct sw_reader *reader;
	struct sw_view total;	/* of its steps */
};

/*
 * A node has several files where the job was without a step there for longer
 * than the recorder waits for one.
 */
struct sw_node {
	struct sw_node_file *files;	/* as they were begun */
	size_t file_count;
	struct sw_view *steps;	/* batch, 0, 1, ..., extern */
	size_t step_count;
	size_t seen_count;	/* also those that were left out */
	size_t left_out;	/* beyond SW_VIEW_STEPS_MAX of a file */
	struct sw_spans worked;	/* steps inside the job's, likewise; usec since
				 * the Epoch */
	struct sw_view total;	/* of the steps; that of the only file */
};

/* One step over the nodes that it was seen on. */
struct sw_job_step {
	struct sw_view view;
	const struct sw_view *const *on_nodes;
	size_t node_count;
};

/* A task and the step it is of, on its node. */
struct sw_job_task {
	const struct sw_view *step;
	const struct sw_view_task *task;
};

/* What is known of Slurm's own record of the job. */
enum sw_record {
	SW_RECORD_UNASKED,	/* sacct was not asked */
	SW_RECORD_UNREAD,	/* it could not say */
	SW_RECORD_OPEN,		/* the job has no final state yet */
	SW_RECORD_FINAL,
};

struct sw_job {
	struct sw_node *nodes;	/* by name */
	size_t node_count;
	uint64_t node_expected;	/* of the job or step; missing: not known */
	const struct sw_view **views;	/* all nodes', by step */
	struct sw_job_step *steps;
	size_t step_count;
	size_t component_count; /* of a heterogeneous job, seen; else 1 */
	struct sw_view total;
	struct sw_spans worked;	/* on any node, joined */
	bool is_one_step;	/* the others were left out */
	/* Who found the files may set: those of the job's runs before. */
	const char *const *earlier_paths;
	size_t earlier_count, earlier_runs;
	size_t unread_count;	/* files that could not be read */
	struct sw_error unread;	/* why the first could not */
	enum sw_record record;		/* by analyzer/job/job_record.h */
	char record_state[160];	/* "CANCELLED by 1000"; UNREAD: why */
	struct sw_verdict verdict;	/* of its files the least believed */
	bool lacks_series;	/* of a file: they would have been too large */
};

/* Profiles of one run of one job, and how to read them. */
struct sw_job_files {
	const char *const *paths;
	size_t count;
	const char *step;	/* the one to take; NULL: all */
	struct sw_judge *judge;	/* NULL: all are the reader's own */
	uint64_t uid;		/* whose they have to be; missing: anybody's */
	bool is_named;		/* by who asks: read also what is altered */
	/* Of the decoded values of all; 0: what can be read at all.  Beyond
	 * it a file is read without its series if is_short, else not. */
	size_t values_max_bytes;
	bool is_short;
};

/*
 * Read the profiles of one run of one job, or of components of a heterogeneous
 * one, whose steps have numbers of their own in the whole job; those of one
 * node and component are joined, and a step that two of them have counts once.
 * A file that cannot be read is counted, as long as one can.  0, or -1 with
 * *error and errno, ENOENT where no node has the step.  Free with
 * sw_job_fini(), also after a failure.
 */
int sw_job_read(struct sw_job *job, const struct sw_job_files *files,
		struct sw_error *error);
void sw_job_fini(struct sw_job *job);

/* Whether it is one run without a scheduler: it has its one view. */
bool sw_job_is_plain(const struct sw_job *job);

/* The first file of which bytes were damaged or missing; NULL: none. */
const struct sw_node_file *sw_job_find_damaged(const struct sw_job *job);

/* Steps that were too many, of all nodes. */
size_t sw_job_left_out(const struct sw_job *job);

/* Whether bytes of a file were damaged or missing, a file, or steps. */
bool sw_job_is_partial(const struct sw_job *job);

/* The tasks of a step on all nodes, by rank; NULL without memory (or any). */
struct sw_job_task *sw_job_tasks(const struct sw_job_step *step,
				 size_t *count);

#endif
