/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels of nights. */
#include "analyzer/sweep/worse/nights.h"

#include <math.h>

#include "advice/sample.h"
#include "analyzer/compare/chance.h"

enum { DAY_SECONDS = 86400, WEEK_DAYS = 7 };

/* Least standard deviation of nights: of logarithms, and of shares. */
static const double LEAST_SPREAD = 0.03, LEAST_SHARE = 0.05;

static bool is_amount(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_LESS ||
	       difference->kind == SW_DIFFERS_MORE;
}

/* Median of known amounts, or share of runs; NAN: none is known. */
static double level_of(const struct sw_course *course, size_t first, size_t end,
		       const struct sw_difference *difference)
{
	double values[SW_COURSE_RUNS], scratch[SW_COURSE_RUNS], sum = 0;
	size_t known = 0, i;

	for (i = first; i < end; i++) {
		values[known] =
			sw_difference_value(course->prints[i], difference);
		if (!isnan(values[known]))
			sum += values[known++];
	}
	if (known == 0)
		return NAN;
	return is_amount(difference)
		       ? sw_sample_median(scratch, values, known)
		       : sum / (double)known;
}

/* In the middle between two levels; of amounts, by their ratio. */
static double middle_of(const struct sw_difference *difference, double one,
			double two)
{
	return is_amount(difference) && one > 0 && two > 0 ? sqrt(one * two)
							   : (one + two) / 2;
}

static bool is_beyond(const struct sw_difference *difference, double level,
		      double limit)
{
	return difference->kind == SW_DIFFERS_LESS ? level < limit
						   : level > limit;
}

static size_t end_of_night(const struct sw_course *course, size_t first)
{
	size_t end = first + 1;

	while (end < course->count && course->runs[end]->night_seconds ==
					      course->runs[first]->night_seconds)
		end++;
	return end;
}

size_t sw_nights_count(const struct sw_course *course, size_t first, size_t end)
{
	size_t nights = 0;

	for (; first < end; first = end_of_night(course, first))
		nights++;
	return nights;
}

size_t sw_nights_first(const struct sw_course *course, uint64_t since_seconds)
{
	size_t first = 0;

	while (first < course->count &&
	       course->runs[first]->night_seconds < since_seconds)
		first++;
	return first;
}

/* Is one of the nights from first on the same day of the week? */
static bool has_weekday(const struct sw_course *course, size_t first,
			uint64_t night_seconds)
{
	uint64_t days;

	if (sw_nights_count(course, first, course->count) >= WEEK_DAYS)
		return false;
	for (; first < course->count; first = end_of_night(course, first)) {
		/* A day may have 23 or 25 hours. */
		days = (course->runs[first]->night_seconds - night_seconds +
			DAY_SECONDS / 2) / DAY_SECONDS;
		if (days % WEEK_DAYS == 0)
			return true;
	}
	return false;
}

/* Were the nights before otherwise? */
static bool were_others(const struct sw_course *course, size_t first,
			const struct sw_difference *difference, double limit)
{
	size_t nights = 0, alike = 0, i;

	for (i = 0; i < first; i = end_of_night(course, i)) {
		double level = level_of(course, i, end_of_night(course, i),
					difference);

		if (isnan(level))
			continue;
		nights++;
		if (!is_beyond(difference, level, limit))
			continue;
		alike++;
		if (has_weekday(course, first, course->runs[i]->night_seconds))
			return false;
	}
	return nights > 0 && alike <= nights / WEEK_DAYS;
}

/*
 * Did it begin in the first night, to judge by the following ones?  (With it,
 * the nights since then may have a level between two.)
 */
static bool begins(const struct sw_course *course, size_t first,
		   const struct sw_difference *difference, double before)
{
	size_t next = end_of_night(course, first);
	double later = level_of(course, next, course->count, difference);
	double level = level_of(course, first, next, difference);

	return isnan(later) || isnan(level) ||
	       is_beyond(difference, level,
			 middle_of(difference, before, later));
}

/* Does it last?  A night or two in between may have been as before. */
static bool lasts(const struct sw_course *course, size_t first,
		  const struct sw_difference *difference, double limit)
{
	size_t nights = 0, alike = 0, i;
	bool is_alike = false;

	for (i = first; i < course->count; i = end_of_night(course, i)) {
		double level = level_of(course, i, end_of_night(course, i),
					difference);

		if (isnan(level))
			continue;
		is_alike = is_beyond(difference, level, limit);
		nights++;
		alike += is_alike;
	}
	return is_alike && nights - alike <= nights / 4;
}

/* Levels of nights, of amounts as logarithms. */
struct levels {
	double sum, squares;
	size_t count;
};

static void gather(struct levels *levels, const struct sw_course *course,
		   size_t first, size_t end,
		   const struct sw_difference *difference)
{
	*levels = (struct levels){ .count = 0 };
	for (; first < end; first = end_of_night(course, first)) {
		double level = level_of(course, first,
					end_of_night(course, first),
					difference);

		if (isnan(level))
			continue;
		if (is_amount(difference))
			level = log(level + 1);
		levels->sum += level;
		levels->squares += level * level;
		levels->count++;
	}
}

/* Sum of squared distances from the mean. */
static double squares_of(const struct levels *levels)
{
	return fmax(0, levels->squares -
			       levels->sum * levels->sum /
				       (double)levels->count);
}

double sw_nights_chance(const struct sw_course *course, size_t first,
			const struct sw_difference *difference)
{
	double least = is_amount(difference) ? LEAST_SPREAD : LEAST_SHARE;
	struct levels before, now;
	double spread, df, far;

	gather(&before, course, 0, first, difference);
	gather(&now, course, first, course->count, difference);
	if (before.count < SW_EXPECTED_LEAST || !now.count)
		return 0;
	df = (double)(before.count + now.count - 2);
	spread = fmax(least, sqrt((squares_of(&before) + squares_of(&now)) /
				  df));
	far = fabs(now.sum / (double)now.count -
		   before.sum / (double)before.count);
	return sw_chance_t(far / (spread * sqrt(1 / (double)now.count +
						1 / (double)before.count)),
			   df);
}

bool sw_nights_confirm(const struct sw_course *course, size_t first,
		       const struct sw_difference *difference)
{
	double before = level_of(course, 0, first, difference);
	double now = level_of(course, first, course->count, difference);
	double limit = middle_of(difference, before, now);

	if (isnan(limit) || !is_beyond(difference, now, limit))
		return false;
	return were_others(course, first, difference, limit) &&
	       begins(course, first, difference, before) &&
	       lasts(course, first, difference, limit);
}

bool sw_nights_lack(const struct sw_course *part, uint64_t since_seconds,
		    const struct sw_difference *difference)
{
	size_t first = sw_nights_first(part, since_seconds);
	double before, now;

	if (first < SW_EXPECTED_LEAST ||
	    part->count - first < SW_EXPECTED_LEAST)
		return false;
	before = level_of(part, 0, first, difference);
	now = level_of(part, first, part->count, difference);
	/* From here on the other runs would have it, too. */
	if (is_amount(difference))
		before *= sqrt(difference->value / difference->usual);
	else
		before += (difference->value - difference->usual) /
			  difference->of / 2;
	return !isnan(now) && !isnan(before) &&
	       !is_beyond(difference, now, before);
}
