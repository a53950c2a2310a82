/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Earlier runs of a job, from the history, that this one repeats; a view points
 * to it if the history could be read.
 */
#ifndef SW_ANALYZER_VIEW_PAST_H
#define SW_ANALYZER_VIEW_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_PAST_REQUESTS = 6, SW_PAST_JOB_SIZE = 64 };

struct sw_comparison;
struct sw_origin_told;

/* Zeroed: this run does not repeat any, and is not compared. */
struct sw_view_past {
	size_t earlier;	      /* attempts before this one */
	bool has_more_memory; /* than the previous one, which ran out of it */
	bool is_repeat;	      /* same request and end as the previous one */
	bool is_requeued;     /* same job as the previous one */
	bool is_out_of_memory, has_completed; /* of this run */
	char job_before[SW_PAST_JOB_SIZE];    /* "123_4"; untrusted */
	uint64_t pause_seconds; /* from its end to this submission */
	size_t repeats;		/* number of equal attempts, with this one */
	/* Requests of attempts out of memory, oldest first; of this one. */
	uint64_t requested_bytes[SW_PAST_REQUESTS];
	size_t request_count;
	uint64_t memory_bytes;
	/* Used by the earlier, failed attempts; SW_MISSING. */
	uint64_t core_seconds, mib_seconds;
	/* The job beside past runs of its group; NULL: not compared. */
	const struct sw_comparison *comparison;
	/* What its failure coincides with; NULL: it did not fail. */
	const struct sw_origin_told *origin;
};

#endif
