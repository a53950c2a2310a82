/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a group over the nights, oldest first, to be compared. */
#ifndef SW_ANALYZER_SWEEP_WORSE_COURSE_H
#define SW_ANALYZER_SWEEP_WORSE_COURSE_H

#include "analyzer/compare/compare.h"
#include "analyzer/sweep/night/trail.h"

enum {
	SW_COURSE_NIGHTS = 15, /* with this one */
	SW_COURSE_RUNS = (SW_COURSE_NIGHTS - 1) * SW_TRAIL_RUNS +
			 SW_SAMPLE_RUNS_MAX,
};

struct sw_course_run {
	struct sw_fingerprint print;
	uint64_t night_seconds;
};

struct sw_course {
	const struct sw_course_run *runs[SW_COURSE_RUNS];
	const struct sw_fingerprint *prints[SW_COURSE_RUNS]; /* of the same */
	size_t count;
	size_t first_today; /* index; count: there are none */
};

/* Runs of one group after the other, in the same place. */
struct sw_course_room {
	struct sw_course_run runs[SW_COURSE_RUNS];
};

/* trail NULL: no earlier runs.  The course points into the room. */
void sw_course_of(struct sw_course *course, struct sw_course_room *room,
		  const struct sw_trail *trail, const struct sw_tally *tally,
		  uint64_t night_seconds);

/* Only the runs on this node, or all but those; of unknown nodes: neither. */
void sw_course_on_node(struct sw_course *part, const struct sw_course *course,
		       const char *node, bool is_elsewhere);

#endif
