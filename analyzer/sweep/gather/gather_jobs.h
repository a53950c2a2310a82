/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run a job on each node of the cluster that copies the node's summaries to a
 * folder shared by all nodes, and a job that ends after all of these.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_GATHER_JOBS_H
#define SW_ANALYZER_SWEEP_GATHER_GATHER_JOBS_H

#include <stdbool.h>

#include "analyzer/accounting/node_names.h"
#include "analyzer/sweep/gather/sbatch.h"

/* Slurm removes a job that has not started by then. */
enum { SW_GATHER_DEADLINE_MINUTES = 60 };

struct sw_gather_jobs {
	const char *program; /* path of stepwell on all nodes */
	const char *folder;  /* for a file of messages per node */
	/* Report a node that was left out; the text is safe to print. */
	void (*complain)(void *context, const char *text);
	void *context;
};

/*
 * Ask sinfo for the nodes and submit a job to each that can run one.  Those
 * nodes are put into submitted, which sw_node_names_fini() frees.  Return 0, or
 * -1 with *error if there are none.
 */
int sw_gather_submit(struct sw_node_names *submitted,
		     const struct sw_gather_jobs *jobs, struct sw_error *error);

/*
 * Submit a job that starts when the jobs of all nodes have ended; wait for its
 * end if is_waiting.  Return 0 and the job id, or -1 with *error.
 */
int sw_gather_submit_end(char job[SW_SBATCH_JOB_SIZE], bool is_waiting,
			 struct sw_error *error);

/*
 * After the end, pass the messages of each node's job to complain() and delete
 * the files.  Return the number of nodes that have not copied everything.
 */
size_t sw_gather_messages(const struct sw_node_names *submitted,
			  const struct sw_gather_jobs *jobs);

#endif
