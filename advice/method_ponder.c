/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ponder: a line through needs over input sizes for which an error below costs
 * fifty times as much as one above, clamped to the observed needs, plus twice
 * the deviation of runs with such an input; the largest need if the input does
 * not explain it; the user's request for the first five runs and for attempts
 * after a failure.
 */
#include <math.h>
#include <stdlib.h>

#include "advice/line.h"
#include "advice/methods.h"
#include "advice/numbers.h"

#define OFFSET_BYTES (128.0 * 1024 * 1024)
#define CORRELATION_MIN 0.3
#define ABOVE_WEIGHT 0.02

enum { RULES_COUNT = 5, WEIGHTLESS_COUNT = 10, STEPS_MAX = 50 };

struct group {
	struct sw_numbers x, y;		/* of runs with a known input */
	size_t count;			/* of all runs */
	double largest_bytes, least_bytes, largest_input;
	struct sw_line_sums sums;
	struct sw_line line;
	size_t line_count;	/* points it was fitted to */
};

static void fini(void *opaque)
{
	struct group *group = opaque;

	free(group->x.items);
	free(group->y.items);
}

static int learn(void *opaque, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	struct group *group = opaque;

	(void)site;
	if (!group->count || run->need_bytes < group->least_bytes)
		group->least_bytes = run->need_bytes;
	group->largest_bytes = fmax(group->largest_bytes, run->need_bytes);
	group->count++;
	if (isnan(run->input_bytes))
		return 0;
	group->largest_input = fmax(group->largest_input, run->input_bytes);
	sw_line_sums_add(&group->sums, run->input_bytes, run->need_bytes, 1);
	if (sw_numbers_add(&group->x, run->input_bytes) < 0)
		return -1;
	return sw_numbers_add(&group->y, run->need_bytes);
}

/*
 * The loss is convex with one minimum, which weighted least squares reach when
 * no point changes sides.  (The authors' program uses a simplex search.)
 */
static struct sw_line draw_line(const struct group *group)
{
	struct sw_line line = sw_line_of(&group->sums), last;
	unsigned step;
	size_t i;

	for (step = 0; step < STEPS_MAX; step++) {
		struct sw_line_sums sums = { 0 };

		for (i = 0; i < group->x.count; i++) {
			double x = group->x.items[i], y = group->y.items[i];
			bool is_below = y > sw_line_at(&line, x);

			sw_line_sums_add(&sums, x, y,
					 is_below ? 1 : ABOVE_WEIGHT);
		}
		last = line;
		line = sw_line_of(&sums);
		if (line.slope == last.slope &&
		    line.intercept == last.intercept)
			break;
	}
	return line;
}

/* Return the variance of the errors, weighted by nearness of the input. */
static double variance_near(const struct group *group, double input)
{
	double furthest = 0, extra, squares = 0;
	size_t count = group->x.count, i;
	struct sw_line_sums sums = { 0 };

	for (i = 0; i < count; i++)
		furthest = fmax(furthest, fabs(group->x.items[i] - input));
	/* The furthest has no weight, unless there are few. */
	extra = fmax(1 - (double)count / WEIGHTLESS_COUNT, 0) / 100;
	for (i = 0; i < count; i++) {
		double x = group->x.items[i];
		double error = group->y.items[i] - sw_line_at(&group->line, x);
		double weight = 1;

		if (furthest > 0)
			weight = 1 - fabs(x - input) / furthest + extra;
		sw_line_sums_add(&sums, 0, error, weight);
		squares += weight * weight;
	}
	if (!(sums.weight > 0) || sums.weight <= squares / sums.weight)
		return 0;
	return sums.yy / (sums.weight - squares / sums.weight);
}

static double by_line(struct group *group, double input)
{
	double bytes;

	/* Fit again for each run up to 256, then for one in 256. */
	if (group->x.count > group->line_count + group->line_count / 256) {
		group->line = draw_line(group);
		group->line_count = group->x.count;
	}
	bytes = sw_line_at(&group->line, input);
	if (bytes < group->least_bytes)
		bytes = group->least_bytes;
	else if ((bytes > group->largest_bytes &&
		  input < group->largest_input) ||
		 (input >= group->largest_input &&
		  bytes < group->largest_bytes))
		bytes = group->largest_bytes;
	return bytes + fmax(OFFSET_BYTES, 2 * sqrt(variance_near(group,
								 input)));
}

static double ask(void *opaque, const struct sw_asking *asking)
{
	const struct sw_query *query = asking->query;
	struct group *group = opaque;
	double bytes;

	if (!group->count)
		return NAN;
	if (group->count < RULES_COUNT) {
		/* Without a request there is no alternative. */
		if (!(group->largest_input > query->input_bytes) &&
		    query->requested_bytes > 0)
			return query->requested_bytes;
		bytes = group->largest_bytes + OFFSET_BYTES;
	} else if (!isnan(query->input_bytes) &&
		   sw_line_correlation(&group->sums) > CORRELATION_MIN) {
		bytes = by_line(group, query->input_bytes);
	} else {
		bytes = group->largest_bytes + OFFSET_BYTES;
	}
	return query->requested_bytes > 0 ?
		fmin(bytes, query->requested_bytes) : bytes;
}

static double again(void *group, const struct sw_asking *asking)
{
	(void)group;
	return asking->query->requested_bytes;
}

const struct sw_method sw_method_ponder = {
	.name = "ponder",
	.title = "Ponder: line fitted with expensive underestimates, + 2 "
		 "deviations",
	.source = "Lehmann et al.: Ponder, arXiv 2408.00047; constants of "
		  "CommonWorkflowScheduler/KubernetesScheduler f8d862e",
	.group_size = sizeof(struct group),
	.fini = fini,
	.learn = learn,
	.ask = ask,
	.again = again,
};
