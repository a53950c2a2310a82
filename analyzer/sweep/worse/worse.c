/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of all groups of a night. */
#include "analyzer/sweep/worse/worse.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/sweep/worse/course.h"
#include "analyzer/sweep/worse/nights.h"
#include "analyzer/sweep/worse/shift.h"
#include "common/grow.h"
#include "common/text.h"
#include "common/units.h"

/* Expected share of rows that chance alone explains. */
static const double FALSE_SHARE = 0.01;

struct search {
	struct sw_worses *worses;
	struct sw_course_room *room;
	const struct sw_tally *tally;
	uint64_t night_seconds;
};

static void put_words(struct sw_worse *row, const struct sw_shift *shift)
{
	char one[SW_DIFFERENCE_TEXT];
	size_t i;

	for (i = 0; i < shift->count; i++)
		sw_text_add(row->words, sizeof(row->words), "%s%s",
			    i ? "; " : "",
			    sw_difference_words(one, sizeof(one),
						&shift->worse[i]));
	for (i = 0; i < shift->environment_count && i < SW_WORSE_BESIDE; i++)
		sw_difference_words(row->beside[row->beside_count++],
				    SW_WORSE_TEXT, &shift->environment[i]);
}

/* A key of what other groups may have in common with it. */
static void put_place(struct sw_worse *row, const struct sw_shift *shift,
		      const struct sw_fingerprint *last)
{
	if (*row->node)
		sw_text_add(row->place, sizeof(row->place), "node %s",
			    row->node);
	else if (shift->environment_count > 0 && shift->environment[0].now)
		sw_text_add(row->place, sizeof(row->place), "%d %s",
			    (int)shift->environment[0].kind,
			    shift->environment[0].now);
	else if (shift->is_of_mount)
		sw_text_add(row->place, sizeof(row->place), "mount %s",
			    last->environment.mount);
}

/* The part of this night's jobs that was compared, if it was not the group. */
static void put_size(struct sw_worse *row, const struct search *search,
		     size_t compared)
{
	const struct sw_tally *tally = search->tally;

	row->jobs = tally->n[SW_TALLY_JOBS];
	row->core_seconds = (double)tally->n[SW_TALLY_CORE_USEC] /
			    (double)SW_USEC_PER_SEC;
	if (!*row->node)
		return;
	row->jobs = compared;
	row->core_seconds *=
		(double)compared / (double)tally->sample.count;
}

static int add_row(struct search *search, const struct sw_course *course,
		   const struct sw_shift *shift, const char *node)
{
	struct sw_worses *worses = search->worses;
	struct sw_worse *row;

	if (sw_grow(&worses->items, worses->count, sizeof(*worses->items)) < 0)
		return -1;
	row = &worses->items[worses->count++];
	*row = (struct sw_worse){
		.groups = { search->tally },
		.count = 1,
		.since_seconds = course->runs[shift->first]->night_seconds,
		.difference = shift->worse[0],
		.past_runs = shift->first,
		.past_nights = sw_nights_count(course, 0, shift->first),
		.p = shift->p,
	};
	sw_text_add(row->node, sizeof(row->node), "%s", node);
	sw_text_add(row->program, sizeof(row->program), "%s",
		    shift->worse[0].program ? shift->worse[0].program : "");
	row->difference.program = NULL;
	put_words(row, shift);
	put_place(row, shift, course->prints[course->count - 1]);
	put_size(row, search, course->count - course->first_today);
	return 0;
}

/* The first run on each node that is known. */
static bool is_first_there(const struct sw_course *course, size_t i)
{
	const char *node = course->prints[i]->environment.node;

	while (i > 0) {
		if (!strcmp(course->prints[--i]->environment.node, node))
			return false;
	}
	return *node != '\0';
}

/* Add the node if its runs got worse, and the others did not. */
static int try_node(struct search *search, const struct sw_course *course,
		    const char *node, bool *is_only)
{
	struct sw_course here, elsewhere;
	struct sw_shift shift;
	bool is_evaluated;

	sw_course_on_node(&here, course, node, false);
	if (here.count < 2 * SW_EXPECTED_LEAST || here.count == course->count)
		return 0;
	if (sw_shift_find(&shift, &here, &is_evaluated) < 0)
		return -1;
	search->worses->evaluated_nodes += is_evaluated;
	if (!shift.count)
		return 0;
	sw_course_on_node(&elsewhere, course, node, true);
	if (!sw_nights_lack(&elsewhere, here.runs[shift.first]->night_seconds,
			    &shift.worse[0]))
		return 0;
	*is_only = true;
	return add_row(search, &here, &shift, node);
}

static int try_nodes(struct search *search, const struct sw_course *course,
		     bool *is_only)
{
	size_t i;

	for (i = 0; i < course->count; i++) {
		if (is_first_there(course, i) &&
		    try_node(search, course,
			     course->prints[i]->environment.node, is_only) < 0)
			return -1;
	}
	return 0;
}

static int try_group(struct search *search, const struct sw_trail *trail)
{
	bool is_evaluated, is_only = false;
	struct sw_course course;
	struct sw_shift shift;

	if (trail->count < SW_EXPECTED_LEAST ||
	    trail->count + search->tally->sample.count < 2 * SW_EXPECTED_LEAST)
		return 0;
	sw_course_of(&course, search->room, trail, search->tally,
		     search->night_seconds);
	if (try_nodes(search, &course, &is_only) < 0)
		return -1;
	/* A node alone accounts for what changed in the whole. */
	if (is_only)
		return 0;
	if (sw_shift_find(&shift, &course, &is_evaluated) < 0)
		return -1;
	search->worses->evaluated += is_evaluated;
	return shift.count ? add_row(search, &course, &shift, "") : 0;
}

static int by_p(const void *a, const void *b)
{
	const struct sw_worse *one = a, *two = b;

	return (one->p > two->p) - (one->p < two->p);
}

/* The largest p that remains in rows on nodes, or in the others. */
static double largest_p(const struct sw_worses *worses, bool is_on_node,
			size_t evaluated)
{
	double step = FALSE_SHARE / (double)evaluated, largest = -1;
	size_t rank = 0, i;

	for (i = 0; i < worses->count; i++) {
		const struct sw_worse *row = &worses->items[i];

		if ((*row->node != '\0') == is_on_node &&
		    row->p <= (double)++rank * step)
			largest = row->p;
	}
	return largest;
}

/* Groups and nodes are two families of comparisons. */
static void keep_certain(struct sw_worses *worses)
{
	double most, most_on_node;
	size_t kept = 0, i;

	if (!worses->count)
		return;
	qsort(worses->items, worses->count, sizeof(*worses->items), by_p);
	most = largest_p(worses, false, worses->evaluated);
	most_on_node = largest_p(worses, true, worses->evaluated_nodes);
	for (i = 0; i < worses->count; i++) {
		const struct sw_worse *row = &worses->items[i];

		if (row->p <= (*row->node ? most_on_node : most))
			worses->items[kept++] = *row;
	}
	worses->count = kept;
}

static int search_all(struct search *search, const struct sw_night *night,
		      const struct sw_keyed *trails)
{
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < night->tallies.room; i++) {
		const struct sw_trail *trail;

		search->tally =
			(const struct sw_tally *)night->tallies.slots[i];
		if (!search->tally || search->tally->of != SW_TALLY_GROUP ||
		    !search->tally->sample.count)
			continue;
		trail = sw_trail_find(trails, search->tally);
		if (trail)
			rc = try_group(search, trail);
	}
	return rc;
}

int sw_worse_find(struct sw_worses *worses, const struct sw_night *night,
		  const struct sw_keyed *trails)
{
	struct search search = {
		.worses = worses,
		.room = malloc(sizeof(*search.room)),
		.night_seconds = night->from_seconds,
	};
	int rc = search.room ? 0 : -1;

	*worses = (struct sw_worses){ .count = 0 };
	if (rc == 0)
		rc = search_all(&search, night, trails);
	free(search.room);
	if (rc < 0) {
		sw_worses_fini(worses);
		return -1;
	}
	keep_certain(worses);
	return 0;
}

void sw_worses_fini(struct sw_worses *worses)
{
	free(worses->items);
	*worses = (struct sw_worses){ .count = 0 };
}
