/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictors of need, one row each. */
#include "advice/memory_expert.h"

#include <math.h>

/* A larger power of the input is chance. */
static const double steepest_power = 2;

/* A line through fewer points predicts nothing, and its errors persist. */
static const double least_points = 5;

typedef struct sw_memory_ground ground_t;

static double largest(ground_t *ground)
{
	return ground->view->largest_bytes;
}

/* Constant, so that a margin above it is a quantile of the needs. */
static double level(ground_t *ground)
{
	(void)ground;
	return 64.0 * 1024 * 1024;
}

static double largest_of_last(ground_t *ground, size_t count)
{
	double bytes = 0;
	size_t i = ground->view->count;

	while (i > 0 && count-- > 0)
		bytes = fmax(bytes, sw_memory_past_run(ground->past,
						       --i)->need_bytes);
	return bytes;
}

static double last_3(ground_t *ground)
{
	return largest_of_last(ground, 3);
}

static double last_12(ground_t *ground)
{
	return largest_of_last(ground, 12);
}

static double last_48(ground_t *ground)
{
	return largest_of_last(ground, 48);
}

static double slow(ground_t *ground)
{
	return exp(ground->view->slow_log);
}

static double quick(ground_t *ground)
{
	return exp(ground->view->quick_log);
}

/* Keep within the observed needs; exceed them only with the input. */
static double clamp(ground_t *ground, double bytes)
{
	const struct sw_memory_view *view = ground->view;
	double input = ground->query->input_bytes, most = view->largest_bytes;

	if (input > view->largest_input && view->largest_input > 0)
		most *= input / view->largest_input;
	return fmin(fmax(bytes, view->least_bytes), most);
}

static double on_line(ground_t *ground)
{
	const struct sw_line_sums *sums = &ground->view->line;
	struct sw_line line = sw_line_of(sums);
	double input = ground->query->input_bytes;

	if (!(input >= 0) || !(sums->xx > 0) || sums->weight < least_points)
		return NAN;
	return clamp(ground, sw_line_at(&line, input));
}

static double on_power(ground_t *ground)
{
	const struct sw_line_sums *sums = &ground->view->power;
	struct sw_line line = sw_line_of(sums);
	double input = ground->query->input_bytes;

	if (!(input >= 0) || !(sums->xx > 0) || sums->weight < least_points)
		return NAN;
	line.slope = fmin(fmax(line.slope, 0), steepest_power);
	line.intercept = sums->y - line.slope * sums->x;
	return clamp(ground, exp(sw_line_at(&line, log(input + 1))));
}

/* Is it nearer than the i-th, or as near and newer? */
static bool is_before(const struct sw_memory_near *near, size_t i,
		      double distance, size_t index)
{
	return distance < near->distance[i] ||
		(distance == near->distance[i] && index > near->index[i]);
}

static void take_near(struct sw_memory_near *near, double distance,
		      double need, size_t index)
{
	size_t i = near->count;

	if (distance == 0 && need > near->largest_of_same)
		near->largest_of_same = need;
	if (i < SW_MEMORY_NEAR)
		near->count++;
	else if (!is_before(near, --i, distance, index))
		return;
	for (; i > 0 && is_before(near, i - 1, distance, index); i--) {
		near->distance[i] = near->distance[i - 1];
		near->need[i] = near->need[i - 1];
		near->index[i] = near->index[i - 1];
	}
	near->distance[i] = distance;
	near->need[i] = need;
	near->index[i] = index;
}

/* Search outwards from the input, nearer side first. */
static void find_near(ground_t *ground)
{
	const struct sw_memory_past *past = ground->past;
	const struct sw_memory_view *view = ground->view;
	double input = ground->query->input_bytes;
	struct sw_memory_near *near = &ground->near;
	size_t above = sw_memory_past_find_input(past, input), below = above;

	while (below > 0 || above < past->input_count) {
		double down = below > 0 ?
			input - past->inputs[below - 1].input_bytes : INFINITY;
		double up = above < past->input_count ?
			past->inputs[above].input_bytes - input : INFINITY;
		size_t index = past->inputs[up < down ? above++ :
						        --below].index;

		if (near->count == SW_MEMORY_NEAR &&
		    fmin(up, down) > near->distance[SW_MEMORY_NEAR - 1])
			return;
		if (index < view->count && index >= sw_memory_view_first(view))
			take_near(near, fmin(up, down),
				  sw_memory_past_run(past, index)->need_bytes,
				  index);
	}
}

static const struct sw_memory_near *near_of(ground_t *ground)
{
	if (!ground->near.is_known && ground->view->line.weight > 0 &&
	    ground->query->input_bytes >= 0)
		find_near(ground);
	ground->near.is_known = true;
	return &ground->near;
}

static double near_3(ground_t *ground)
{
	const struct sw_memory_near *near = near_of(ground);
	double bytes = 0;
	size_t i;

	for (i = 0; i < 3 && i < near->count; i++)
		bytes = fmax(bytes, near->need[i]);
	return bytes > 0 ? bytes : NAN;
}

static double near_12(ground_t *ground)
{
	const struct sw_memory_near *near = near_of(ground);
	double sum = 0;
	size_t i;

	for (i = 0; i < near->count; i++)
		sum += near->need[i];
	return near->count ? sum / (double)near->count : NAN;
}

static double same_input(ground_t *ground)
{
	double bytes = near_of(ground)->largest_of_same;

	return bytes > 0 ? bytes : near_3(ground);
}

static double by_request(ground_t *ground)
{
	double bytes = ground->query->requested_bytes;

	return bytes > 0 ? bytes : NAN;
}

const struct sw_memory_expert sw_memory_experts[] = {
	[SW_MEMORY_LARGEST] = { "largest need", false, false, largest },
	[SW_MEMORY_LEVEL] = { "needs", false, false, level },
	{ "largest of the last 3", false, false, last_3 },
	{ "largest of the last 12", false, false, last_12 },
	{ "largest of the last 48", false, false, last_48 },
	{ "moving mean", false, true, slow },
	{ "quick moving mean", false, true, quick },
	[SW_MEMORY_LINE] = { "line on input size", true, true, on_line },
	[SW_MEMORY_POWER] = { "power of input size", true, true, on_power },
	{ "largest of 3 with such an input", true, true, near_3 },
	{ "mean of 12 with such an input", true, true, near_12 },
	{ "largest with that input", true, true, same_input },
	[SW_MEMORY_REQUEST] = { "share of the request", false, false,
				by_request },
};

const size_t sw_memory_expert_count =
	sizeof(sw_memory_experts) / sizeof(*sw_memory_experts);

void sw_memory_ground_init(struct sw_memory_ground *ground,
			   const struct sw_memory_past *past,
			   const struct sw_memory_view *view,
			   const struct sw_query *query)
{
	*ground = (struct sw_memory_ground){
		.past = past, .view = view, .query = query,
	};
}

void sw_memory_foretell(const struct sw_memory_past *past,
			const struct sw_memory_view *view,
			const struct sw_query *query, double *foretold)
{
	struct sw_memory_ground ground;
	size_t i;

	sw_memory_ground_init(&ground, past, view, query);
	for (i = 0; i < SW_MEMORY_EXPERTS_MAX; i++)
		foretold[i] = view->count && i < sw_memory_expert_count ?
			sw_memory_experts[i].foretell(&ground) : NAN;
}
