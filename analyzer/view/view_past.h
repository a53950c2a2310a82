/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the history has of a job's earlier runs that this one tries again; a
 * view points to it where the history could be asked.
 */
#ifndef SW_ANALYZER_VIEW_PAST_H
#define SW_ANALYZER_VIEW_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_PAST_REQUESTS = 6, SW_PAST_JOB_SIZE = 64 };

/* A zeroed one: this run tries nothing again. */
struct sw_view_past {
	size_t earlier;	      /* attempts before this one */
	bool has_more_memory; /* than the one before, which ran out of it */
	bool is_repeat;	      /* of the one before: its request, its end */
	bool is_requeued;     /* the same job as the one before */
	bool is_out_of_memory, has_completed; /* this one */
	char job_before[SW_PAST_JOB_SIZE];    /* "123_4"; hostile */
	uint64_t pause_seconds; /* from that end to this submission */
	size_t repeats;		/* this one and those before it alike */
	/* Of those that ran out of memory, the oldest first; and of this. */
	uint64_t requested_bytes[SW_PAST_REQUESTS];
	size_t request_count;
	uint64_t memory_bytes;
	/* By the earlier ones, which did not complete; SW_MISSING. */
	uint64_t core_seconds, mib_seconds;
};

#endif
