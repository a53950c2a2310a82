/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One step's rows of one table, by column name.  What is not there reads as
 * SW_MISSING, so that callers need no second way to be told.
 */
#ifndef SW_ANALYZER_SERIES_H
#define SW_ANALYZER_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/reader.h"

/* In place of a step's key: the rows of all steps. */
#define SW_ALL_STEPS (SW_MISSING - 1)

/* A quantity over time, one value per interval between two samples. */
struct sw_curve {
	size_t count;
	uint64_t *start_usec;	/* CLOCK_BOOTTIME, start of each interval */
	uint64_t *end_usec;
	double *value;		/* NAN where a sample was missing */
	double min, max, mean;	/* over what is not NAN; mean by time; NAN if
				 * there is nothing */
};

/*
 * The shortest stretch of a table that holds all rows of the step; rows of
 * other steps can lie between.  Rows are counted from the stretch's first.
 */
struct sw_series {
	const struct sw_reader_table *table;	/* NULL: no such table */
	size_t first, count;
	const uint64_t *time_usec;		/* NULL: no such column */
	const uint64_t *step;			/* NULL: rows of no step */
	uint64_t step_key;
};

/* The rows of step_key in a table; an empty series if there is none. */
struct sw_series sw_series_open(const struct sw_reader *reader,
				const char *table, uint64_t step_key);

size_t sw_series_rows(const struct sw_series *series);

/* Its rows, or max where there are more. */
size_t sw_series_room(const struct sw_series *series, size_t max);

/* Where its values come from, "cgroup.v2"; NULL where there is no table. */
const char *sw_series_source(const struct sw_series *series);

/* Whether a row is the step's: those of tables without steps are. */
bool sw_series_is_ours(const struct sw_series *series, size_t row);

/*
 * A numeric column from the first row of the stretch on, for who walks all of
 * it: rows of other steps lie between.  NULL: there is none.
 */
const uint64_t *sw_series_numbers(const struct sw_series *series,
				  const char *column);

/* One cell; missing for rows of other steps and for text columns. */
uint64_t sw_series_at(const struct sw_series *series, size_t row,
		      const char *column);

/* The same for texts; NULL for what is missing. */
const char *sw_series_text(const struct sw_series *series, size_t row,
			   const char *column);
/* The last text of the step. */
const char *sw_series_last_text(const struct sw_series *series,
				const char *column);

uint64_t sw_series_max(const struct sw_series *series, const char *column);
uint64_t sw_series_last(const struct sw_series *series, const char *column);

/*
 * Growth of a counter over the series; a reset starts a new stretch.  Rows
 * that do not go forward in time are left out.
 */
uint64_t sw_series_growth(const struct sw_series *series, const char *column);

/*
 * Sum of several columns in each row, as an array of sw_series_rows() that
 * the caller frees; a row's sum is missing where one of them is.  NULL
 * without memory.
 */
uint64_t *sw_series_sum(const struct sw_series *series,
			const char *const *columns, size_t count);

/*
 * Curve of values[] (one per row): the level at each interval's end, or for a
 * counter its growth per second times scale.  Rows that do not go forward in
 * time are left out.  0, or -1 with errno ENOMEM.
 */
int sw_curve_level(struct sw_curve *curve, const struct sw_series *series,
		   const uint64_t *values);
int sw_curve_rate(struct sw_curve *curve, const struct sw_series *series,
		  const uint64_t *values, double scale);
void sw_curve_fini(struct sw_curve *curve);

/*
 * The sum of curves by time, each moved by its shift (NULL: none); what is
 * NAN or not there adds nothing.  0, or -1 with errno ENOMEM.
 */
int sw_curve_sum(struct sw_curve *sum, const struct sw_curve *const *curves,
		 const uint64_t *shift_usec, size_t count);

/* Mean of a curve over [start, end]; NAN where it has nothing there. */
double sw_curve_mean(const struct sw_curve *curve, uint64_t start,
		     uint64_t end);

/* Room for rows intervals, zeroed; minimum, maximum and mean of a curve. */
int sw_curve_reserve(struct sw_curve *curve, size_t rows);
void sw_curve_summarise(struct sw_curve *curve);

#endif
