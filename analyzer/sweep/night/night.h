/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that is kept of the jobs that ended in a time: tallies, retries, failures
 * and which nodes had summaries.  The same jobs give the same bytes, in any
 * order and however they were divided by their users.
 */
#ifndef SW_ANALYZER_NIGHT_H
#define SW_ANALYZER_NIGHT_H

#include "analyzer/failures/failures.h"
#include "analyzer/records/records.h"
#include "analyzer/retries/retries.h"
#include "analyzer/settings/settings.h"
#include "analyzer/summaries/step_summary.h"
#include "analyzer/sweep/night/tally.h"
#include "common/error.h"

enum { SW_NIGHT_VERSION = 8 };

/* What was left out, for the page to say. */
enum sw_night_note {
	SW_NIGHT_BAD_LINES,	/* of sacct */
	SW_NIGHT_IMPOSSIBLE,	/* values */
	SW_NIGHT_NEVER_STARTED,	/* jobs without a start: cancelled in queue */
	SW_NIGHT_BAD_SUMMARIES,	/* files that could not be read */
	SW_NIGHT_UNNAMED_ROWS,	/* of summaries */
	SW_NIGHT_UNKNOWN_JOBS,	/* of summaries: no record has them */
	SW_NIGHT_NOTES,
};

struct sw_kinds;

struct sw_night {
	uint64_t from_seconds, until_seconds;
	uint64_t shard, shards;	/* 1 of 1; what was merged: 0 */
	struct sw_keyed tallies;
	struct sw_keyed cells;	/* of jobs that are in no tally yet */
	struct sw_keyed names;	/* of named.h, while jobs are added */
	struct sw_retries retries;
	struct sw_failures failures;
	struct sw_keyed nodes;	/* struct sw_night_node */
	uint64_t notes[SW_NIGHT_NOTES];
	struct sw_kinds *kinds;	/* while jobs are added; NULL: no catalogue */
};

struct sw_night_node {
	struct sw_keyed_entry entry;
	bool had_jobs, had_summaries;
	/* Of jobs, but for extern steps: by the scheduler, and by summaries. */
	uint64_t steps, recorded;
	char name[];
};

void sw_night_init(struct sw_night *night, const struct sw_settings *settings);
void sw_night_fini(struct sw_night *night);

/*
 * A job with all of its rows; behind the last one, sw_night_settle().  0, or
 * -1 (errno ENOMEM).
 */
int sw_night_add(struct sw_night *night, const struct sw_job_record *job,
		 const struct sw_step_summary *rows, size_t count,
		 const struct sw_group_rules *rules);

/* All jobs are in the tallies then.  0, or -1 (errno ENOMEM). */
int sw_night_settle(struct sw_night *night);

/* Adds what is known of a node: its file of summaries, jobs, steps. */
int sw_night_add_node(struct sw_night *night, const char *name,
		      const struct sw_night_node *more);

/* Adds all of other, which is as it was.  0, or -1 (ENOMEM): add no more. */
int sw_night_merge(struct sw_night *night, const struct sw_night *other);

/* Nodes with jobs and without summaries, folded; NULL: ENOMEM. */
char *sw_night_nodes_without(const struct sw_night *night, size_t *count,
			     size_t *of);

/*
 * Up to max nodes of whose steps less than half are recorded, the least
 * recorded first.  Returns how many there are in all; 0 if no node has recorded
 * any.
 */
size_t sw_night_unrecorded(const struct sw_night *night,
			   const struct sw_night_node **nodes, size_t max);

/* All that is kept as bytes, allocated; NULL (errno ENOMEM). */
uint8_t *sw_night_write(const struct sw_night *night, size_t *size_bytes);

/*
 * The opposite, of bytes that are not trusted, into one that was initialised.
 * 0, or -1: EINVAL (damaged), ENOTSUP (of another version), ENOMEM.
 */
int sw_night_read(struct sw_night *night, const uint8_t *bytes,
		  size_t size_bytes);

/* The tally of all jobs of a cluster are several; this is of all; or NULL. */
int sw_night_total(const struct sw_night *night, uint64_t n[SW_TALLY_NUMBERS]);

#endif
