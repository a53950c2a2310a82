/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bound the next value; needs at least two ends. */
#include "advice/survival.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

/*
 * The tail holds a quarter of the values, at least two; a run's time is not
 * known better than to 2 %, however alike a few runs are.
 */
static const double tail_share = 0.25;
static const double least_excess = 0.02;

/*
 * A gamma prior on the rate, worth one excess of a factor of e.  Without it the
 * actual risk on job logs is two to ten times the stated one, since runs that
 * were alike so far still change all at once.
 */
static const double prior_ends = 1, prior_sum = 1;

/* The values to which the tail is fitted. */
struct tail {
	double threshold;
	double above;		/* probability of exceeding the threshold */
	double sum;		/* sum of the logarithms of the excesses */
	double ends;
};

void sw_survival_fini(struct sw_survival *survival)
{
	free(survival->points);
	*survival = (struct sw_survival){ 0 };
}

/* Return where to insert: after equal values, ends before lower bounds. */
static size_t place_of(const struct sw_survival *survival, double value,
		       bool is_lower_bound)
{
	size_t low = 0, high = survival->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct sw_survival_point *point =
			&survival->points[middle];
		bool is_before = point->value < value ||
			(point->value == value &&
			 (is_lower_bound || !point->is_lower_bound));

		if (is_before)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int sw_survival_add(struct sw_survival *survival, double value,
		    bool is_lower_bound)
{
	size_t place;

	if (!(value > 0) || !isfinite(value)) {
		errno = EINVAL;
		return -1;
	}
	if (sw_grow(&survival->points, survival->count,
		    sizeof(*survival->points)) < 0)
		return -1;
	place = place_of(survival, value, is_lower_bound);
	memmove(&survival->points[place + 1], &survival->points[place],
		(survival->count - place) * sizeof(*survival->points));
	survival->points[place] =
		(struct sw_survival_point){ value, is_lower_bound };
	survival->count++;
	survival->ends += !is_lower_bound;
	return 0;
}

double sw_survival_largest(const struct sw_survival *survival)
{
	return survival->count ?
		survival->points[survival->count - 1].value : NAN;
}

/* Multiply by the probability of exceeding point number before. */
static double step_down(const struct sw_survival *survival, double above,
			size_t before)
{
	double at_risk = (double)(survival->count + 1 - before);

	return survival->points[before].is_lower_bound ?
		above : above * (1 - 1 / at_risk);
}

/* Return the index of the threshold, with enough ends above it for the tail. */
static size_t threshold_index(const struct sw_survival *survival)
{
	size_t wanted = (size_t)ceil(tail_share * (double)survival->ends);
	size_t i = survival->count, ends = 0;

	if (wanted < 2)
		wanted = 2;
	while (i > 0) {
		i--;
		if (survival->points[i].is_lower_bound)
			continue;
		if (ends == wanted)
			break;
		ends++;
	}
	return i;
}

/* Return false with fewer than two ends, which do not show their spread. */
static bool fit_tail(const struct sw_survival *survival, struct tail *tail)
{
	size_t index, i;

	if (survival->ends < 2)
		return false;
	index = threshold_index(survival);
	*tail = (struct tail){
		.threshold = survival->points[index].value,
		.above = 1,
		.sum = prior_sum,
		.ends = prior_ends,
	};
	for (i = 0; i <= index; i++)
		tail->above = step_down(survival, tail->above, i);
	for (; i < survival->count; i++) {
		const struct sw_survival_point *point = &survival->points[i];
		double excess = log(point->value / tail->threshold);

		if (!point->is_lower_bound && excess < least_excess)
			excess = least_excess;
		tail->sum += excess;
		tail->ends += !point->is_lower_bound;
	}
	return tail->ends > 0;
}

static double tail_limit(const struct tail *tail, double risk)
{
	double odds = pow(tail->above / risk, 1 / tail->ends);

	return tail->threshold * exp(tail->sum * (odds - 1));
}

struct sw_survival_limit
sw_survival_limit(const struct sw_survival *survival, double risk)
{
	struct sw_survival_limit limit = { NAN, false };
	double at_risk = (double)(survival->count + 1), share = 1 / at_risk;
	/* Tolerate rounding errors of the sum. */
	double most = risk * (1 + 1e-9), enough = most / share + 1;
	struct tail tail;
	size_t i;

	/* Each value has one share; a lower bound's goes to those above. */
	for (i = 0; i < survival->count; i++, at_risk--) {
		if (survival->points[i].is_lower_bound) {
			share *= at_risk / (at_risk - 1);
			enough = most / share + 1;
		} else if (at_risk <= enough) {
			limit.value = survival->points[i].value;
			return limit;
		}
	}
	if (!(risk > 0) || !fit_tail(survival, &tail))
		return limit;
	limit.is_fitted = true;
	limit.value = fmax(tail_limit(&tail, risk),
			   sw_survival_largest(survival));
	return limit;
}

double sw_survival_above(const struct sw_survival *survival, double value)
{
	double above = 1, fitted;
	struct tail tail;
	size_t i;

	for (i = 0; i < survival->count; i++) {
		if (survival->points[i].value > value)
			return above;
		above = step_down(survival, above, i);
	}
	if (!fit_tail(survival, &tail) || value <= tail.threshold)
		return above;
	fitted = tail.above * pow(1 + log(value / tail.threshold) / tail.sum,
				  -tail.ends);
	return fmin(above, fitted);
}
