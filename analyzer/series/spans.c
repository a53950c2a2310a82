/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals of time. */
#include "analyzer/series/spans.h"

#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "common/missing.h"

int sw_spans_add(struct sw_spans *spans, uint64_t start_usec, uint64_t end_usec)
{
	if (sw_is_missing(start_usec) || sw_is_missing(end_usec) ||
	    start_usec > end_usec)
		return 0;
	if (sw_grow(&spans->items, spans->count, sizeof(*spans->items)) < 0)
		return -1;
	spans->items[spans->count++] = (struct sw_span){ start_usec, end_usec };
	return 0;
}

int sw_spans_add_all(struct sw_spans *spans, const struct sw_spans *from,
		     uint64_t shift_usec)
{
	size_t i;

	for (i = 0; i < from->count; i++) {
		if (sw_spans_add(spans, from->items[i].start_usec + shift_usec,
				 from->items[i].end_usec + shift_usec) < 0)
			return -1;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct sw_span *one = a, *two = b;

	return (one->start_usec > two->start_usec) -
	       (one->start_usec < two->start_usec);
}

void sw_spans_join(struct sw_spans *spans)
{
	size_t i, kept = 0;

	if (!spans->count)
		return;
	qsort(spans->items, spans->count, sizeof(*spans->items), compare);
	for (i = 1; i < spans->count; i++) {
		struct sw_span *last = &spans->items[kept];
		const struct sw_span *next = &spans->items[i];

		if (next->start_usec > last->end_usec)
			spans->items[++kept] = *next;
		else if (next->end_usec > last->end_usec)
			last->end_usec = next->end_usec;
	}
	spans->count = kept + 1;
}

bool sw_spans_meet(const struct sw_spans *spans, uint64_t start_usec,
		   uint64_t end_usec)
{
	size_t low = 0, high = spans->count, middle;

	/* Find the first that does not end before. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (spans->items[middle].end_usec < start_usec)
			low = middle + 1;
		else
			high = middle;
	}
	return low < spans->count && spans->items[low].start_usec <= end_usec;
}

void sw_spans_fini(struct sw_spans *spans)
{
	free(spans->items);
	memset(spans, 0, sizeof(*spans));
}
