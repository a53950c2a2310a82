/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nights beside nights.  Runs of one night have much in common, such as their
 * inputs, so that a test of runs alone finds a change each night.
 */
#ifndef SW_ANALYZER_SWEEP_WORSE_NIGHTS_H
#define SW_ANALYZER_SWEEP_WORSE_NIGHTS_H

#include "analyzer/sweep/worse/course.h"

/*
 * Is the level of the nights from run number first on, and of the last one,
 * unlike that of the nights before?  No night on the same day of the week may
 * have it, and no more than one in seven of all.
 */
bool sw_nights_confirm(const struct sw_course *course, size_t first,
		       const struct sw_difference *difference);

/*
 * Probability that the levels of nights differ as much by chance, by Student's
 * t; 0: there are fewer than five nights before.
 */
double sw_nights_chance(const struct sw_course *course, size_t first,
			const struct sw_difference *difference);

/* True if the runs of a part have less than half of the difference. */
bool sw_nights_lack(const struct sw_course *part, uint64_t since_seconds,
		    const struct sw_difference *difference);

/* Number of nights that have runs from first on, before end. */
size_t sw_nights_count(const struct sw_course *course, size_t first,
		       size_t end);

/* The first run in this night or later. */
size_t sw_nights_first(const struct sw_course *course, uint64_t since_seconds);

#endif
