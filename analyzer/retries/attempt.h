/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An attempt: a run of a job that may be one of several, from its record. */
#ifndef SW_ANALYZER_ATTEMPT_H
#define SW_ANALYZER_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/accounting/job_record.h"

/* All 64-bit, since they are written one after another. */
struct sw_attempt_numbers {
	uint64_t job_id, array_job_id, array_task_id;
	uint64_t submit_seconds, start_seconds, end_seconds;
	uint64_t state; /* enum sw_job_state */
	uint64_t exit_code, signal;
	uint64_t is_out_of_memory; /* by the record of the job or a step */
	uint64_t cpus;
	uint64_t memory_bytes;		    /* allocated per node */
	uint64_t limit_seconds;		    /* or SW_ATTEMPT_UNLIMITED */
	uint64_t core_seconds, mib_seconds; /* allocated, times run time */
	/* Another run of the lineage existed at the same time. */
	uint64_t is_crowded;
};

#define SW_ATTEMPT_UNLIMITED (SW_MISSING - 1)

enum {
	SW_ATTEMPT_NUMBERS =
		sizeof(struct sw_attempt_numbers) / sizeof(uint64_t),
};

struct sw_attempt {
	struct sw_attempt_numbers n;
	uint64_t scratch;    /* temporary, in lineage.c */
	const char *request; /* complete, for comparison */
	const char *step;    /* the first that failed; "" */
	size_t texts_size;
	char texts[]; /* both, with their NULs */
};

/* Return true if the job ran: then it is an attempt. */
bool sw_attempt_is_one(const struct sw_job_record *job);

/* Allocate for free(); NULL (errno ENOMEM). */
struct sw_attempt *sw_attempt_new(const struct sw_job_record *job);

/* Likewise from its parts; NULL (EINVAL) unless texts has two NULs. */
struct sw_attempt *sw_attempt_make(const struct sw_attempt_numbers *numbers,
				   const char *texts, size_t texts_size);

/*
 * Compare by end, then by all else; 0 only if everything but is_crowded is
 * equal.
 */
int sw_attempt_compare(const struct sw_attempt *a, const struct sw_attempt *b);

static inline bool sw_attempt_is_same_job(const struct sw_attempt *a,
					  const struct sw_attempt *b)
{
	return a->n.job_id == b->n.job_id;
}

/* Whether Slurm says so of the job or one of its steps. */
bool sw_job_record_is_out_of_memory(const struct sw_job_record *job);

/* Allocated CPUs, or MiB of memory, times run time; SW_MISSING. */
uint64_t sw_job_record_core_seconds(const struct sw_job_record *job);
uint64_t sw_job_record_mib_seconds(const struct sw_job_record *job);

#endif
