/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growth of the node's counters while a step ran.  Rows of node sources belong
 * to no step, so each interval between two rows counts with the part of it that
 * lies in the step's time.
 */
#ifndef SW_ANALYZER_GROWTH_H
#define SW_ANALYZER_GROWTH_H

#include "analyzer/series/series.h"

enum { SW_GROWTH_COLUMNS_MAX = 32, SW_GROWTH_SUBJECTS_MAX = 256 };

/* Counters of a subject (mount, port), or of the node if there is one row. */
struct sw_growth {
	const char *kind, *name, *detail;	/* NULL: unnamed */
	uint64_t grown[SW_GROWTH_COLUMNS_MAX];	/* SW_MISSING: unknown */
	uint64_t last[SW_GROWTH_COLUMNS_MAX];	/* during the time */
	uint64_t smallest[SW_GROWTH_COLUMNS_MAX];
	uint64_t largest[SW_GROWTH_COLUMNS_MAX];
	/* Time in which a column grew faster than full_ratio of the speed. */
	uint64_t busy_usec;
	double busiest;		/* largest share of the speed; NAN */
	/* Previous row; internal. */
	uint64_t before[SW_GROWTH_COLUMNS_MAX], before_usec;
};

struct sw_growth_query {
	const char *source;		/* "mount" for series.mount */
	const char *const *columns;
	size_t column_count;
	uint64_t start_usec, end_usec;
	/*
	 * The first speed_count columns are bytes, and speed_column is the
	 * speed of each in bits per second; 0: no speed.
	 */
	size_t speed_count, speed_column;
	double full_ratio;
};

struct sw_growths {
	struct sw_growth *items;
	size_t count;
};

/* Return 0, or -1 with errno ENOMEM.  Free with sw_growths_fini(). */
int sw_growths_init(struct sw_growths *growths, const struct sw_reader *reader,
		    const struct sw_growth_query *query);
void sw_growths_fini(struct sw_growths *growths);

#endif
