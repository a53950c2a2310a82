/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job on each node of the cluster that copies the node's summaries to a
 * folder which all of them see, and a job that ends behind all of these.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_GATHER_JOBS_H
#define SW_ANALYZER_SWEEP_GATHER_GATHER_JOBS_H

#include <stdbool.h>

#include "analyzer/nodes/node_names.h"
#include "analyzer/sweep/gather/sbatch.h"

/* A job that did not start within this is removed by Slurm. */
enum { SW_GATHER_DEADLINE_MINUTES = 60 };

struct sw_gather_jobs {
	const char *program; /* stepwell, where all nodes have it */
	const char *folder;  /* with one file of messages for each node */
	/* A node that was left out, in words that are safe to print. */
	void (*complain)(void *context, const char *text);
	void *context;
};

/*
 * Ask sinfo for the nodes, and submit a job for each that can run one; those
 * become the names, to be freed by sw_node_names_fini().  0, or -1 with *error:
 * there is none.
 */
int sw_gather_submit(struct sw_node_names *submitted,
		     const struct sw_gather_jobs *jobs, struct sw_error *error);

/*
 * Submit a job that starts when those of all nodes have ended, and is_waiting:
 * wait for its end.  0 and its number, or -1 with *error.
 */
int sw_gather_submit_end(char job[SW_SBATCH_JOB_SIZE], bool is_waiting,
			 struct sw_error *error);

/*
 * After the end: what each node's job had to say, by complain(); the files of
 * messages are deleted.  How many nodes have not copied all.
 */
size_t sw_gather_messages(const struct sw_node_names *submitted,
			  const struct sw_gather_jobs *jobs);

#endif
