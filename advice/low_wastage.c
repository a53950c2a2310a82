/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the line of least wastage through past runs. */
#include "advice/low_wastage.h"

#include <math.h>
#include <stdlib.h>

#include "advice/sample.h"

/* A predictor that varies by less of its mean predicts nothing. */
#define VARIES_MIN 0.05
/* First steps of the search, as shares of the ranges of y and slope. */
#define FIRST_STEP 0.1
#define STEP_MIN 1e-4

enum { STARTS = 5, REWEIGHTS = 20, TRIES_MAX = 80 };

double sw_low_wastage_cost(const struct sw_low_wastage *runs,
			   const struct sw_line *line)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < runs->count; i++) {
		const struct sw_point *point = &runs->points[i];
		double bytes = fmax(sw_line_at(line, point->x),
				    runs->floor_bytes);
		double failed = 0;

		while (bytes < point->y) {
			failed += bytes;
			bytes *= 2;
		}
		sum += point->seconds *
		       (runs->time_to_failure * failed + bytes - point->y);
	}
	return sum;
}

/* Ranges of the data: units of steps and slopes. */
struct spans {
	double x, y;
	bool is_flat;
};

static struct spans spans_of(const struct sw_low_wastage *runs)
{
	double x_low = INFINITY, x_high = -INFINITY, x_sum = 0;
	double y_low = INFINITY, y_high = -INFINITY;
	struct spans spans;
	size_t i;

	for (i = 0; i < runs->count; i++) {
		x_low = fmin(x_low, runs->points[i].x);
		x_high = fmax(x_high, runs->points[i].x);
		x_sum += runs->points[i].x;
		y_low = fmin(y_low, runs->points[i].y);
		y_high = fmax(y_high, runs->points[i].y);
	}
	spans.x = x_high - x_low;
	spans.y = y_high > y_low ? y_high - y_low : y_high;
	spans.is_flat = !(spans.x > VARIES_MIN * x_sum / (double)runs->count);
	return spans;
}

/* Fit a quantile's line by iteratively reweighted least squares. */
static struct sw_line quantile_line(const struct sw_low_wastage *runs,
				    double share, const struct spans *spans)
{
	struct sw_line line = { 0 };
	unsigned step;
	size_t i;

	for (step = 0; step < REWEIGHTS; step++) {
		struct sw_line_sums sums = { 0 };

		for (i = 0; i < runs->count; i++) {
			const struct sw_point *point = &runs->points[i];
			double error = point->y - sw_line_at(&line, point->x);
			double weight = error > 0 ? share : 1 - share;

			if (step)
				weight /= fmax(fabs(error), 1e-6 * spans->y);
			else
				weight = 1;
			sw_line_sums_add(&sums, point->x, point->y, weight);
		}
		line = sw_line_of(&sums);
	}
	return line;
}

struct vertex {
	struct sw_line line;
	double cost;
};

static struct vertex vertex_at(const struct sw_low_wastage *runs,
			       double intercept, double slope)
{
	struct vertex vertex = { .line = { intercept, slope } };

	vertex.cost = sw_low_wastage_cost(runs, &vertex.line);
	return vertex;
}

static void sort_vertices(struct vertex *vertices)
{
	size_t i, j;

	for (i = 1; i < 3; i++) {
		for (j = i; j && vertices[j].cost < vertices[j - 1].cost; j--) {
			struct vertex kept = vertices[j];

			vertices[j] = vertices[j - 1];
			vertices[j - 1] = kept;
		}
	}
}

/* Move from the worst vertex through the middle of the others. */
static struct vertex beyond(const struct sw_low_wastage *runs,
			    const struct vertex *v, double factor)
{
	double intercept = (v[0].line.intercept + v[1].line.intercept) / 2;
	double slope = (v[0].line.slope + v[1].line.slope) / 2;

	return vertex_at(runs,
			 intercept + factor * (intercept - v[2].line.intercept),
			 slope + factor * (slope - v[2].line.slope));
}

static void shrink(const struct sw_low_wastage *runs, struct vertex *v)
{
	size_t i;

	for (i = 1; i < 3; i++)
		v[i] = vertex_at(runs, (v[0].line.intercept +
					v[i].line.intercept) / 2,
				 (v[0].line.slope + v[i].line.slope) / 2);
}

/* A step of Nelder and Mead, The Computer Journal 1965; v is sorted by cost. */
static unsigned step_simplex(const struct sw_low_wastage *runs,
			     struct vertex *v)
{
	struct vertex reflected = beyond(runs, v, 1), other;
	unsigned tries = 2;

	if (reflected.cost < v[0].cost) {
		other = beyond(runs, v, 2);
		v[2] = other.cost < reflected.cost ? other : reflected;
	} else if (reflected.cost < v[1].cost) {
		v[2] = reflected;
		tries = 1;
	} else {
		other = beyond(runs, v, reflected.cost < v[2].cost ? 0.5 : -0.5);
		if (other.cost < fmin(reflected.cost, v[2].cost)) {
			v[2] = other;
		} else {
			shrink(runs, v);
			tries = 4;
		}
	}
	sort_vertices(v);
	return tries;
}

static struct vertex search(const struct sw_low_wastage *runs,
			    const struct spans *spans, struct sw_line start)
{
	double step = FIRST_STEP * spans->y;
	/* A flat line stays flat: its second step is down, not a slope. */
	double tilt = spans->is_flat ? 0 : step / spans->x;
	double low = start.intercept - (spans->is_flat ? step : 0);
	struct vertex v[3] = {
		vertex_at(runs, start.intercept, start.slope),
		vertex_at(runs, start.intercept + step, start.slope),
		vertex_at(runs, low, start.slope + tilt),
	};
	unsigned tries = 3;

	sort_vertices(v);
	while (tries < TRIES_MAX &&
	       v[2].cost - v[0].cost > STEP_MIN * v[0].cost)
		tries += step_simplex(runs, v);
	return v[0];
}

/* Line through the means with the slope of the interquartile ranges. */
static struct sw_line range_line(const struct sw_low_wastage *runs,
				 const double *x, const double *y)
{
	struct sw_line line = { 0 };
	double x_range = sw_quantile(x, runs->count, 0.75) -
			 sw_quantile(x, runs->count, 0.25);
	double x_sum = 0, y_sum = 0;
	size_t i;

	if (x_range > 0)
		line.slope = (sw_quantile(y, runs->count, 0.75) -
			      sw_quantile(y, runs->count, 0.25)) / x_range;
	for (i = 0; i < runs->count; i++) {
		x_sum += x[i];
		y_sum += y[i];
	}
	line.intercept = (y_sum - line.slope * x_sum) / (double)runs->count;
	return line;
}

/* Start at the quantiles 1 - u^2 with u from 0.01 to 0.7. */
static void search_from_all(const struct sw_low_wastage *runs,
			    const double *x, const double *y,
			    struct sw_line *best)
{
	struct spans spans = spans_of(runs);
	struct vertex least = { .cost = INFINITY };
	size_t i;

	for (i = 0; i <= STARTS; i++) {
		double u = 0.01 + 0.69 * (double)i / (STARTS - 1);
		struct sw_line start = { 0 };
		struct vertex found;

		if (i == STARTS && spans.is_flat)
			break;
		if (i == STARTS)
			start = range_line(runs, x, y);
		else if (spans.is_flat)
			start.intercept = sw_quantile(y, runs->count,
						      1 - u * u);
		else
			start = quantile_line(runs, 1 - u * u, &spans);
		found = search(runs, &spans, start);
		if (found.cost < least.cost)
			least = found;
	}
	*best = least.line;
}

int sw_low_wastage_fit(const struct sw_low_wastage *runs, struct sw_line *best)
{
	double *x = malloc((runs->count ? runs->count : 1) * sizeof(*x));
	double *y = malloc((runs->count ? runs->count : 1) * sizeof(*y));
	int rc = x && y ? 0 : -1;
	size_t i;

	if (rc == 0) {
		for (i = 0; i < runs->count; i++) {
			x[i] = runs->points[i].x;
			y[i] = runs->points[i].y;
		}
		sw_sample_sort(x, runs->count);
		sw_sample_sort(y, runs->count);
		search_from_all(runs, x, y, best);
	}
	free(x);
	free(y);
	return rc;
}
