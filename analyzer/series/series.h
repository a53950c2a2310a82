/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step's rows of one table, by column name.  Missing data reads as
 * SW_MISSING, so that callers need no other check.
 */
#ifndef SW_ANALYZER_SERIES_H
#define SW_ANALYZER_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/reader.h"

/* Used as step key: rows of all steps. */
#define SW_ALL_STEPS (SW_MISSING - 1)

/* A quantity over time, with one value per interval between samples. */
struct sw_curve {
	size_t count;
	uint64_t *start_usec;	/* CLOCK_BOOTTIME, start of each interval */
	uint64_t *end_usec;
	double *value;		/* NAN if a sample is missing */
	double min, max, mean;	/* excluding NAN; time-weighted mean; NAN if
				 * there is no value */
	bool is_shared;		/* the arrays are those of another curve */
};

/*
 * The shortest range of rows in a table with all rows of the step; rows of
 * other steps may lie in between.  Row numbers count from the range's first.
 */
struct sw_series {
	const struct sw_reader_table *table;	/* NULL: no such table */
	size_t first, count;
	const uint64_t *time_usec;		/* NULL: no such column */
	const uint64_t *step;			/* NULL: not by step */
	uint64_t step_key;
};

/* The rows of step_key in a table; empty if there are none. */
struct sw_series sw_series_open(const struct sw_reader *reader,
				const char *table, uint64_t step_key);

size_t sw_series_rows(const struct sw_series *series);

/* Number of rows, at most max. */
size_t sw_series_room(const struct sw_series *series, size_t max);

/* Source of its values, "cgroup.v2"; NULL without table. */
const char *sw_series_source(const struct sw_series *series);

/* True if the row is the step's; always true for tables without steps. */
static inline bool sw_series_is_ours(const struct sw_series *series, size_t row)
{
	return !series->step || series->step_key == SW_ALL_STEPS ||
	       series->step[row] == series->step_key;
}

/*
 * Return a numeric column from the first row of the range on; callers have to
 * skip rows of other steps.  NULL if there is none.
 */
const uint64_t *sw_series_numbers(const struct sw_series *series,
				  const char *column);

/* A value of such a column; missing for rows of other steps. */
static inline uint64_t sw_series_cell(const struct sw_series *series,
				      const uint64_t *numbers, size_t row)
{
	return numbers && sw_series_is_ours(series, row) ? numbers[row] :
							   SW_MISSING;
}

/*
 * A value; missing for rows of other steps and for text columns.  The column is
 * looked up by name: walks over samples use sw_series_cell().
 */
uint64_t sw_series_at(const struct sw_series *series, size_t row,
		      const char *column);

/* Likewise for texts; NULL if missing. */
const char *sw_series_text(const struct sw_series *series, size_t row,
			   const char *column);
/* Last text of the step. */
const char *sw_series_last_text(const struct sw_series *series,
				const char *column);

uint64_t sw_series_max(const struct sw_series *series, const char *column);
uint64_t sw_series_last(const struct sw_series *series, const char *column);

/*
 * Return the growth of a counter over the series, continuing after a reset.
 * Rows that do not advance in time are skipped.
 */
uint64_t sw_series_growth(const struct sw_series *series, const char *column);

/*
 * Sum several columns in each row, into an array of sw_series_rows() that the
 * caller frees; a sum is missing if any part is.  NULL if out of memory.
 */
uint64_t *sw_series_sum(const struct sw_series *series,
			const char *const *columns, size_t count);

/*
 * Make a curve of values[] (one per row): the level at each interval's end, or
 * for a counter its growth per second times scale.  Rows that do not advance in
 * time are skipped.  Return 0, or -1 with errno ENOMEM.
 */
int sw_curve_level(struct sw_curve *curve, const struct sw_series *series,
		   const uint64_t *values);
int sw_curve_rate(struct sw_curve *curve, const struct sw_series *series,
		  const uint64_t *values, double scale);
void sw_curve_fini(struct sw_curve *curve);

/*
 * Sum curves over time, each moved by its shift (NULL: none); NAN and gaps add
 * nothing.  The sum of one curve may share its arrays, which have to live
 * longer.  Return 0, or -1 with errno ENOMEM.
 */
int sw_curve_sum(struct sw_curve *sum, const struct sw_curve *const *curves,
		 const uint64_t *shift_usec, size_t count);

/* Mean of a curve over [start, end]; NAN if it has no values there. */
double sw_curve_mean(const struct sw_curve *curve, uint64_t start,
		     uint64_t end);

/* Allocate rows intervals; compute minimum, maximum and mean of a curve. */
int sw_curve_reserve(struct sw_curve *curve, size_t rows);
void sw_curve_summarise(struct sw_curve *curve);

#endif
