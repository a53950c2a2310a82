/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step: its intervals one by one, their sum, and its phases,
 * which are runs of intervals with the same resource.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/view_internal.h"
#include "analyzer/view/wait_track.h"
#include "common/delta.h"
#include "common/limits_looks.h"
#include "common/units.h"

/* A phase is at least so long, and so much of the run. */
#define PHASE_USEC_MIN (2 * SW_USEC_PER_SEC)
static const double PHASE_RATIO_MIN = 0.05;

/* Pieces of a run that are joined to phases, at most about so many. */
enum { PIECES = 240 };

/* All that an interval's sight is taken from. */
struct sources {
	const struct sw_view *view;
	double cpus;
	double in_turn;		/* threads that take turns; 0: they do not */
	struct sw_curve ran;	/* workers that ran, by looks at them */
	double last_ran;	/* at the last one; NAN */
	struct sw_curve throttled, periods, io_full, memory_full;
	struct sw_curve received, sent;	/* over the network, in MB/s */
	struct sw_curve read;		/* from disks, in MB/s */
	struct sw_curve refaults;	/* pages of it that had been in memory,
					 * per second */
	struct sw_wait_track waits;
};

/* A piece of the run, of one interval or of several joined. */
struct piece {
	uint64_t start_usec, end_usec;
	double usec[SW_LIMITS];
};

static int rate_of(struct sw_curve *curve, const struct sw_series *series,
		   const char *column)
{
	uint64_t *values = sw_series_sum(series, &column, 1);
	int rc = values ? sw_curve_rate(curve, series, values, 1e-6) : -1;

	free(values);
	return rc;
}

static int open_reads(struct sources *sources,
		      const struct sw_view_parts *parts)
{
	static const char *const refaults[] = { "workingset_refault_file",
						"workingset_refault_anon" };
	bool is_cgroup = sw_series_rows(&parts->io) > 0;
	uint64_t *pages = sw_series_sum(&parts->memory, refaults, 2);
	int rc = pages ? sw_curve_rate(&sources->refaults, &parts->memory,
				       pages, 1) :
			 -1;

	free(pages);
	if (rc < 0)
		return rc;
	return is_cgroup ? rate_of(&sources->read, &parts->io, "rbytes") :
			   rate_of(&sources->read, &parts->proc, "read_bytes");
}

static int open_looks(struct sources *sources,
		      const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.runnable",
					    parts->step_key);
	static const char *const column = "workers_ran";
	uint64_t *values = sw_series_sum(&s, &column, 1);
	int rc = values ? sw_curve_level(&sources->ran, &s, values) : -1;

	free(values);
	sources->last_ran = NAN;
	return rc;
}

static int open_sources(struct sources *sources, const struct sw_view *view,
			const struct sw_view_parts *parts)
{
	struct sw_series net = sw_series_open(parts->reader, "series.net",
					      parts->step_key);
	bool is_above = view->cpu.is_quota_above;

	memset(sources, 0, sizeof(*sources));
	sources->view = view;
	sources->cpus = fmin(view->cpu.allocated_cores,
			     view->cpu.available_cores);
	if (sw_view_takes_turns(view))
		sources->in_turn = (double)view->workers.count;
	if (rate_of(&sources->throttled, &parts->cpu,
		    is_above ? "ancestor.nr_throttled" : "nr_throttled") < 0 ||
	    rate_of(&sources->periods, &parts->cpu,
		    is_above ? "ancestor.nr_periods" : "nr_periods") < 0 ||
	    rate_of(&sources->io_full, &parts->pressure,
		    "io.full.total") < 0 ||
	    rate_of(&sources->memory_full, &parts->pressure,
		    "memory.full.total") < 0 ||
	    rate_of(&sources->received, &net, "rx_bytes") < 0 ||
	    rate_of(&sources->sent, &net, "tx_bytes") < 0 ||
	    open_reads(sources, parts) < 0 ||
	    open_looks(sources, parts) < 0)
		return -1;
	return sw_wait_track_init(&sources->waits, parts->reader,
				  parts->step_key);
}

static void close_sources(struct sources *sources)
{
	sw_curve_fini(&sources->throttled);
	sw_curve_fini(&sources->periods);
	sw_curve_fini(&sources->io_full);
	sw_curve_fini(&sources->memory_full);
	sw_curve_fini(&sources->received);
	sw_curve_fini(&sources->sent);
	sw_curve_fini(&sources->read);
	sw_curve_fini(&sources->refaults);
	sw_curve_fini(&sources->ran);
	sw_wait_track_fini(&sources->waits);
}

/* The busiest of those that it was on. */
static double busy_gpu(const struct sw_view *view, uint64_t start,
		       uint64_t end)
{
	double busiest = NAN;
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		if (view->gpus[i].is_used)
			busiest = fmax(busiest,
				sw_curve_mean(&view->gpus[i].busy, start,
					      end));
	}
	return busiest;
}

/* Whether the step's own traffic filled the link of its node. */
static bool fills_link(const struct sources *sources, uint64_t start,
		       uint64_t end)
{
	const struct sw_view_link *link =
		sw_view_busiest_device(&sources->view->nearby);
	double speed, rate;

	if (!link || !sw_zero_if_missing(link->full_usec))
		return false;
	speed = (double)link->bits_per_sec / 8e6;
	rate = fmax(sw_curve_mean(&sources->received, start, end),
		    sw_curve_mean(&sources->sent, start, end));
	return rate >= SW_LINK_FULL_RATIO * speed;
}

static void look(struct sw_sight *sight, struct sources *sources,
		 uint64_t start, uint64_t end)
{
	const struct sw_view *view = sources->view;
	double ran;

	*sight = (struct sw_sight){
		.cores = sw_curve_mean(&view->cores, start, end),
		.cpu_waits = sw_curve_mean(&view->cpu_waits, start, end),
		.throttled = sw_curve_mean(&sources->throttled, start, end) /
			     sw_curve_mean(&sources->periods, start, end),
		.gpu = busy_gpu(view, start, end),
		.io_full = sw_curve_mean(&sources->io_full, start, end),
		.memory_full = sw_curve_mean(&sources->memory_full, start,
					     end),
		.refaults = sw_curve_mean(&sources->refaults, start, end),
	};
	sight->reread = sight->refaults * sw_view_pages_bytes(view, 1) * 1e-6 /
			sw_curve_mean(&sources->read, start, end);
	sight->cpus = sw_crowd_bound(view->placement.crowded_cpus,
				     sources->cpus, sight->cores);
	sight->knows_bound = view->placement.knows_bound;
	ran = sw_curve_mean(&sources->ran, start, end);
	if (!isnan(ran))
		sources->last_ran = ran;
	if (sw_workers_may_take_turns(sources->last_ran))
		sight->in_turn = sources->in_turn;
	sight->has_waits = sw_wait_track_look(&sources->waits, start, end,
					      sight->idle,
					      &sight->io_threads,
					      &sight->lock_threads);
	if (fills_link(sources, start, end))
		sw_limits_blame_link(sight->idle);
}

static void add(struct piece *to, const struct piece *from)
{
	int i;

	for (i = 0; i < SW_LIMITS; i++)
		to->usec[i] += from->usec[i];
	to->end_usec = from->end_usec;
}

/* Add an interval to the last piece, or where that is wide enough a new one. */
static size_t put_interval(struct piece *pieces, size_t count,
			   uint64_t width_usec, const struct piece *interval)
{
	struct piece *last = count ? &pieces[count - 1] : NULL;

	if (last && last->end_usec == interval->start_usec &&
	    last->end_usec - last->start_usec < width_usec) {
		add(last, interval);
		return count;
	}
	pieces[count] = *interval;
	return count + 1;
}

/*
 * What the intervals of CPU time were limited by, in pieces of a run that are
 * no more than joining them can bear.  How many there are.
 */
static size_t put_pieces(struct piece *pieces, struct sources *sources)
{
	const struct sw_curve *cores = &sources->view->cores;
	uint64_t width_usec = sw_zero_if_missing(
		sources->view->elapsed_usec) / PIECES;
	double share[SW_LIMITS];
	struct sw_sight sight;
	struct piece now;
	size_t i, count = 0;
	int j;

	for (i = 0; i < cores->count; i++) {
		uint64_t start = cores->start_usec[i];
		uint64_t end = cores->end_usec[i];

		/* Others had its work, and are judged themselves. */
		if (isnan(cores->value[i]) ||
		    sw_spans_meet(&sources->view->elsewhere, start, end))
			continue;
		look(&sight, sources, start, end);
		sw_limits_share(&sight, share);
		now = (struct piece){ .start_usec = start, .end_usec = end };
		for (j = 0; j < SW_LIMITS; j++)
			now.usec[j] = share[j] * (double)(end - start);
		count = put_interval(pieces, count, width_usec, &now);
	}
	return count;
}

/* With a reason for what was waited for in a child, as far as looks tell. */
static void put_limits(struct sw_view_limits *limits, const double *usec)
{
	double spread[SW_LIMITS];
	int i;

	memcpy(spread, usec, sizeof(spread));
	sw_limits_spread(spread);
	for (i = 0; i < SW_LIMITS; i++)
		limits->usec[i] = sw_whole_real(spread[i] + 0.5);
}

static const char *resource_of(const struct piece *piece)
{
	struct sw_bottleneck bottleneck;
	struct sw_view_limits limits;

	put_limits(&limits, piece->usec);
	sw_bottleneck_find(&bottleneck, &limits);
	return bottleneck.resource;
}

/* Neighbors with the same resource become one. */
static size_t join_same(struct piece *pieces, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		if (kept && !strcmp(resource_of(&pieces[kept - 1]),
				    resource_of(&pieces[i])))
			add(&pieces[kept - 1], &pieces[i]);
		else
			pieces[kept++] = pieces[i];
	}
	return kept;
}

static uint64_t width(const struct piece *piece)
{
	return piece->end_usec - piece->start_usec;
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
	add(&pieces[left], &pieces[left + 1]);
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
	double usec_min = fmax((double)PHASE_USEC_MIN, PHASE_RATIO_MIN *
			       sw_real_u64(view->elapsed_usec));
	size_t i;

	count = join_short(pieces, count, usec_min);
	view->phases = calloc(count ? count : 1, sizeof(*view->phases));
	if (!view->phases)
		return -1;
	for (i = 0; i < count; i++) {
		struct sw_phase *phase = &view->phases[i];

		phase->start_usec = pieces[i].start_usec;
		phase->end_usec = pieces[i].end_usec;
		put_limits(&phase->limits, pieces[i].usec);
	}
	view->phase_count = count;
	return 0;
}

static int put_all(struct sw_view *view, struct sources *sources)
{
	struct piece *pieces = calloc(view->cores.count + 1, sizeof(*pieces));
	double usec[SW_LIMITS] = { 0 };
	size_t count, i;
	int j, rc = -1;

	if (!pieces)
		return -1;
	count = put_pieces(pieces, sources);
	for (i = 0; i < count; i++) {
		for (j = 0; j < SW_LIMITS; j++)
			usec[j] += pieces[i].usec[j];
	}
	if (count)
		put_limits(&view->limits, usec);
	rc = put_phases(view, pieces, count);
	free(pieces);
	return rc;
}

int sw_view_fill_limits(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	struct sources sources;
	int rc;

	if (sw_view_is_of_user(view))
		return 0;
	sw_view_fill_workers(view, parts);
	rc = open_sources(&sources, view, parts);
	view->workers.at_locks = sw_wait_track_at_locks(&sources.waits);
	view->limits.waits_source = sources.waits.source;
	sw_wait_track_sum(&sources.waits, view->limits.stood_usec);
	if (rc == 0)
		rc = put_all(view, &sources);
	close_sources(&sources);
	return rc;
}
