/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The margin that would have cost least so far. */
#include "advice/memory_margin.h"

#include <math.h>

/* What the prior of the tail weighs, in errors. */
static const double prior_weight = 2;

/* As far as the tail goes, beyond the largest: 55 times as much. */
static const double furthest_log = 4;

/* A ladder that does not end after so many is none. */
enum { ATTEMPTS_MAX = 20 };

enum { TAIL_LARGEST = 6, TAIL_POINTS = 6 };

/*
 * Quantiles of Weibull's distribution of shape 1/2 and mean 1, which is
 * log(1 - p)^2 / 2, in the middle of what each stands for.
 */
static const struct {
	double share, means;
} tail_points[TAIL_POINTS] = {
	{ 0.30, 0.0132 }, { 0.30, 0.1787 }, { 0.20, 0.7248 },
	{ 0.10, 1.7995 }, { 0.07, 3.7355 }, { 0.03, 8.8186 },
};

/* How far above the largest error to stay at most, in means of the tail. */
static const double heads[] = { 0, 0.02, 0.1, 0.2, 0.4, 0.75, 1.2, 1.85, 2.6,
				3.8, 6, 9 };

/* Sums over the errors up to one. */
struct sums {
	double foretold_seconds, seconds, need_seconds;
};

/* What the search for a margin works on. */
struct search {
	const struct sw_memory_error *errors;
	size_t count;
	bool is_added;
	const struct sw_memory_costs *costs;
	struct sums up_to[SW_MEMORY_ERRORS_MAX + 1];
	double tail_keys[TAIL_POINTS];
	double tail, largest_foretold, mean_foretold;
};

static double beyond(const struct search *search, double means)
{
	double key = search->errors[search->count - 1].key;
	double factor = exp(fmin(means * search->tail, furthest_log));
	double bytes = means * search->costs->tail_bytes;

	if (!search->is_added)
		return key * factor + bytes / search->mean_foretold;
	return key + fmax(search->largest_foretold + key, 1) * (factor - 1) +
		bytes;
}

double sw_memory_tail(const struct sw_memory_error *errors, size_t count,
		      bool is_added, double prior)
{
	size_t largest = count / 8 + 1, i;
	const struct sw_memory_error *base;
	double sum = 0;

	if (largest > TAIL_LARGEST)
		largest = TAIL_LARGEST;
	if (largest >= count)
		largest = count - 1;
	base = &errors[count - 1 - largest];
	for (i = count - largest; i < count; i++) {
		if (is_added)
			sum += log1p(fmax(errors[i].key - base->key, 0) /
				     errors[i].need);
		else
			sum += log(errors[i].key / base->key);
	}
	return (sum + prior_weight * prior) / ((double)largest + prior_weight);
}

static void init(struct search *search)
{
	struct sums sums = { 0 };
	size_t i;

	for (i = 0; i < search->count; i++) {
		const struct sw_memory_error *error = &search->errors[i];

		search->up_to[i] = sums;
		sums.seconds += error->seconds;
		sums.foretold_seconds += error->foretold * error->seconds;
		sums.need_seconds += error->need * error->seconds;
		search->largest_foretold = fmax(search->largest_foretold,
						error->foretold);
	}
	search->up_to[search->count] = sums;
	search->mean_foretold = sums.foretold_seconds / sums.seconds;
	search->tail = sw_memory_tail(search->errors, search->count,
				      search->is_added,
				      search->costs->tail_prior);
	for (i = 0; i < TAIL_POINTS; i++)
		search->tail_keys[i] = beyond(search, tail_points[i].means);
}

/* How many errors are not above a margin, from a known lower number. */
static size_t find(const struct search *search, double margin, size_t low)
{
	size_t high = search->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (search->errors[middle].key <= margin)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Byte-seconds allocated with a margin to errors first to last - 1. */
static double allocated(const struct search *search, double margin,
			size_t first, size_t last)
{
	const struct sums *low = &search->up_to[first];
	const struct sums *high = &search->up_to[last];
	double foretold = high->foretold_seconds - low->foretold_seconds;

	if (!search->is_added)
		return margin * foretold;
	return foretold + margin * (high->seconds - low->seconds);
}

static double rung_of(const struct search *search,
		      const struct sw_memory_margin *margin, unsigned attempt)
{
	double last = margin->rungs[margin->count - 1];
	unsigned more = attempt < margin->count ? 0 :
		attempt - (unsigned)margin->count + 1;

	if (!more)
		return margin->rungs[attempt];
	if (!search->is_added)
		return last * pow(1.5, more);
	return last + fmax(search->largest_foretold, last) *
		(pow(1.5, more) - 1);
}

/* Of the runs seen. */
static double cost_of_seen(const struct search *search,
			   const struct sw_memory_margin *margin)
{
	const struct sw_memory_costs *costs = search->costs;
	size_t done = 0;
	double cost = -search->up_to[search->count].need_seconds;
	unsigned attempt;

	for (attempt = 0; done < search->count && attempt < ATTEMPTS_MAX;
	     attempt++) {
		double rung = rung_of(search, margin, attempt);
		size_t fit = find(search, rung, done);

		cost += allocated(search, rung, done, fit);
		cost += costs->time_to_failure *
			allocated(search, rung, fit, search->count);
		cost += costs->price * (double)(search->count - fit);
		done = fit;
	}
	return done < search->count ? INFINITY : cost;
}

/* Of the one beyond, which is like the mean of those seen. */
static double cost_of_tail(const struct search *search,
			   const struct sw_memory_margin *margin)
{
	const struct sw_memory_costs *costs = search->costs;
	const struct sums *all = &search->up_to[search->count];
	double n = (double)search->count, cost = 0;
	double seconds = all->seconds / n;
	double foretold = all->foretold_seconds / n;
	size_t i;

	for (i = 0; i < TAIL_POINTS; i++) {
		double key = search->tail_keys[i];
		double share = costs->tail_weight * tail_points[i].share;
		unsigned attempt = 0;
		double rung = rung_of(search, margin, 0);

		for (; rung < key && attempt < ATTEMPTS_MAX;
		     rung = rung_of(search, margin, ++attempt))
			cost += share *
				(costs->price + costs->time_to_failure *
				 (search->is_added ?
				  foretold + rung * seconds :
				  foretold * rung));
		if (rung < key)
			return INFINITY;
		cost += share * (rung - key) *
			(search->is_added ? seconds : foretold);
	}
	return cost;
}

static void try(const struct search *search, struct sw_memory_margin *margin,
		struct sw_memory_margin *best)
{
	margin->cost = cost_of_seen(search, margin);
	/* The tail only adds to it. */
	if (margin->cost >= best->cost)
		return;
	margin->cost += cost_of_tail(search, margin);
	if (!(margin->cost >= best->cost))
		*best = *margin;
}

/* How to go on after a failure: to what was never lacked, or by a factor. */
struct ladder {
	bool is_to_top;
	double step;		/* means of the tail above; or the factor */
};

/* The first two go with every first attempt, all of them with the best. */
static const struct ladder ladders[] = {
	{ true, 1 }, { false, 1.6 }, { true, 0 }, { true, 4 }, { false, 1.3 },
	{ false, 2 }, { false, 4 },
};

enum { LADDERS_FIRST = 2, LADDERS = sizeof(ladders) / sizeof(*ladders) };

static void try_ladder(const struct search *search, double first,
		       const struct ladder *ladder,
		       struct sw_memory_margin *best)
{
	double growth = search->costs->retry_factor;
	struct sw_memory_margin margin = {
		.is_added = search->is_added, .rungs = { first }, .count = 2,
	};
	size_t i;

	if (ladder->is_to_top) {
		margin.rungs[1] = fmax(beyond(search, ladder->step),
				       search->is_added ?
				       first + (growth - 1) * fmax(first +
				       search->largest_foretold, 0) :
				       first * growth);
	} else if (search->is_added) {
		return;
	} else {
		margin.count = SW_MEMORY_RUNGS;
		for (i = 1; i < SW_MEMORY_RUNGS; i++)
			margin.rungs[i] = margin.rungs[i - 1] *
				fmax(ladder->step, growth);
	}
	try(search, &margin, best);
}

static void try_first(const struct search *search, double first,
		      struct sw_memory_margin *best)
{
	for (size_t i = 0; i < LADDERS_FIRST; i++)
		try_ladder(search, first, &ladders[i], best);
}

struct sw_memory_margin
sw_memory_margin_choose(const struct sw_memory_error *errors, size_t count,
			bool is_added, const struct sw_memory_costs *costs)
{
	struct search search = {
		.errors = errors, .count = count, .is_added = is_added,
		.costs = costs,
	};
	struct sw_memory_margin best = { .cost = INFINITY };
	double first;
	size_t i;

	init(&search);
	/* Dense where few are above. */
	for (i = 1; i < count && i < count - count / 8; i += 1 + i / 6)
		try_first(&search, errors[count - 1 - i].key, &best);
	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		try_first(&search, beyond(&search, heads[i]), &best);
	first = best.rungs[0];
	for (i = LADDERS_FIRST; i < LADDERS; i++)
		try_ladder(&search, first, &ladders[i], &best);
	best.cost /= (double)count + costs->tail_weight;
	return best;
}

double sw_memory_margin_risk(const struct sw_memory_error *errors,
			     size_t count, bool is_added,
			     const struct sw_memory_costs *costs,
			     double margin, size_t *fits)
{
	struct search search = {
		.errors = errors, .count = count, .is_added = is_added,
		.costs = costs,
	};
	double top = errors[count - 1].key, beyond_top, unit;

	init(&search);
	/* A margin that was rounded up to its error is not below it. */
	*fits = find(&search, margin * (margin > 0 ? 1 + 1e-9 : 1), 0);
	if (*fits < count)
		return ((double)(count - *fits) + costs->tail_weight) /
			((double)count + costs->tail_weight);
	unit = is_added ? fmax(search.largest_foretold + top, 1) : top;
	beyond_top = log1p(fmax(margin - top, 0) / unit);
	return costs->tail_weight * exp(-sqrt(2 * beyond_top / search.tail)) /
		((double)count + costs->tail_weight);
}

double sw_memory_margin_apply(const struct sw_memory_margin *margin,
			      double foretold, unsigned attempt)
{
	size_t last = margin->count - 1;
	unsigned more = attempt > margin->count ?
		attempt - (unsigned)margin->count : 0;
	double rung = margin->rungs[more ? last : attempt - 1];

	return (margin->is_added ? foretold + rung : foretold * rung) *
		pow(1.5, more);
}
