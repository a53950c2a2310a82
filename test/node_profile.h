/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles as written by the recorder for a node of a Slurm job: batch (on the
 * first node), steps 0 and 1 with four tasks a node, and extern.
 *
 *	extern   0 s ............................................ 100 s
 *	batch      1 s ......................................... 99 s
 *	step 0          10 s ............ 60 s   4 CPUs, 2 GiB on the first
 *	step 1                      40 s ............ 90 s   1 CPU, 1 GiB
 *
 * On the second node step 0 has 2 CPUs and 1 GiB; there rank 6 of step 1 fails.
 * Each node has its own boot time.
 */
#ifndef SW_TEST_NODE_PROFILE_H
#define SW_TEST_NODE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/missing.h"

struct node_profile {
	uint64_t job_id, array_job_id, array_task_id;	/* SW_MISSING: none */
	uint64_t het_job_id, het_component, restart_count;
	uint64_t uid;
	unsigned node_index, node_count;	/* "n1" is the first */
	uint64_t task_count;		/* of steps 0 and 1, on a node */
	uint64_t later_seconds;		/* offset of 0 s above */
	uint64_t exit_code, signal;	/* of batch; one of them is missing,
					 * both: its end was not seen */
	uint64_t limit_seconds;		/* of the job; SW_MISSING */
	const char *oom_step;		/* step with an OOM kill; NULL */
	unsigned running;	/* programs of step 0, as last seen */
	uint64_t cut_seconds;	/* end of batch, and SIGTERM of step 1; 0 */
	const char *only;		/* such as "batch,0"; NULL: all */
};

/* A job of two nodes, no array, not heterogeneous. */
struct node_profile node_profile_of(uint64_t job_id, unsigned node_index);

/* Return 0, or -1 with *error; is_finished false leaves a .part. */
int node_profile_write(const struct node_profile *node, const char *path,
		       bool is_finished, struct sw_error *error);

#endif
