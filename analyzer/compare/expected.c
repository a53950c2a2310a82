/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judge an amount by past amounts. */
#include "analyzer/compare/expected.h"

#include <math.h>
#include <string.h>

#include "advice/sample.h"
#include "analyzer/compare/chance.h"

enum { PAIRS = SW_EXPECTED_RUNS * (SW_EXPECTED_RUNS - 1) / 2 };

/* Below this number of runs, all pairs count. */
enum { ALL_PAIRS = 16 };

/* As in advice: a larger power of the input is chance. */
static const double STEEPEST = 2;

/* Of the standard deviation of a normal distribution. */
static const double MAD_SCALE = 1.4826;
static const double MADS_MAX = 4;

/* Fewer values may lie close together by chance. */
enum { DRAWN_IN_LEAST = 16 };

/* Amounts have heavier tails than a normal distribution. */
static const double DF_MAX = 10;

/* Points on the scale of logarithms; x is 0 without inputs. */
struct points {
	double x[SW_EXPECTED_RUNS], y[SW_EXPECTED_RUNS];
	size_t count;
	bool has_inputs;
};

/* Use inputs if they are known for enough of the runs. */
static void take_points(struct points *points,
			const struct sw_past_amounts *past, bool needs_input,
			double unit)
{
	size_t known = 0, i;

	for (i = 0; i < past->count; i++)
		known += past->input[i] > 0;
	points->has_inputs = needs_input && known >= SW_EXPECTED_LEAST &&
			     2 * known >= past->count;
	points->count = 0;
	for (i = 0; i < past->count; i++) {
		if (points->has_inputs && !(past->input[i] > 0))
			continue;
		points->x[points->count] =
			points->has_inputs ? log(past->input[i]) : 0;
		points->y[points->count++] = log(past->amount[i] + unit);
	}
}

/* Of many runs, pairs at some distances in time are enough. */
static double median_slope(const struct points *points)
{
	double slopes[PAIRS], scratch[PAIRS], dx;
	size_t count = 0, apart, i;

	for (apart = 1; apart < points->count;
	     apart += 1 + points->count / ALL_PAIRS) {
		for (i = apart; i < points->count; i++) {
			dx = points->x[i] - points->x[i - apart];
			if (fabs(dx) > 1e-9)
				slopes[count++] =
					(points->y[i] - points->y[i - apart]) /
					dx;
		}
	}
	if (count == 0)
		return 0;
	return fmin(fmax(sw_sample_median(scratch, slopes, count), 0),
		    STEEPEST);
}

static double median_distance(const double *rest, size_t count)
{
	double distance[SW_EXPECTED_RUNS], scratch[SW_EXPECTED_RUNS];
	size_t i;

	for (i = 0; i < count; i++)
		distance[i] = fabs(rest[i]);
	return sw_sample_median(scratch, distance, count);
}

static void take_spread(struct sw_amount_line *fit, double floor)
{
	double reach =
		MADS_MAX *
		fmax(floor, MAD_SCALE * median_distance(fit->rest, fit->runs));
	double squares = 0, drawn_in;
	size_t i;

	for (i = 0; i < fit->runs; i++) {
		drawn_in = fabs(fit->rest[i]);
		if (fit->runs >= DRAWN_IN_LEAST)
			drawn_in = fmin(drawn_in, reach);
		squares += drawn_in * drawn_in;
	}
	fit->spread = fmax(floor, sqrt(squares / fit->df));
}

void sw_fit_amounts(struct sw_amount_line *fit, const struct sw_past_amounts *past,
		    bool needs_input, double unit, double floor)
{
	double scratch[SW_EXPECTED_RUNS];
	struct points points;
	size_t i;

	*fit = (struct sw_amount_line){ .unit = unit };
	take_points(&points, past, needs_input, unit);
	if (points.count < SW_EXPECTED_LEAST)
		return;
	fit->runs = points.count;
	fit->is_by_input = points.has_inputs;
	fit->slope = points.has_inputs ? median_slope(&points) : 0;
	for (i = 0; i < fit->runs; i++)
		fit->mean += points.x[i] / (double)fit->runs;
	for (i = 0; i < fit->runs; i++) {
		double dx = points.x[i] - fit->mean;

		fit->squares += dx * dx;
		fit->rest[i] = points.y[i] - fit->slope * dx;
	}
	fit->level = sw_sample_median(scratch, fit->rest, fit->runs);
	for (i = 0; i < fit->runs; i++)
		fit->rest[i] -= fit->level;
	fit->df = (double)fit->runs - 1 - fit->is_by_input;
	take_spread(fit, floor);
}

static double distance_of_input(const struct sw_amount_line *fit, double input)
{
	return fit->is_by_input ? log(input) - fit->mean : 0;
}

double sw_fit_rest(const struct sw_amount_line *fit, double amount, double input)
{
	return log(amount + fit->unit) - fit->level -
	       fit->slope * distance_of_input(fit, input);
}

/* Share of values, with this one, that are as far out on its side. */
static double rank_chance(const struct sw_amount_line *fit, double rest)
{
	size_t far = 1, i;

	for (i = 0; i < fit->runs; i++)
		far += rest > 0 ? fit->rest[i] >= rest : fit->rest[i] <= rest;
	return (double)far / ((double)fit->runs + 1);
}

void sw_expect(struct sw_expected *expected, const struct sw_past_amounts *past,
	       double amount, double input, double unit, double floor)
{
	double dx, at, rest, variance, sorted[SW_EXPECTED_RUNS];
	struct sw_amount_line fit;

	*expected = (struct sw_expected){ .p = 1, .rank_p = 1 };
	sw_fit_amounts(&fit, past, input > 0, unit, floor);
	if (fit.runs == 0)
		return;
	dx = distance_of_input(&fit, input);
	at = fit.level + fit.slope * dx;
	rest = sw_fit_rest(&fit, amount, input);
	variance = 1 + 1 / (double)fit.runs +
		   (fit.squares > 0 ? dx * dx / fit.squares : 0);
	memcpy(sorted, fit.rest, sizeof(sorted));
	sw_sample_sort(sorted, fit.runs);
	*expected = (struct sw_expected){
		.runs = fit.runs,
		.is_by_input = fit.is_by_input,
		.amount = fmax(0, exp(at) - unit),
		.least = fmax(0, exp(at + sorted[0]) - unit),
		.most = fmax(0, exp(at + sorted[fit.runs - 1]) - unit),
		.p = sw_chance_t(rest / (fit.spread * sqrt(variance)),
				 fmin(fit.df, DF_MAX)),
		.rank_p = rank_chance(&fit, rest),
	};
}
