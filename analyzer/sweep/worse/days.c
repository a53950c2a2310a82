/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most different parts of a course, by several numbers of its runs. */
#include "analyzer/sweep/worse/days.h"

#include <math.h>
#include <stdlib.h>

#include "advice/sample.h"
#include "analyzer/sweep/worse/nights.h"
#include "common/missing.h"

/*
 * Nothing below is examined: in standard deviations.  A comparison needs a
 * probability below 1 in 1000, which is 3.3.
 */
static const double LEAST_Z = 2.5;

/* Numbers of a run beside the amounts of its step. */
enum { FAILED = SW_STEP_AMOUNTS, PROGRAM_FAILURES, PROGRAMS, NUMBERS };

/* Values of the runs that have one, with their places in the course. */
struct series {
	double values[SW_COURSE_RUNS];
	size_t at[SW_COURSE_RUNS];
	size_t count;
};

static double program_failures(const struct sw_fingerprint *print)
{
	size_t i;

	if (!print->program_count)
		return NAN;
	for (i = 0; i < print->program_count; i++) {
		if (sw_fingerprint_failures(&print->programs[i]) > 0)
			return 1;
	}
	return 0;
}

static double number_of(const struct sw_fingerprint *print, unsigned which)
{
	const struct sw_difference failed = { .kind = SW_DIFFERS_STATE };
	const struct sw_difference amount = { .kind = SW_DIFFERS_MORE,
					      .amount = which };

	if (which == FAILED)
		return sw_difference_value(print, &failed);
	if (which == PROGRAM_FAILURES)
		return program_failures(print);
	if (which == PROGRAMS)
		return print->program_count ? (double)print->program_count
					    : NAN;
	return sw_difference_value(print, &amount);
}

static void gather(struct series *series, const struct sw_course *course,
		   unsigned which)
{
	size_t i;

	series->count = 0;
	for (i = 0; i < course->count; i++) {
		double value = number_of(course->prints[i], which);

		if (isnan(value))
			continue;
		series->at[series->count] = i;
		series->values[series->count++] = value;
	}
}

static bool is_first_of_night(const struct sw_course *course, size_t i)
{
	return i > 0 && course->runs[i]->night_seconds !=
				course->runs[i - 1]->night_seconds;
}

/*
 * Could it have begun in this run's night?  There are enough nights before it;
 * while there are not so many in all, one.
 */
static bool is_possible(const struct sw_course *course, size_t i)
{
	return i >= SW_EXPECTED_LEAST &&
	       i + SW_EXPECTED_LEAST <= course->count &&
	       is_first_of_night(course, i) &&
	       (sw_nights_count(course, 0, i) >= SW_EXPECTED_LEAST ||
		sw_nights_count(course, 0, course->count) <=
			SW_EXPECTED_LEAST);
}

/* The index in the course of the first run after the largest change, or 0. */
static size_t largest_change(const struct sw_course *course,
			     const struct series *series, const double *ranks)
{
	double n = (double)series->count, sum = 0, largest = LEAST_Z;
	double mean = (n + 1) / 2, variance = 0;
	size_t change = 0, t;

	for (t = 0; t < series->count; t++)
		variance += (ranks[t] - mean) * (ranks[t] - mean) / (n - 1);
	for (t = 1; t < series->count && variance > 0; t++) {
		double before = (double)t, z;

		sum += ranks[t - 1] - mean;
		if (t < SW_EXPECTED_LEAST ||
		    series->count - t < SW_EXPECTED_LEAST ||
		    course->runs[series->at[t]]->night_seconds ==
			    course->runs[series->at[t - 1]]->night_seconds)
			continue;
		z = fabs(sum) / sqrt(variance * before * (n - before) / n);
		if (z > largest) {
			largest = z;
			change = series->at[t];
		}
	}
	return change;
}

/* The first run of that night, also one without a value. */
static size_t first_of_night(const struct sw_course *course, size_t i)
{
	while (!is_first_of_night(course, i))
		i--;
	return i;
}

static size_t add_day(const struct sw_course *course, size_t *days,
		      size_t count, size_t day)
{
	size_t i;

	if (!is_possible(course, day))
		return count;
	for (i = 0; i < count; i++) {
		if (days[i] == day)
			return count;
	}
	days[count] = day;
	return count + 1;
}

/* The night after it, too: a night may be worse by chance. */
static size_t add_days(const struct sw_course *course, size_t *days,
		       size_t count, size_t change)
{
	size_t day = first_of_night(course, change), next = day + 1;

	count = add_day(course, days, count, day);
	while (next < course->count && !is_first_of_night(course, next))
		next++;
	return add_day(course, days, count, next);
}

int sw_days_find(const struct sw_course *course, size_t days[SW_DAYS_MAX],
		 size_t *possible)
{
	struct series series;
	size_t count = 0, change, i;
	double *ranks;
	unsigned which;

	*possible = 0;
	for (i = 0; i < course->count; i++)
		*possible += is_possible(course, i);
	for (which = 0; *possible > 0 && which < NUMBERS; which++) {
		gather(&series, course, which);
		if (series.count < 2 * SW_EXPECTED_LEAST)
			continue;
		ranks = sw_sample_ranks(series.values, series.count);
		if (!ranks)
			return -1;
		change = largest_change(course, &series, ranks);
		free(ranks);
		if (change > 0)
			count = add_days(course, days, count, change);
	}
	return (int)count;
}
