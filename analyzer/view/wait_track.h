/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "series.waits", by kind of wait and interval. */
#ifndef SW_ANALYZER_WAIT_TRACK_H
#define SW_ANALYZER_WAIT_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"
#include "profiles/reader.h"

/* Time between two samples. */
struct sw_wait_interval {
	uint64_t start_usec, end_usec;
	uint64_t idle_usec[SW_LIMIT_WAITS];	/* nothing of the step ran */
	uint64_t io_thread_usec, lock_thread_usec; /* summed over threads */
};

struct sw_wait_track {
	const char *source;	/* "bpf", "proc"; NULL without waits */
	struct sw_wait_interval *items;
	size_t count;
};

/* Return 0, or -1 if out of memory. */
int sw_wait_track_init(struct sw_wait_track *track,
		       const struct sw_reader *reader, uint64_t step_key);
void sw_wait_track_fini(struct sw_wait_track *track);

/* Average number of threads waiting for a lock; NAN if unknown. */
double sw_wait_track_at_locks(const struct sw_wait_track *track);

/* Total idle time by kind of wait; the kinds overlap. */
void sw_wait_track_sum(const struct sw_wait_track *track,
		       uint64_t idle_usec[SW_LIMIT_WAITS]);

#endif
