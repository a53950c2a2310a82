/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find runs that were retries of others, and their cost.  Jobs may be added in
 * any order: the same jobs give the same chains and the same bytes, for any
 * division by user.  Integers only.
 */
#ifndef SW_ANALYZER_RETRIES_H
#define SW_ANALYZER_RETRIES_H

#include "analyzer/retries/lineage.h"

enum { SW_RETRIES_VERSION = 1 };

struct sw_retries {
	struct sw_keyed lineages;
	struct sw_retry_settings settings;
	uint64_t never_ran; /* jobs that are no attempt */
};

/* settings may be NULL for the defaults.  Does not allocate. */
void sw_retries_init(struct sw_retries *retries,
		     const struct sw_retry_settings *settings);
void sw_retries_fini(struct sw_retries *retries);

/* Copies what it needs of the job.  Return 0, or -1 (errno ENOMEM). */
int sw_retries_add(struct sw_retries *retries, const struct sw_job_record *job);

/*
 * Add a further component of a heterogeneous job to the attempt of its first
 * one, if that was added.  Return 0, or -1 (errno ENOMEM).
 */
int sw_retries_add_part(struct sw_retries *retries,
			const struct sw_job_record *job);

/*
 * All jobs that ended before until_seconds were added: forget what no retry can
 * refer to, which does not change results.
 */
void sw_retries_settle(struct sw_retries *retries, uint64_t until_seconds);

/* Add all of other, which is unchanged.  0, or -1 (ENOMEM): add no more. */
int sw_retries_merge(struct sw_retries *retries,
		     const struct sw_retries *other);

/* End of a chain. */
enum sw_retry_outcome {
	SW_RETRY_COMPLETED,
	SW_RETRY_CANCELLED, /* by a person, in a retry */
	SW_RETRY_GIVEN_UP,  /* no further attempt for long */
	SW_RETRY_FAILING,   /* another attempt may follow */
	SW_RETRY_UNKNOWN,   /* other runs continued beside it */
};

/* Allocated resources, times run time. */
struct sw_retry_cost {
	uint64_t core_seconds, mib_seconds; /* as far as known */
};

/* A sequence of attempts, each a retry of the previous one. */
struct sw_retry_chain {
	struct sw_lineage_names names;
	struct sw_attempt *const *attempts; /* oldest first */
	size_t count;			    /* at least 2 */
	unsigned kinds;			    /* mask of enum sw_retry_kind */
	size_t requeued, more_memory, more_time, repeated; /* counts */
	struct sw_retry_cost lost;    /* by uncompleted attempts */
	struct sw_retry_cost repeats; /* part lost by repeated ends */
	enum sw_retry_outcome outcome;
	/*
	 * Request of a run that completed after runs with less had not: enough
	 * from the start.  SW_MISSING if unknown.
	 */
	uint64_t enough_memory_bytes, enough_limit_seconds;
	uint64_t nights_before; /* previous pages with a similar one; or 0 */
};

struct sw_retry_chains {
	struct sw_retry_chain *items;
	size_t count;
};

/*
 * List the chains, largest loss first.  They point into retries, which must not
 * change until sw_retry_chains_fini().  now_seconds: time up to which jobs were
 * added.  Return 0, or -1 (errno ENOMEM).
 */
int sw_retries_chains(const struct sw_retries *retries, uint64_t now_seconds,
		      struct sw_retry_chains *chains);
void sw_retry_chains_fini(struct sw_retry_chains *chains);

/* Allocate a serialized copy; NULL (errno ENOMEM). */
uint8_t *sw_retries_write(const struct sw_retries *retries, size_t *size_bytes);

/*
 * Add a serialized copy, which is untrusted.  Return 0, or -1: EINVAL (damaged,
 * or another version), ENOMEM; a part may have been added.
 */
int sw_retries_read(struct sw_retries *retries, const uint8_t *bytes,
		    size_t size_bytes);

#endif
