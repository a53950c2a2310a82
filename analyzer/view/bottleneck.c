/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the one resource that limited a step most. */
#include "analyzer/view/bottleneck.h"

#include <math.h>

#include "analyzer/view/shares.h"
#include "common/missing.h"
#include "common/units.h"

/*
 * A limit has at least half of the time, or half of the time that others left
 * to the step and clearly more than the next resource.  Chosen by hand.
 */
static const double CLEARLY = 1.25;

/*
 * A step that got two thirds of the CPU time that it wanted would have been
 * faster by half: more than its own computation can explain.
 */
static const double STARVED = 1.0 / 3;

static double observed(const struct sw_view_limits *limits)
{
	double sum = 0;
	int i;

	for (i = 0; i < SW_LIMITS; i++) {
		if (sw_is_missing(limits->usec[i]))
			return 0;
		sum += (double)limits->usec[i];
	}
	return sum;
}

double sw_limit_ratio(const struct sw_view_limits *limits,
		      enum sw_limit limit)
{
	double all = observed(limits);

	return all > 0 ? (double)limits->usec[limit] / all : NAN;
}

double sw_limits_ratio(const struct sw_view_limits *limits,
		       enum sw_limited_by resource)
{
	double all = observed(limits), sum = 0;
	enum sw_limit i;

	for (i = 0; all > 0 && i < SW_LIMITS; i++) {
		if (sw_limit_resource(i) == resource)
			sum += (double)limits->usec[i];
	}
	return all > 0 ? sum / all : NAN;
}

bool sw_limits_are_of_others(const struct sw_view_limits *limits)
{
	return sw_limit_ratio(limits, SW_LIMIT_NEIGHBORS) >= 1 - SW_MAINLY;
}

/* The largest limit of a resource; of none: of all. */
static enum sw_limit largest(const struct sw_view_limits *limits,
			     enum sw_limited_by resource)
{
	enum sw_limit i, found = SW_LIMITS;

	for (i = 0; i < SW_LIMITS; i++) {
		if (resource != SW_LIMITED_BY_NONE &&
		    sw_limit_resource(i) != resource)
			continue;
		if (found == SW_LIMITS ||
		    limits->usec[i] > limits->usec[found])
			found = i;
	}
	return found;
}

/* Shorter observations are not conclusive.  Chosen by hand. */
static const double OBSERVED_SECONDS_MIN = 2;

bool sw_bottleneck_is_sampled(const struct sw_bottleneck *bottleneck)
{
	return bottleneck->observed_seconds >= OBSERVED_SECONDS_MIN;
}

/*
 * Return the largest share of another resource.  Excludes the node, and waiting
 * (for a timer, a child), which is for no resource.
 */
static double next_share(const struct sw_view_limits *limits,
			 enum sw_limited_by resource)
{
	double next = 0;
	enum sw_limited_by other;

	for (other = 0; other < SW_LIMITED_BY_RESOURCES; other++) {
		if (other != resource && other != SW_LIMITED_BY_NODE &&
		    other != SW_LIMITED_BY_WAITING)
			next = fmax(next, sw_limits_ratio(limits, other));
	}
	return next;
}

static bool is_most_of_its_own(const struct sw_bottleneck *bottleneck,
			       const struct sw_view_limits *limits,
			       double of_node)
{
	return bottleneck->share >= SW_MOST * (1 - of_node) &&
	       bottleneck->share >=
		       CLEARLY * next_share(limits, bottleneck->resource);
}

static void choose(struct sw_bottleneck *bottleneck,
		   const struct sw_view_limits *limits)
{
	double of_node = sw_limits_ratio(limits, SW_LIMITED_BY_NODE);
	bool is_most = bottleneck->share >= SW_MOST;

	if (of_node >= STARVED &&
	    (!is_most || bottleneck->resource == SW_LIMITED_BY_CPU)) {
		bottleneck->share = of_node;
		bottleneck->resource = SW_LIMITED_BY_NODE;
	} else if (!is_most &&
		   !is_most_of_its_own(bottleneck, limits, of_node)) {
		bottleneck->resource = SW_LIMITED_BY_NONE;
	}
}

bool sw_bottleneck_find(struct sw_bottleneck *bottleneck,
			const struct sw_view_limits *limits)
{
	double all = observed(limits), share;
	enum sw_limited_by i;

	*bottleneck = (struct sw_bottleneck){
		.resource = SW_LIMITED_BY_NONE,
		.observed_seconds = all / SW_USEC_PER_SEC,
	};
	if (all <= 0)
		return false;
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++) {
		share = sw_limits_ratio(limits, i);
		if (share > bottleneck->share) {
			bottleneck->share = share;
			bottleneck->resource = i;
		}
	}
	choose(bottleneck, limits);
	bottleneck->limit = largest(limits, bottleneck->resource);
	return true;
}
