/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of jobs, added up over the steps and nodes that the recorders'
 * day files have, in the size of a fingerprint for each job.
 */
#ifndef SW_ANALYZER_JOB_PRINTS_H
#define SW_ANALYZER_JOB_PRINTS_H

#include "analyzer/compare/fingerprint.h"
#include "analyzer/keyed/keyed.h"
#include "profiles/reader.h"

/* Zeroed: empty. */
struct sw_job_prints {
	struct sw_keyed jobs;
	struct sw_keyed seen; /* steps on nodes: a file may be read twice */
};

/* Return true if the job is of interest. */
typedef bool (*sw_job_prints_wants)(void *context, const char *cluster,
				    uint64_t job_id);

/*
 * Add the steps of a file, read from path; wants NULL: of all jobs.  Return 0,
 * or -1 (errno ENOMEM).
 */
int sw_job_prints_add(struct sw_job_prints *prints,
		      const struct sw_reader *reader, const char *path,
		      sw_job_prints_wants wants, void *context);

/* A run of a job; steps: rows of steps, on all nodes, that it consists of. */
struct sw_job_print_key {
	const char *cluster;
	uint64_t job_id, restart;
	size_t steps;
};

/*
 * Put the programs, kernel and kind of node of a run into its fingerprint.
 * Nothing is put in where a step's are missing: the sums would be too low.
 */
void sw_job_prints_put(const struct sw_job_prints *prints,
		       const struct sw_job_print_key *key,
		       struct sw_fingerprint *print);

void sw_job_prints_fini(struct sw_job_prints *prints);

#endif
