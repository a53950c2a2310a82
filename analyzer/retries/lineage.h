/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All runs that may be attempts at one thing: of one user, job name, folder,
 * comment, and element of an array.  Whether one is a retry of another is told
 * by what changed and by when; a script that was changed cannot be seen, so
 * that nothing is said where only a new script would tell.
 */
#ifndef SW_ANALYZER_LINEAGE_H
#define SW_ANALYZER_LINEAGE_H

#include "analyzer/keyed/keyed.h"
#include "analyzer/retries/attempt.h"

struct sw_retry_settings {
	/* A retry is submitted at most so long after the failure. */
	uint64_t retry_within_seconds;
	/* Sooner than anybody would have changed the script. */
	uint64_t at_once_seconds;
	/* A run that ended longer before another's end was not beside it. */
	uint64_t beside_seconds;
};

extern const struct sw_retry_settings sw_retry_defaults;

struct sw_lineage {
	struct sw_keyed_entry entry;
	struct sw_attempt **attempts; /* its own */
	size_t count;
	bool is_ordered;
	char key[];
};

/* What a key is of; texts of the key. */
struct sw_lineage_names {
	const char *cluster, *user, *folder, *name, *comment, *element;
};

/* The bytes of the key of a job's lineage, allocated; NULL (ENOMEM). */
char *sw_lineage_key(const struct sw_job_record *job, size_t *size);

/*
 * How much of a job's folder stays the same: Nextflow has a new one for each
 * attempt, "work/3f/" and 30 digits, and the task in the job's name.
 */
size_t sw_lineage_folder_size(const char *name, const char *folder);

/* One without attempts; NULL: ENOMEM, or EINVAL where it is no key. */
struct sw_lineage *sw_lineage_new(const char *key, size_t size);
struct sw_lineage_names sw_lineage_names(const struct sw_lineage *lineage);
void sw_lineage_free(struct sw_lineage *lineage);

/* It is the lineage's from then on.  0, or -1 (ENOMEM). */
int sw_lineage_add(struct sw_lineage *lineage, struct sw_attempt *attempt);

/*
 * Puts the attempts in order, each once, and marks those that were not alone.
 * What was marked stays so, however much is forgotten.
 */
void sw_lineage_order(struct sw_lineage *lineage,
		      const struct sw_retry_settings *settings);

/* Why an attempt is a retry of the one before; 0: it is none. */
enum sw_retry_kind {
	SW_RETRY_REQUEUED = 1,	  /* the same job, by Slurm or a person */
	SW_RETRY_MORE_MEMORY = 2, /* after an end for lack of it */
	SW_RETRY_MORE_TIME = 4,	  /* after the time limit */
	SW_RETRY_REPEATED = 8,	  /* the same request, the same end */
	SW_RETRY_NEXT = 16,	  /* the next run, after a retry */
};

/* Of attempt i of an ordered lineage, from what attempt i - 1 was. */
unsigned sw_lineage_kind(const struct sw_lineage *lineage, size_t i,
			 const struct sw_retry_settings *settings);

/*
 * Forgets what can be of no retry, once all that ended before has been added.
 */
void sw_lineage_forget(struct sw_lineage *lineage, uint64_t until_seconds,
		       const struct sw_retry_settings *settings);

#endif
