/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/local_time.h"

#include <math.h>
#include <stdbool.h>

/* Changes of the clock are smaller and further apart than this. */
enum { DAY_SECONDS = 86400 };

static long offset_at(time_t seconds)
{
	struct tm local;

	return localtime_r(&seconds, &local) ? local.tm_gmtoff : 0;
}

/* Did clocks show wall at the time that this offset gives? */
static bool was_shown(time_t wall, long offset, time_t *seconds)
{
	*seconds = wall - offset;
	return offset_at(*seconds) == offset;
}

double sw_local_time(const struct tm *tm)
{
	struct tm copy = *tm;
	time_t wall = timegm(&copy), seconds;
	long before = offset_at(wall - DAY_SECONDS);

	/* timegm() cannot fail otherwise. */
	if (wall == (time_t)-1)
		return NAN;
	if (was_shown(wall, before, &seconds) ||
	    was_shown(wall, offset_at(wall + DAY_SECONDS), &seconds))
		return (double)seconds;
	/* Skipped in spring: use the offset before the change. */
	return (double)(wall - before);
}

/* Return the later time at which clocks showed the same, or NAN. */
static double shown_again(double seconds)
{
	double whole = floor(seconds);
	time_t wall, again;

	if (isnan(seconds))
		return NAN;
	wall = (time_t)whole + offset_at((time_t)whole);
	if (!was_shown(wall, offset_at(wall + DAY_SECONDS), &again) ||
	    (double)again <= whole)
		return NAN;
	return (double)again + (seconds - whole);
}

/* Measure how far two times are from a possible pair and from
 * elapsed_seconds. */
static double distance(double submit, double start, double end, double elapsed)
{
	double off = 0;

	if (start < submit)
		off += submit - start;
	if (end < start)
		off += start - end;
	off *= DAY_SECONDS;
	return isnan(end - start - elapsed) ? off :
					      off + fabs(end - start - elapsed);
}

void sw_local_times_settle(double submit_seconds, double *start_seconds,
			   double *end_seconds, double elapsed_seconds)
{
	const double starts[] = { *start_seconds, shown_again(*start_seconds) };
	const double ends[] = { *end_seconds, shown_again(*end_seconds) };
	double least = INFINITY, far;
	int i;

	for (i = 0; i < 4; i++) {
		if ((i & 1 && isnan(starts[1])) || (i & 2 && isnan(ends[1])))
			continue;
		far = distance(submit_seconds, starts[i & 1], ends[i >> 1],
			       elapsed_seconds);
		if (far < least) {
			least = far;
			*start_seconds = starts[i & 1];
			*end_seconds = ends[i >> 1];
		}
	}
}
