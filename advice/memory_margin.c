/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The margin that would have cost least so far. */
#include "advice/memory_margin.h"

#include <math.h>

/* What the prior of the tail weighs, in errors. */
static const double prior_weight = 2;

enum { TAIL_LARGEST = 16, TAIL_POINTS = 5 };

/* Quantiles of the exponential distribution at 10, 30, 50, 70 and 90 %. */
static const double tail_points[TAIL_POINTS] = {
	0.1054, 0.3567, 0.6931, 1.2040, 2.3026,
};

/* How far above the largest error to stay at most, in means of the tail. */
static const double heads[] = { 0, 0.1, 0.25, 0.5, 1, 1.5, 2.3, 3.5, 5, 8 };

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
	double tail_keys[TAIL_POINTS], tail_share;
	double tail, largest_foretold;
};

static double beyond(const struct search *search, double means)
{
	double key = search->errors[search->count - 1].key;
	double factor = exp(fmin(means * search->tail, 20));

	if (!search->is_added)
		return key * factor;
	return key + fmax(search->largest_foretold + key, 1) * (factor - 1);
}

double sw_memory_tail(const struct sw_memory_error *errors, size_t count,
		      bool is_added, double prior)
{
	size_t largest = count / 4 + 1, i;
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
	search->tail = sw_memory_tail(search->errors, search->count,
				      search->is_added,
				      search->costs->tail_prior);
	search->tail_share = search->costs->tail_weight / TAIL_POINTS;
	for (i = 0; i < TAIL_POINTS; i++)
		search->tail_keys[i] = beyond(search, tail_points[i]);
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

	for (attempt = 0; done < search->count && attempt < 20; attempt++) {
		double rung = rung_of(search, margin, attempt);
		size_t fit = find(search, rung, done);

		cost += allocated(search, rung, done, fit);
		cost += costs->time_to_failure *
			allocated(search, rung, fit, search->count);
		cost += costs->price * (double)(search->count - fit);
		done = fit;
	}
	return cost;
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
		unsigned attempt = 0;
		double rung = rung_of(search, margin, 0);

		for (; rung < key && attempt < 20;
		     rung = rung_of(search, margin, ++attempt))
			cost += search->tail_share *
				(costs->price + costs->time_to_failure *
				 (search->is_added ?
				  foretold + rung * seconds :
				  foretold * rung));
		cost += search->tail_share * (rung - key) *
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

/* With the ladders that there are. */
static void try_first(const struct search *search, double first,
		      struct sw_memory_margin *best)
{
	static const double growths[] = { 1.3, 1.6, 2 };
	struct sw_memory_margin margin = {
		.is_added = search->is_added, .rungs = { first }, .count = 2,
	};
	double least = search->is_added ?
		first + (search->costs->retry_factor - 1) *
		fmax(first + search->largest_foretold, 0) :
		first * search->costs->retry_factor;
	size_t i, j;

	for (i = 0; i < 2; i++) {
		margin.rungs[1] = fmax(beyond(search, (double)i), least);
		try(search, &margin, best);
	}
	if (search->is_added)
		return;
	margin.count = SW_MEMORY_RUNGS;
	for (i = 0; i < sizeof(growths) / sizeof(*growths); i++) {
		for (j = 1; j < SW_MEMORY_RUNGS; j++)
			margin.rungs[j] = margin.rungs[j - 1] * growths[i];
		try(search, &margin, best);
	}
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
	size_t i;

	init(&search);
	/* Dense where few are above. */
	for (i = 1; i < count && i < count - count / 8; i += 1 + i / 6)
		try_first(&search, errors[count - 1 - i].key, &best);
	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		try_first(&search, beyond(&search, heads[i]), &best);
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
	return costs->tail_weight * exp(-beyond_top / search.tail) /
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
