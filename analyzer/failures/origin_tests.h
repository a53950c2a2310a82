/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of origin.h, one for each answer; they fill the counts. */
#ifndef SW_ANALYZER_ORIGIN_TESTS_H
#define SW_ANALYZER_ORIGIN_TESTS_H

#include "analyzer/failures/origin_units.h"

/* Started at the same time: elements of an array do within seconds. */
#define SW_ORIGIN_SAME_TIME_SECONDS 5.0
/* Of what is likely, at least this share failed. */
#define SW_ORIGIN_LIKELY_RATIO 0.5

/* Without the correction for the number of answers. */
struct sw_origin_test {
	double p;	  /* 1: nothing speaks for it */
	bool is_possible; /* with these counts it could have been shown */
	bool is_likely;	  /* most that share it failed, too few to show it */
	bool is_met;	  /* the conditions other than p */
};

/* Attempts at the same thing since its last success. */
struct sw_origin_streak {
	double first, last; /* starts of the first and last failure */
	uint64_t again;	    /* failures other than the failed run */
	uint64_t again_at_other[SW_ORIGIN_PLACES]; /* known to be others */
	/* With that of the failed run; 0: not all are known. */
	uint64_t nodes;
	const struct sw_origin_unit *recovery; /* next success, or NULL */
};

struct sw_origin_streak sw_origin_streak(const struct sw_origin_units *units);

struct sw_origin_test
sw_origin_test_input(const struct sw_origin_units *units,
		     const struct sw_origin_streak *streak,
		     struct sw_origin *origin);

/* Return 0, or -1 (ENOMEM). */
int sw_origin_test_place(struct sw_origin_test *test,
			 const struct sw_origin_units *units,
			 const struct sw_origin_streak *streak,
			 enum sw_origin_place place, struct sw_origin *origin);

struct sw_origin_test
sw_origin_test_program(const struct sw_origin_units *units,
		       struct sw_origin *origin);

#endif
