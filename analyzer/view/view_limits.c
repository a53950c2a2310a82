/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step: its intervals one by one, their sum, and its phases,
 * which are runs of intervals with the same resource.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "analyzer/view/view_internal.h"
#include "analyzer/view/view_samples.h"
#include "analyzer/view/wait_track.h"
#include "common/step_limits.h"
#include "common/units.h"

/* A phase is at least so long.  Chosen by hand. */
#define PHASE_USEC_MIN (2 * SW_USEC_PER_SEC)

/* Pieces of a run that are joined to phases, at most about so many.  Chosen by
 * hand. */
enum { PIECES = 240 };

/* An interval, or several of them joined, and what limited it. */
struct piece {
	struct sw_step_interval sum;
	enum sw_limited_by resource;	/* known when all are found */
};

/* Pieces of a run as they are found. */
struct pieces {
	const struct sw_view *view;
	struct piece *items;
	size_t count;
	uint64_t width_usec;	/* of one at least */
};

static void add(struct sw_step_interval *to,
		const struct sw_step_interval *from)
{
	int i;

	for (i = 0; i < SW_LIMITS; i++) {
		to->usec[0][i] += from->usec[0][i];
		to->usec[1][i] += from->usec[1][i];
	}
	to->end_usec = from->end_usec;
}

/* Add an interval to the last piece, or where that is wide enough a new one. */
static size_t put_interval(struct piece *pieces, size_t count,
			   uint64_t width_usec,
			   const struct sw_step_interval *interval)
{
	struct sw_step_interval *last = count ? &pieces[count - 1].sum : NULL;

	if (last && last->end_usec == interval->start_usec &&
	    last->end_usec - last->start_usec < width_usec) {
		add(last, interval);
		return count;
	}
	pieces[count].sum = *interval;
	return count + 1;
}

/* Others had the work of some intervals, and are judged themselves. */
static bool take_interval(void *context, const struct sw_step_interval *found)
{
	struct pieces *pieces = context;

	if (sw_spans_meet(&pieces->view->elsewhere, found->start_usec,
			  found->end_usec))
		return false;
	pieces->count = put_interval(pieces->items, pieces->count,
				     pieces->width_usec, found);
	return true;
}

static enum sw_limited_by resource_of(const struct sw_step_interval *sum)
{
	struct sw_bottleneck bottleneck;
	struct sw_view_limits limits;

	sw_limits_settle(sum->usec[0], limits.usec);
	sw_bottleneck_find(&bottleneck, &limits);
	return bottleneck.resource;
}

static void merge(struct piece *to, const struct piece *from)
{
	add(&to->sum, &from->sum);
	to->resource = resource_of(&to->sum);
}

/* Neighbors with the same resource become one. */
static size_t join_same(struct piece *pieces, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		if (kept && pieces[kept - 1].resource == pieces[i].resource)
			merge(&pieces[kept - 1], &pieces[i]);
		else if (kept++ < i)
			pieces[kept - 1] = pieces[i];
	}
	return kept;
}

static uint64_t width(const struct piece *piece)
{
	return piece->sum.end_usec - piece->sum.start_usec;
}

/* The shortest one, by index. */
static size_t shortest(const struct piece *pieces, size_t count)
{
	size_t i, found = 0;

	for (i = 1; i < count; i++) {
		if (width(&pieces[i]) < width(&pieces[found]))
			found = i;
	}
	return found;
}

/* Put one into the longer of those beside it. */
static size_t absorb(struct piece *pieces, size_t count, size_t index)
{
	size_t left = index - 1;

	if (index == 0 || (index + 1 < count &&
			   width(&pieces[index + 1]) > width(&pieces[left])))
		left = index;
	merge(&pieces[left], &pieces[left + 1]);
	memmove(&pieces[left + 1], &pieces[left + 2],
		(count - left - 2) * sizeof(*pieces));
	return count - 1;
}

/* Until each is long enough. */
static size_t join_short(struct piece *pieces, size_t count, double usec_min)
{
	size_t index;

	count = join_same(pieces, count);
	while (count > 1) {
		index = shortest(pieces, count);
		if ((double)width(&pieces[index]) >= usec_min &&
		    count <= SW_PHASES_MAX)
			break;
		count = absorb(pieces, count, index);
		count = join_same(pieces, count);
	}
	return count;
}

static int put_phases(struct sw_view *view, struct piece *pieces, size_t count)
{
	double usec_min = fmax((double)PHASE_USEC_MIN, SW_HARDLY *
			       sw_real_u64(view->elapsed_usec));
	size_t i;

	count = join_short(pieces, count, usec_min);
	view->phases = calloc(count ? count : 1, sizeof(*view->phases));
	if (!view->phases)
		return -1;
	for (i = 0; i < count; i++) {
		struct sw_phase *phase = &view->phases[i];

		phase->start_usec = pieces[i].sum.start_usec;
		phase->end_usec = pieces[i].sum.end_usec;
		sw_limits_settle(pieces[i].sum.usec[0], phase->limits.usec);
	}
	view->phase_count = count;
	return 0;
}

/* Keep the sums of each piece that turn out to be right. */
static void settle(struct pieces *pieces)
{
	size_t i;

	for (i = 0; i < pieces->count; i++) {
		struct sw_step_interval *sum = &pieces->items[i].sum;

		if (pieces->view->workers.take_turns)
			memcpy(sum->usec[0], sum->usec[1],
			       sizeof(sum->usec[0]));
		pieces->items[i].resource = resource_of(sum);
	}
}

static int judge(struct sw_view *view, const struct sw_view_parts *parts,
		 const struct sw_wait_track *waits, struct pieces *pieces)
{
	struct sw_step_limits *limits = calloc(1, sizeof(*limits));
	size_t samples = sw_series_rows(view->cpu.is_by_proc ? &parts->proc :
							       &parts->cpu);
	int rc;

	pieces->items = calloc(samples + 1, sizeof(*pieces->items));
	if (!limits || !pieces->items) {
		free(limits);
		return -1;
	}
	limits->take = take_interval;
	limits->context = pieces;
	rc = sw_view_read_samples(view, parts, waits, limits);
	if (rc == 0) {
		view->workers.take_turns = sw_step_limits_take_turns(limits);
		sw_step_limits_sum(limits, view->limits.usec);
		settle(pieces);
		rc = put_phases(view, pieces->items, pieces->count);
	}
	free(limits);
	return rc;
}

int sw_view_fill_limits(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	struct pieces pieces = {
		.view = view,
		.width_usec = sw_zero_if_missing(view->elapsed_usec) / PIECES,
	};
	struct sw_wait_track waits;
	int rc = -1;

	if (sw_view_is_of_user(view))
		return 0;
	sw_view_fill_workers(view, parts);
	if (sw_wait_track_init(&waits, parts->reader, parts->step_key) == 0) {
		view->workers.at_locks = sw_wait_track_at_locks(&waits);
		view->limits.waits_source = waits.source;
		sw_wait_track_sum(&waits, view->limits.stood_usec);
		rc = judge(view, parts, &waits, &pieces);
	}
	sw_wait_track_fini(&waits);
	free(pieces.items);
	return rc;
}
