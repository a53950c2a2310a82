/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How counters of the node grew while a step ran: the rows of a source of the
 * node are of no step, so they are cut to the step's time, each interval
 * between two rows by the part of it that the step had.
 */
#ifndef SW_ANALYZER_GROWTH_H
#define SW_ANALYZER_GROWTH_H

#include "analyzer/series/series.h"

enum { SW_GROWTH_COLUMNS_MAX = 32, SW_GROWTH_SUBJECTS_MAX = 256 };

/* Of one subject: a mount, a port; of a source with one row the node. */
struct sw_growth {
	const char *kind, *name, *detail;	/* NULL: not named */
	uint64_t grown[SW_GROWTH_COLUMNS_MAX];	/* SW_MISSING: not known */
	uint64_t last[SW_GROWTH_COLUMNS_MAX];	/* within the time */
	uint64_t smallest[SW_GROWTH_COLUMNS_MAX];
	uint64_t largest[SW_GROWTH_COLUMNS_MAX];
	/* Time in which a column grew faster than at full_ratio of a speed. */
	uint64_t busy_usec;
	double busiest;		/* the largest share of the speed; NAN */
	/* The row before; the caller has no use for it. */
	uint64_t before[SW_GROWTH_COLUMNS_MAX], before_usec;
};

struct sw_growth_query {
	const char *source;		/* "mount": of series.mount */
	const char *const *columns;
	size_t column_count;
	uint64_t start_usec, end_usec;
	/*
	 * The first speed_count columns are bytes, and this column is the
	 * speed of each in bits per second; 0: there is no speed.
	 */
	size_t speed_count, speed_column;
	double full_ratio;
};

struct sw_growths {
	struct sw_growth *items;
	size_t count;
};

/* 0, or -1 with errno ENOMEM.  Free with sw_growths_fini(). */
int sw_growths_init(struct sw_growths *growths, const struct sw_reader *reader,
		    const struct sw_growth_query *query);
void sw_growths_fini(struct sw_growths *growths);

#endif
