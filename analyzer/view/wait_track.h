/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "series.waits", by kind of wait and interval. */
#ifndef SW_ANALYZER_WAIT_TRACK_H
#define SW_ANALYZER_WAIT_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"
#include "profiles/reader.h"

/* From one look to the next. */
struct sw_wait_interval {
	uint64_t start_usec, end_usec;
	uint64_t idle_usec[SW_LIMIT_WAITS];	/* nothing of the step ran */
	uint64_t io_thread_usec, lock_thread_usec; /* summed over threads */
};

struct sw_wait_track {
	const char *source;	/* "bpf", "proc"; NULL: there are no waits */
	struct sw_wait_interval *items;
	size_t count;
};

/* 0, or -1 without memory. */
int sw_wait_track_init(struct sw_wait_track *track,
		       const struct sw_reader *reader, uint64_t step_key);
void sw_wait_track_fini(struct sw_wait_track *track);

/* Threads that waited for a lock, on average; NAN where nothing is known. */
double sw_wait_track_at_locks(const struct sw_wait_track *track);

/* How long each kind was waited for in all while nothing ran; they overlap. */
void sw_wait_track_sum(const struct sw_wait_track *track,
		       uint64_t idle_usec[SW_LIMIT_WAITS]);

#endif
