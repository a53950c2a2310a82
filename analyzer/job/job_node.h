/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Part of a job on one node: read from a profile, joined with the node's other
 * profiles, then summed.
 */
#ifndef SW_ANALYZER_JOB_NODE_H
#define SW_ANALYZER_JOB_NODE_H

#include "analyzer/job/job.h"

/* Options for opening a profile, and the results. */
struct sw_node_open {
	const struct sw_job_files *files;
	size_t values_max_bytes;
	struct sw_verdict verdict;
	bool lacks_series;
};

/*
 * Read the steps of one profile, or the selected one, without a sum.  Return 0,
 * or -1 with *error and nothing to free.
 */
int sw_node_init(struct sw_node *node, const char *path,
		 struct sw_node_open *open, struct sw_error *error);
void sw_node_fini(struct sw_node *node);

/* Append the contents of from, which becomes empty.  -1: out of memory. */
int sw_node_join(struct sw_node *to, struct sw_node *from);

/* Add data of all nodes to its steps that hold others.  Return 0 or -1. */
int sw_node_know_worked(struct sw_node *node, const struct sw_spans *worked);

/*
 * Merge duplicate steps and add them up; is_all: none was dropped.  Return 0,
 * or -1 with *error.
 */
int sw_node_sum(struct sw_node *node, bool is_all, struct sw_error *error);

/* Name of a node with a step, or "". */
const char *sw_node_name(const struct sw_node *node);

/* For qsort(): nodes by name; views by step. */
int sw_node_compare(const void *a, const void *b);
int sw_node_compare_steps(const void *a, const void *b);

#endif
