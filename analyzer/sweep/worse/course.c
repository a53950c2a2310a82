/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of a group, from this night and its trail. */
#include "analyzer/sweep/worse/course.h"

#include <string.h>

#include "analyzer/compare/fingerprint_run.h"
#include "common/missing.h"

/* What the recorders say of its programs, and the scheduler of its end. */
static void put_print(struct sw_fingerprint *print,
		      const struct sw_sample_run *run)
{
	struct sw_fingerprint slurms;
	size_t i;

	sw_fingerprint_of_run(&slurms, &run->run);
	*print = slurms;
	if (!run->fingerprint ||
	    sw_fingerprint_decode(print, run->fingerprint,
				  run->fingerprint_size) < 0) {
		*print = slurms;
		return;
	}
	print->state = slurms.state;
	print->exit_code = slurms.exit_code;
	for (i = 0; i < SW_STEP_AMOUNTS; i++) {
		if (sw_is_missing(print->amount[i]))
			print->amount[i] = slurms.amount[i];
	}
}

static void add(struct sw_course *course, struct sw_course_room *room,
		const struct sw_sample_run *run, uint64_t night_seconds)
{
	struct sw_course_run *to = &room->runs[course->count];

	if (course->count == SW_COURSE_RUNS)
		return;
	put_print(&to->print, run);
	to->night_seconds = night_seconds;
	course->prints[course->count] = &to->print;
	course->runs[course->count++] = to;
}

void sw_course_of(struct sw_course *course, struct sw_course_room *room,
		  const struct sw_trail *trail, const struct sw_tally *tally,
		  uint64_t night_seconds)
{
	size_t i;

	course->count = 0;
	for (i = 0; trail && i < trail->count; i++)
		add(course, room, &trail->runs[i].run,
		    trail->runs[i].night_seconds);
	course->first_today = course->count;
	for (i = 0; i < tally->sample.count; i++)
		add(course, room, &tally->sample.items[i], night_seconds);
}

void sw_course_on_node(struct sw_course *part, const struct sw_course *course,
		       const char *node, bool is_elsewhere)
{
	size_t i;

	part->count = 0;
	for (i = 0; i < course->count; i++) {
		const char *own = course->prints[i]->environment.node;

		if (i == course->first_today)
			part->first_today = part->count;
		if (!*own || (strcmp(own, node) != 0) != is_elsewhere)
			continue;
		part->runs[part->count] = course->runs[i];
		part->prints[part->count++] = course->prints[i];
	}
	if (course->first_today == course->count)
		part->first_today = part->count;
}
