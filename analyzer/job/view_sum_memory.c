/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of several steps by simultaneous use: two steps of 3 GiB in parallel
 * need 6 GiB of their job, and one after the other 3 GiB.
 */
#include <math.h>
#include <stdlib.h>

#include "analyzer/job/view_sum_internal.h"
#include "common/delta.h"

/* Largest sum of a value over steps that ran at the same time. */
static uint64_t overlap_max(const struct sw_view *const *view, size_t count,
			    uint64_t (*value_of)(const struct sw_view *))
{
	struct sw_curve *each = calloc(count, sizeof(*each)), sum;
	const struct sw_curve **curves = calloc(
		count, sizeof(const struct sw_curve *));
	uint64_t *start = calloc(count, sizeof(*start));
	uint64_t *end = calloc(count, sizeof(*end)), max = SW_MISSING;
	double *value = calloc(count, sizeof(*value));
	size_t i;

	for (i = 0; each && curves && start && end && value && i < count;
	     i++) {
		uint64_t bytes = value_of(view[i]);

		start[i] = view[i]->start_usec;
		end[i] = view[i]->end_usec;
		/* A step without an end is still running. */
		if (sw_is_missing(end[i]) && !sw_is_missing(start[i]))
			end[i] = SW_MISSING - 1;
		value[i] = sw_real_u64(bytes);
		each[i] = (struct sw_curve){
			.count = !sw_is_missing(start[i]),
			.start_usec = &start[i], .end_usec = &end[i],
			.value = &value[i],
		};
		curves[i] = &each[i];
	}
	if (i == count && sw_curve_sum(&sum, curves, NULL, count) == 0) {
		max = sw_whole_real(sum.max);
		sw_curve_fini(&sum);
	}
	free(each);
	free(curves);
	free(start);
	free(end);
	free(value);
	return max;
}

static uint64_t peak_of(const struct sw_view *view)
{
	return view->memory.peak_bytes;
}

static uint64_t cache_of(const struct sw_view *view)
{
	return view->memory.cache_bytes;
}

static uint64_t upper_of(const struct sw_view *view)
{
	return view->memory.need_upper_bytes;
}

/* Mapped files that may have been in use. */
static uint64_t mapped_unknown_of(const struct sw_view *view)
{
	return sw_excess_u64(view->memory.floor_bytes,
			     view->memory.need_bytes);
}

static uint64_t mapped_of(const struct sw_view *view)
{
	return view->memory.mapped_bytes;
}

/* An unknown bound of one step makes that of the sum unknown. */
static bool has_all_uppers(const struct sw_view *const *view, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sw_view_memory *memory = &view[i]->memory;

		if (sw_is_missing(memory->need_upper_bytes))
			return false;
	}
	return true;
}

/* Need of the largest step, or of several simultaneous ones. */
static void sum_need(struct sw_view *total, const struct sw_view *const *view,
		     size_t count)
{
	struct sw_view_memory *sum = &total->memory;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sw_view_memory *memory = &view[i]->memory;

		if (sw_is_missing(memory->need_bytes) ||
		    (!sw_is_missing(sum->need_bytes) &&
		     memory->need_bytes <= sum->need_bytes))
			continue;
		sum->need_bytes = memory->need_bytes;
		sum->need_source = memory->need_source;
	}
	sum->step_need_bytes = sum->need_bytes;
	if (!isnan(total->memory_bytes.max) &&
	    total->memory_bytes.max >
		    (double)sw_zero_if_missing(sum->need_bytes)) {
		sum->need_bytes = sw_whole_real(total->memory_bytes.max);
		sum->need_source = "concurrent steps";
	}
	sum->peak_bytes = overlap_max(view, count, peak_of);
	sum->cache_bytes = overlap_max(view, count, cache_of);
	sum->mapped_bytes = overlap_max(view, count, mapped_of);
	sum->floor_bytes = sw_add_u64(sum->need_bytes, sw_zero_if_missing(
		overlap_max(view, count, mapped_unknown_of)));
	if (has_all_uppers(view, count))
		sum->need_upper_bytes = sw_max_u64(
			overlap_max(view, count, upper_of), sum->floor_bytes);
}

static int sum_curve(struct sw_view *total, const struct sw_view *const *view,
		     size_t count)
{
	const struct sw_curve **curves = calloc(
		count, sizeof(const struct sw_curve *));
	size_t i;
	int rc;

	if (!curves)
		return -1;
	for (i = 0; i < count; i++)
		curves[i] = &view[i]->memory_bytes;
	rc = sw_curve_sum(&total->memory_bytes, curves, NULL, count);
	free(curves);
	return rc;
}

int sw_view_sum_memory(struct sw_view *total,
		       const struct sw_view *const *view, size_t count)
{
	if (sum_curve(total, view, count) < 0)
		return -1;
	sum_need(total, view, count);
	return 0;
}

int sw_view_take_memory(struct sw_view *total,
			const struct sw_view *const *view,
			const uint64_t *shift_usec, size_t count)
{
	const struct sw_view_memory sum = total->memory;
	const struct sw_curve *curve;
	size_t i, most = 0;

	for (i = 0; i < count; i++) {
		if (sw_zero_if_missing(view[i]->memory.need_bytes) >
		    sw_zero_if_missing(view[most]->memory.need_bytes))
			most = i;
	}
	total->memory = view[most]->memory;
	total->memory.node = count > 1 ? view[most]->node : NULL;
	for (i = 0; i < count; i++)
		total->memory.floor_bytes = sw_max_u64(
			total->memory.floor_bytes, view[i]->memory.floor_bytes);
	total->memory.oom_kills = sum.oom_kills;
	total->memory.oom_events = sum.oom_events;
	total->memory.limit_hits = sum.limit_hits;
	curve = &view[most]->memory_bytes;
	return sw_curve_sum(&total->memory_bytes, &curve, &shift_usec[most],
			    1);
}
