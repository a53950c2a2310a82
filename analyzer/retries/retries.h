/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs were retries of others, and what those cost.  Fed with jobs in any
 * order: the same jobs give the same chains and the same bytes, however they
 * were divided by their users.  Whole numbers only.
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

/* settings NULL: the defaults.  It has no memory of its own yet. */
void sw_retries_init(struct sw_retries *retries,
		     const struct sw_retry_settings *settings);
void sw_retries_fini(struct sw_retries *retries);

/* Nothing of the job is kept but what is copied.  0, or -1 (errno ENOMEM). */
int sw_retries_add(struct sw_retries *retries, const struct sw_job_record *job);

/*
 * What a further component of a heterogeneous job had, to the attempt of its
 * first one, if that was added.  0, or -1 (errno ENOMEM).
 */
int sw_retries_add_part(struct sw_retries *retries,
			const struct sw_job_record *job);

/*
 * All jobs that ended before were added: what can be of no retry is forgotten,
 * which changes nothing of what is said.
 */
void sw_retries_settle(struct sw_retries *retries, uint64_t until_seconds);

/* Adds all of other, which is as it was.  0, or -1 (ENOMEM): add no more. */
int sw_retries_merge(struct sw_retries *retries,
		     const struct sw_retries *other);

/* How a chain went out. */
enum sw_retry_outcome {
	SW_RETRY_COMPLETED,
	SW_RETRY_CANCELLED, /* a retry was, by a person */
	SW_RETRY_GIVEN_UP,  /* none followed for a long time */
	SW_RETRY_FAILING,   /* one may follow */
	SW_RETRY_UNKNOWN,   /* others went on beside each other */
};

/* What was allocated, times its time. */
struct sw_retry_cost {
	uint64_t core_seconds, mib_seconds; /* what is known of it */
};

/* Attempts of which each is a retry of the one before. */
struct sw_retry_chain {
	struct sw_lineage_names names;
	struct sw_attempt *const *attempts; /* the oldest first */
	size_t count;			    /* at least 2 */
	unsigned kinds;			    /* of enum sw_retry_kind */
	size_t requeued, more_memory, more_time, repeated; /* how often */
	struct sw_retry_cost lost;    /* by those that did not complete */
	struct sw_retry_cost repeats; /* of these, by repeats of an end */
	enum sw_retry_outcome outcome;
	/*
	 * Of the run that completed after one with less had not: the request
	 * that would have sufficed at first.  SW_MISSING: not known.
	 */
	uint64_t enough_memory_bytes, enough_limit_seconds;
	uint64_t nights_before; /* of a page: one like it was in so many; 0 */
};

struct sw_retry_chains {
	struct sw_retry_chain *items;
	size_t count;
};

/*
 * The chains, by what they lost, the most first.  They point into the retries,
 * which must stay as they are until sw_retry_chains_fini().  now_seconds: up to
 * when jobs were added.  0, or -1 (errno ENOMEM).
 */
int sw_retries_chains(const struct sw_retries *retries, uint64_t now_seconds,
		      struct sw_retry_chains *chains);
void sw_retry_chains_fini(struct sw_retry_chains *chains);

/* All that is kept as bytes, allocated; NULL (errno ENOMEM). */
uint8_t *sw_retries_write(const struct sw_retries *retries, size_t *size_bytes);

/*
 * Adds what was written, which is not trusted.  0, or -1: EINVAL (damaged, or
 * of another version), ENOMEM; some of it may have been added.
 */
int sw_retries_read(struct sw_retries *retries, const uint8_t *bytes,
		    size_t size_bytes);

#endif
