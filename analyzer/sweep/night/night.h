/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data kept about jobs that ended in a time: tallies, retries, failures, and
 * nodes with summaries.  The same jobs give the same bytes, in any order and
 * for any division by user.
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

/* Nights of the version before are read, without fingerprints and deadlines. */
enum { SW_NIGHT_VERSION = 10, SW_NIGHT_VERSION_NO_PRINTS = 9 };

/* Omissions, to be listed on the page. */
enum sw_night_note {
	SW_NIGHT_BAD_LINES,	/* from sacct */
	SW_NIGHT_IMPOSSIBLE,	/* impossible values */
	SW_NIGHT_NEVER_STARTED,	/* without a start: cancelled in the queue */
	SW_NIGHT_BAD_SUMMARIES,	/* unreadable files */
	SW_NIGHT_UNNAMED_ROWS,	/* in summaries */
	SW_NIGHT_UNKNOWN_JOBS,	/* in summaries, but not in records */
	SW_NIGHT_NOTES,
};

struct sw_kinds;

struct sw_night {
	uint64_t from_seconds, until_seconds;
	uint64_t shard, shards;	/* 1 of 1; 0 if merged */
	struct sw_keyed tallies;
	struct sw_keyed cells;	/* jobs not yet in tallies */
	struct sw_keyed names;	/* for named.h, while adding jobs */
	struct sw_retries retries;
	struct sw_failures failures;
	struct sw_keyed nodes;	/* struct sw_night_node */
	uint64_t notes[SW_NIGHT_NOTES];
	struct sw_kinds *kinds;	/* while adding jobs; NULL: no catalogue */
};

struct sw_night_node {
	struct sw_keyed_entry entry;
	bool had_jobs, had_summaries;
	/* Steps of jobs without extern: by the scheduler, and by summaries. */
	uint64_t steps, recorded;
	char name[];
};

void sw_night_init(struct sw_night *night, const struct sw_settings *settings);
void sw_night_fini(struct sw_night *night);

/*
 * Add a job with all of its rows; call sw_night_settle() after the last job.
 * Return 0, or -1 (errno ENOMEM).
 */
int sw_night_add(struct sw_night *night, const struct sw_job_record *job,
		 const struct sw_step_summary *rows, size_t count,
		 const struct sw_group_rules *rules);

/* Move all jobs into the tallies.  Return 0, or -1 (errno ENOMEM). */
int sw_night_settle(struct sw_night *night);

/* Add to a node: its file of summaries, jobs, steps. */
int sw_night_add_node(struct sw_night *night, const char *name,
		      const struct sw_night_node *more);

/* Add all of other, which is unchanged.  0, or -1 (ENOMEM): add no more. */
int sw_night_merge(struct sw_night *night, const struct sw_night *other);

/* Nodes with jobs but without summaries, folded; NULL: ENOMEM. */
char *sw_night_nodes_without(const struct sw_night *night, size_t *count,
			     size_t *of);

/*
 * Find up to max nodes of whose steps less than half are recorded, least
 * recorded first.  Return their total number; 0 if no node recorded any step.
 */
size_t sw_night_unrecorded(const struct sw_night *night,
			   const struct sw_night_node **nodes, size_t max);

/* Allocate a serialized copy; NULL (errno ENOMEM). */
uint8_t *sw_night_write(const struct sw_night *night, size_t *size_bytes);

/*
 * Read untrusted bytes into an initialized night.  Return 0, or -1: EINVAL
 * (damaged), ENOTSUP (another version), ENOMEM.
 */
int sw_night_read(struct sw_night *night, const uint8_t *bytes,
		  size_t size_bytes);

/* Sum the tallies of all jobs over clusters. */
int sw_night_total(const struct sw_night *night, uint64_t n[SW_TALLY_NUMBERS]);

#endif
