/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A node's part of a job: read from one profile, joined with those of its
 * other profiles, then summed.
 */
#ifndef SW_ANALYZER_JOB_NODE_H
#define SW_ANALYZER_JOB_NODE_H

#include "analyzer/job/job.h"

/* How a profile is opened, and what was found. */
struct sw_node_open {
	const struct sw_job_files *files;
	size_t values_max_bytes;
	struct sw_verdict verdict;
	bool lacks_series;
};

/*
 * The steps of one profile, or the one step of them; without a sum.  0, or -1
 * with *error and nothing to free.
 */
int sw_node_init(struct sw_node *node, const char *path,
		 struct sw_node_open *open, struct sw_error *error);
void sw_node_fini(struct sw_node *node);

/* Append what from has, and leave nothing in it.  -1: no memory. */
int sw_node_join(struct sw_node *to, struct sw_node *from);

/* What is known of all nodes, to its steps that hold others.  0 or -1. */
int sw_node_know_worked(struct sw_node *node, const struct sw_spans *worked);

/*
 * Take each step once and add them up; is_all: none was left out.  0, or -1
 * with *error.
 */
int sw_node_sum(struct sw_node *node, bool is_all, struct sw_error *error);

/* Of a node with a step; "": not known. */
const char *sw_node_name(const struct sw_node *node);

/* For qsort(): nodes by name; views by step. */
int sw_node_compare(const void *a, const void *b);
int sw_node_compare_steps(const void *a, const void *b);

#endif
