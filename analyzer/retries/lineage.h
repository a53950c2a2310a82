/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All runs that may be attempts at the same task: same user, job name, folder,
 * comment, and array element.  A retry is recognized by what changed and when;
 * changes of the script are not visible, so cases that only a new script would
 * explain are left out.
 */
#ifndef SW_ANALYZER_LINEAGE_H
#define SW_ANALYZER_LINEAGE_H

#include "analyzer/keyed/keyed.h"
#include "analyzer/retries/attempt.h"

struct sw_retry_settings {
	/* Maximum time from the failure to the submission of a retry. */
	uint64_t retry_within_seconds;
	/* Too quick for anybody to have changed the script. */
	uint64_t at_once_seconds;
	/* A run that ended this long before another's end was not beside it. */
	uint64_t beside_seconds;
};

extern const struct sw_retry_settings sw_retry_defaults;

struct sw_lineage {
	struct sw_keyed_entry entry;
	struct sw_attempt **attempts; /* owned */
	size_t count;
	bool is_ordered;
	char key[];
};

/* Parts of a key; the texts belong to the key. */
struct sw_lineage_names {
	const char *cluster, *user, *folder, *name, *comment, *element;
};

/* Allocate the key of a job's lineage; NULL (ENOMEM). */
char *sw_lineage_key(const struct sw_job_record *job, size_t *size);

/*
 * Return the length of the constant part of a job's folder: Nextflow has a new
 * one per attempt, "work/3f/" and 30 digits, and names the task in the job's
 * name.
 */
size_t sw_lineage_folder_size(const char *name, const char *folder);

/* Allocate without attempts; NULL: ENOMEM, or EINVAL for no valid key. */
struct sw_lineage *sw_lineage_new(const char *key, size_t size);
struct sw_lineage_names sw_lineage_names(const struct sw_lineage *lineage);
void sw_lineage_free(struct sw_lineage *lineage);

/* Takes ownership of the attempt.  Return 0, or -1 (ENOMEM). */
int sw_lineage_add(struct sw_lineage *lineage, struct sw_attempt *attempt);

/*
 * Sort the attempts, drop duplicates, and mark the crowded ones; marks stay
 * after others are forgotten.
 */
void sw_lineage_order(struct sw_lineage *lineage,
		      const struct sw_retry_settings *settings);

/* Why an attempt is a retry of the previous one; 0 if it is not. */
enum sw_retry_kind {
	SW_RETRY_REQUEUED = 1,	  /* same job, by Slurm or a person */
	SW_RETRY_MORE_MEMORY = 2, /* after running out of it */
	SW_RETRY_MORE_TIME = 4,	  /* after the time limit */
	SW_RETRY_REPEATED = 8,	  /* same request, same end */
	SW_RETRY_NEXT = 16,	  /* next run after a retry */
};

/* Kind of attempt i of an ordered lineage, relative to i - 1. */
unsigned sw_lineage_kind(const struct sw_lineage *lineage, size_t i,
			 const struct sw_retry_settings *settings);

/*
 * Forget attempts that no retry can refer to; all that ended before
 * until_seconds was added.
 */
void sw_lineage_forget(struct sw_lineage *lineage, uint64_t until_seconds,
		       const struct sw_retry_settings *settings);

#endif
