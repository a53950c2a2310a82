/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts by number, and their counts for the questions of origin.h. */
#ifndef SW_ANALYZER_ORIGIN_UNITS_H
#define SW_ANALYZER_ORIGIN_UNITS_H

#include "analyzer/failures/failures.h"
#include "analyzer/failures/origin.h"
#include "analyzer/failures/strata.h"

/* Numbers of equal texts; SW_MISSING: not known. */
struct sw_origin_unit {
	uint64_t thing, place[SW_ORIGIN_PLACES];
	double start;
	uint64_t count;
	bool has_failed; /* like the failed run; else it succeeded */
	bool is_retry;	 /* it has failed before, on another node */
};

struct sw_origin_units {
	struct sw_origin_unit own;
	/* In the order of their starts, the failed run not among them. */
	struct sw_origin_unit *same; /* attempts at the same thing */
	size_t same_count;
	/* Runs of other things; a failure of one on a node counts once. */
	struct sw_origin_unit *others;
	size_t other_count;
	uint64_t unalike; /* runs of other things that failed otherwise */
};

/* Return 0, or -1 (ENOMEM); call fini in both cases. */
int sw_origin_units_init(struct sw_origin_units *units,
			 const struct sw_origin_attempt *attempts, size_t count,
			 size_t own);
void sw_origin_units_fini(struct sw_origin_units *units);

static inline bool sw_origin_is_at(const struct sw_origin_unit *a,
				   const struct sw_origin_unit *b,
				   enum sw_origin_place place)
{
	return !sw_is_missing(a->place[place]) &&
	       a->place[place] == b->place[place];
}

/* Both places are known, and differ. */
static inline bool sw_origin_is_apart(const struct sw_origin_unit *a,
				      const struct sw_origin_unit *b,
				      enum sw_origin_place place)
{
	return !sw_is_missing(a->place[place]) &&
	       !sw_is_missing(b->place[place]) &&
	       a->place[place] != b->place[place];
}

static inline void sw_origin_add(struct sw_origin_count *count,
				 const struct sw_origin_unit *unit)
{
	count->of += unit->count;
	if (unit->has_failed)
		count->failed += unit->count;
}

static inline double sw_origin_rate(const struct sw_origin_count *count)
{
	return count->of ? (double)count->failed / (double)count->of : 0;
}

#endif
