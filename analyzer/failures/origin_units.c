/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Number the texts of attempts, and count retries of other things once. */
#include "analyzer/failures/origin_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 1 + SW_ORIGIN_PLACES };

static const char *text_of(const struct sw_origin_attempt *attempt,
			   size_t which)
{
	return which ? attempt->place[which - 1] : attempt->thing;
}

static uint64_t *number_of(struct sw_origin_unit *unit, size_t which)
{
	return which ? &unit->place[which - 1] : &unit->thing;
}

struct named {
	const char *text;
	size_t at;
};

static int by_text(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	return strcmp(a->text, b->text);
}

static void number_texts(struct sw_origin_unit *units,
			 const struct sw_origin_attempt *attempts, size_t count,
			 size_t which, struct named *room)
{
	uint64_t next = 0;
	size_t i;

	for (i = 0; i < count; i++)
		room[i] = (struct named){ text_of(&attempts[i], which), i };
	qsort(room, count, sizeof(*room), by_text);
	for (i = 0; i < count; i++) {
		if (i > 0 && strcmp(room[i - 1].text, room[i].text) != 0 &&
		    *room[i - 1].text)
			next++;
		*number_of(&units[room[i].at], which) =
			*room[i].text ? next : SW_MISSING;
	}
}

/* After an OOM kill, the status depends on what passed it on. */
static bool is_alike(const struct sw_origin_attempt *a,
		     const struct sw_origin_attempt *own)
{
	return a->state == own->state &&
	       (a->state != SW_RUN_FAILED || a->exit_code == own->exit_code ||
		(isnan(a->exit_code) && isnan(own->exit_code)));
}

static int by_start(const void *left, const void *right)
{
	const struct sw_origin_unit *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static int by_thing(const void *left, const void *right)
{
	const struct sw_origin_unit *a = left, *b = right;

	if (a->thing != b->thing)
		return a->thing < b->thing ? -1 : 1;
	return by_start(left, right);
}

/* True if the thing has failed before, on the node if one is given. */
static bool has_failed_before(const struct sw_origin_unit *units, size_t at,
			      const uint64_t *node)
{
	size_t i;

	for (i = at; i-- > 0 && units[i].thing == units[at].thing;) {
		if (units[i].has_failed &&
		    (!node || units[i].place[SW_ORIGIN_ON_NODE] == *node))
			return true;
	}
	return false;
}

static void drop_retries(struct sw_origin_units *units)
{
	struct sw_origin_unit *others = units->others;
	size_t i, kept = 0;

	if (units->other_count == 0)
		return;
	qsort(others, units->other_count, sizeof(*others), by_thing);
	for (i = 0; i < units->other_count; i++) {
		others[kept] = others[i];
		if (!others[kept].has_failed) {
			kept++;
			continue;
		}
		others[kept].count = 1;
		others[kept].is_retry = has_failed_before(others, kept, NULL);
		kept += !has_failed_before(
			others, kept, &others[kept].place[SW_ORIGIN_ON_NODE]);
	}
	units->other_count = kept;
	qsort(others, kept, sizeof(*others), by_start);
}

/* Things that are not known may be anything, except where they succeeded. */
static void divide(struct sw_origin_units *units,
		   const struct sw_origin_attempt *attempts,
		   struct sw_origin_unit *all, size_t count, size_t own)
{
	size_t i;

	units->own = all[own];
	for (i = 0; i < count; i++) {
		struct sw_origin_unit *unit = &all[i];

		unit->count = attempts[i].count;
		unit->start = attempts[i].start_seconds;
		unit->has_failed = is_alike(&attempts[i], &attempts[own]);
		if (i == own) {
			units->own = *unit;
			continue;
		}
		if (!unit->has_failed && unit->thing != all[own].thing &&
		    sw_origin_is_failure(attempts[i].state))
			units->unalike += unit->count;
		if (isnan(unit->start) ||
		    (!unit->has_failed &&
		     attempts[i].state != SW_RUN_COMPLETED))
			continue;
		if (!sw_is_missing(unit->thing) &&
		    unit->thing == all[own].thing)
			units->same[units->same_count++] = *unit;
		else if (!sw_is_missing(unit->thing) || !unit->has_failed)
			units->others[units->other_count++] = *unit;
	}
}

int sw_origin_units_init(struct sw_origin_units *units,
			 const struct sw_origin_attempt *attempts, size_t count,
			 size_t own)
{
	struct sw_origin_unit *all = calloc(count, sizeof(*all));
	struct named *room = calloc(count, sizeof(*room));
	size_t i;

	*units = (struct sw_origin_units){
		.same = calloc(count, sizeof(*units->same)),
		.others = calloc(count, sizeof(*units->others)),
	};
	if (all && room && units->same && units->others) {
		for (i = 0; i < TEXTS; i++)
			number_texts(all, attempts, count, i, room);
		divide(units, attempts, all, count, own);
		if (units->same_count)
			qsort(units->same, units->same_count,
			      sizeof(*units->same), by_start);
		drop_retries(units);
	}
	i = !all || !room || !units->same || !units->others;
	free(all);
	free(room);
	return i ? -1 : 0;
}

void sw_origin_units_fini(struct sw_origin_units *units)
{
	free(units->same);
	free(units->others);
	*units = (struct sw_origin_units){ 0 };
}
