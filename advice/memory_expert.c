/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways of foretelling need, one row each. */
#include "advice/memory_expert.h"

#include <math.h>

/* A power of the input beyond these is chance. */
static const double steepest_power = 2;

/* A line through fewer points says nothing, and its errors stay for long. */
static const double least_points = 5;

enum { NEAR_MAX = 16 };

typedef const struct sw_memory_past past_t;
typedef const struct sw_memory_view view_t;
typedef const struct sw_query query_t;

static double largest(past_t *past, view_t *view, query_t *query)
{
	(void)past;
	(void)query;
	return view->largest_bytes;
}

/* Always the same, so that what stays above it is a quantile of the needs. */
static double level(past_t *past, view_t *view, query_t *query)
{
	(void)past;
	(void)view;
	(void)query;
	return 64.0 * 1024 * 1024;
}

static double largest_of_last(past_t *past, view_t *view, size_t count)
{
	double bytes = 0;
	size_t i = view->count;

	while (i > 0 && count-- > 0)
		bytes = fmax(bytes, sw_memory_past_run(past, --i)->need_bytes);
	return bytes;
}

static double last_3(past_t *past, view_t *view, query_t *query)
{
	(void)query;
	return largest_of_last(past, view, 3);
}

static double last_12(past_t *past, view_t *view, query_t *query)
{
	(void)query;
	return largest_of_last(past, view, 12);
}

static double last_48(past_t *past, view_t *view, query_t *query)
{
	(void)query;
	return largest_of_last(past, view, 48);
}

static double slow(past_t *past, view_t *view, query_t *query)
{
	(void)past;
	(void)query;
	return exp(view->slow_log);
}

static double quick(past_t *past, view_t *view, query_t *query)
{
	(void)past;
	(void)query;
	return exp(view->quick_log);
}

/* Between the least and the largest, beyond it only with the input. */
static double clamp(view_t *view, query_t *query, double bytes)
{
	double most = view->largest_bytes;

	if (query->input_bytes > view->largest_input && view->largest_input > 0)
		most *= query->input_bytes / view->largest_input;
	return fmin(fmax(bytes, view->least_bytes), most);
}

static double on_line(past_t *past, view_t *view, query_t *query)
{
	struct sw_line line = sw_line_of(&view->line);

	(void)past;
	if (!(query->input_bytes >= 0) || !(view->line.xx > 0) ||
	    view->line.weight < least_points)
		return NAN;
	return clamp(view, query, sw_line_at(&line, query->input_bytes));
}

static double on_power(past_t *past, view_t *view, query_t *query)
{
	struct sw_line line = sw_line_of(&view->power);

	(void)past;
	if (!(query->input_bytes >= 0) || !(view->power.xx > 0) ||
	    view->power.weight < least_points)
		return NAN;
	line.slope = fmin(fmax(line.slope, 0), steepest_power);
	line.intercept = view->power.y - line.slope * view->power.x;
	return clamp(view, query,
		     exp(sw_line_at(&line, log(query->input_bytes + 1))));
}

/* Needs of the nearest runs, nearest first and among equals newest first. */
struct near {
	double distance[NEAR_MAX], need[NEAR_MAX];
	size_t count;
};

static void take_near(struct near *near, size_t wanted, double distance,
		      double need)
{
	size_t i = near->count;

	if (i == wanted && !(distance < near->distance[i - 1]))
		return;
	if (i == wanted)
		i--;
	else
		near->count++;
	for (; i > 0 && distance < near->distance[i - 1]; i--) {
		near->distance[i] = near->distance[i - 1];
		near->need[i] = near->need[i - 1];
	}
	near->distance[i] = distance;
	near->need[i] = need;
}

static void find_near(past_t *past, view_t *view, double input, size_t wanted,
		      struct near *near)
{
	size_t i;

	near->count = 0;
	for (i = view->count; i-- > sw_memory_view_first(view);) {
		const struct sw_memory_run *run = sw_memory_past_run(past, i);

		if (run->input_bytes >= 0)
			take_near(near, wanted, fabs(run->input_bytes - input),
				  run->need_bytes);
	}
}

static double near_3(past_t *past, view_t *view, query_t *query)
{
	struct near near;
	double bytes = 0;
	size_t i;

	if (!(query->input_bytes >= 0))
		return NAN;
	find_near(past, view, query->input_bytes, 3, &near);
	for (i = 0; i < near.count; i++)
		bytes = fmax(bytes, near.need[i]);
	return bytes > 0 ? bytes : NAN;
}

static double near_12(past_t *past, view_t *view, query_t *query)
{
	struct near near;
	double sum = 0;
	size_t i;

	if (!(query->input_bytes >= 0))
		return NAN;
	find_near(past, view, query->input_bytes, 12, &near);
	for (i = 0; i < near.count; i++)
		sum += near.need[i];
	return near.count ? sum / (double)near.count : NAN;
}

static double same_input(past_t *past, view_t *view, query_t *query)
{
	double bytes = 0;
	size_t i;

	if (!(query->input_bytes >= 0))
		return NAN;
	for (i = view->count; i-- > sw_memory_view_first(view);) {
		const struct sw_memory_run *run = sw_memory_past_run(past, i);

		if (run->input_bytes == query->input_bytes)
			bytes = fmax(bytes, run->need_bytes);
	}
	return bytes > 0 ? bytes : near_3(past, view, query);
}

static double by_request(past_t *past, view_t *view, query_t *query)
{
	(void)past;
	(void)view;
	return query->requested_bytes > 0 ? query->requested_bytes : NAN;
}

const struct sw_memory_expert sw_memory_experts[] = {
	[SW_MEMORY_LARGEST] = { "largest need", false, false, largest },
	[SW_MEMORY_LEVEL] = { "needs", false, false, level },
	{ "largest of the last 3", false, false, last_3 },
	{ "largest of the last 12", false, false, last_12 },
	{ "largest of the last 48", false, false, last_48 },
	{ "moving mean", false, true, slow },
	{ "quick moving mean", false, true, quick },
	{ "line on input size", true, true, on_line },
	{ "power of input size", true, true, on_power },
	{ "largest of 3 with such an input", true, true, near_3 },
	{ "mean of 12 with such an input", true, true, near_12 },
	{ "largest with that input", true, true, same_input },
	{ "share of the request", false, false, by_request },
};

const size_t sw_memory_expert_count =
	sizeof(sw_memory_experts) / sizeof(*sw_memory_experts);

void sw_memory_foretell(const struct sw_memory_past *past,
			const struct sw_memory_view *view,
			const struct sw_query *query, double *foretold)
{
	size_t i;

	for (i = 0; i < SW_MEMORY_EXPERTS_MAX; i++)
		foretold[i] = view->count && i < sw_memory_expert_count ?
			sw_memory_experts[i].foretell(past, view, query) : NAN;
}
