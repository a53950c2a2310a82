/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stretches of time, joined where they meet. */
#ifndef SW_ANALYZER_SPANS_H
#define SW_ANALYZER_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sw_span {
	uint64_t start_usec, end_usec;
};

/* A zeroed one is ready. */
struct sw_spans {
	struct sw_span *items;
	size_t count;
};

/* One whose start is missing, or behind its end, is none.  0 or -1 (errno). */
int sw_spans_add(struct sw_spans *spans, uint64_t start_usec,
		 uint64_t end_usec);

/* Those of from, moved by shift_usec, which wraps.  0 or -1 (errno). */
int sw_spans_add_all(struct sw_spans *spans, const struct sw_spans *from,
		     uint64_t shift_usec);

/* By time, and no two that touch: what sw_spans_meet() wants. */
void sw_spans_join(struct sw_spans *spans);

/* Whether one of them has a moment in [start, end]. */
bool sw_spans_meet(const struct sw_spans *spans, uint64_t start_usec,
		   uint64_t end_usec);
void sw_spans_fini(struct sw_spans *spans);

#endif
