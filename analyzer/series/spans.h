/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of time intervals, merged if they touch. */
#ifndef SW_ANALYZER_SPANS_H
#define SW_ANALYZER_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sw_span {
	uint64_t start_usec, end_usec;
};

/* Zeroed: empty. */
struct sw_spans {
	struct sw_span *items;
	size_t count;
};

/* Ignores spans with missing start or start after end.  0 or -1 (errno). */
int sw_spans_add(struct sw_spans *spans, uint64_t start_usec,
		 uint64_t end_usec);

/* Add the spans of from, shifted by shift_usec (mod 2^64).  0 or -1 (errno). */
int sw_spans_add_all(struct sw_spans *spans, const struct sw_spans *from,
		     uint64_t shift_usec);

/* Sort and merge touching spans, as required by sw_spans_meet(). */
void sw_spans_join(struct sw_spans *spans);

/* True if any of them overlaps [start, end]. */
bool sw_spans_meet(const struct sw_spans *spans, uint64_t start_usec,
		   uint64_t end_usec);
void sw_spans_fini(struct sw_spans *spans);

#endif
