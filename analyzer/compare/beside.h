/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of two runs, or of two sets of runs, side by side, and what past runs
 * had: what every form of a comparison shows.
 */
#ifndef SW_ANALYZER_BESIDE_H
#define SW_ANALYZER_BESIDE_H

#include "analyzer/compare/compare.h"

enum sw_beside_unit {
	SW_BESIDE_COUNT,
	SW_BESIDE_BYTES,
	SW_BESIDE_USEC,
	SW_BESIDE_SHARE, /* 0 to 1 */
	SW_BESIDE_RATIO,
	SW_BESIDE_TEXT,
};

/* In the order in which they are shown. */
enum sw_beside_part {
	SW_BESIDE_RUN,
	SW_BESIDE_LIMITS, /* shares of the time that a resource limited */
	SW_BESIDE_COUNTERS,
	SW_BESIDE_PROGRAMS,
	SW_BESIDE_ENVIRONMENT,
	SW_BESIDE_PARTS
};

struct sw_beside_row {
	enum sw_beside_part part;
	const char *name;    /* "CPU time" */
	const char *program; /* untrusted; NULL: the whole run */
	enum sw_beside_unit unit;
	double a, b; /* of a set the median; NAN: unknown */
	/* For TEXT; untrusted; "": unknown. */
	char text_a[SW_FINGERPRINT_TEXT], text_b[SW_FINGERPRINT_TEXT];
	double least, most; /* in past runs; NAN */
	bool is_equal;	    /* but for rounding */
};

struct sw_beside_set {
	const struct sw_fingerprint *const *runs;
	size_t count;
};

struct sw_beside {
	struct sw_beside_row *rows;
	size_t count;
	size_t past_count;
	uint64_t more_programs; /* not listed in a fingerprint */
	bool has_failed;	/* out of memory */
};

/*
 * Fill the rows that fingerprints have: what the run did, its programs, its
 * environment.  The fingerprints own the names of programs.  Return 0, or -1
 * (errno ENOMEM); free with sw_beside_fini() in both cases.
 */
int sw_beside_init(struct sw_beside *beside, const struct sw_beside_set *a,
		   const struct sw_beside_set *b,
		   const struct sw_beside_set *past);

/* Add a counter, which only views have, unless neither value is known. */
void sw_beside_add(struct sw_beside *beside, const char *name,
		   enum sw_beside_unit unit, double a, double b);

void sw_beside_fini(struct sw_beside *beside);

#endif
