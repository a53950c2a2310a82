/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the margin that would have cost least so far. */
#include "advice/memory_margin.h"

#include <math.h>

/* Weight of the tail's prior, in errors. */
static const double prior_weight = 2;

/* Weight of groups in general in the prior, in runs of this group. */
static const double general_weight = 8;

/* Maximum of the tail beyond the largest: 55 times as much. */
static const double furthest_log = 4;

/* A schedule that needs more attempts is invalid. */
enum { ATTEMPTS_MAX = 20 };

enum { TAIL_LARGEST = 6, TAIL_POINTS = 6 };

/*
 * Quantiles of Weibull's distribution of shape 1/2 and mean 1, which is log(1 -
 * p)^2 / 2, in the middle of the share that each represents.
 */
static const struct {
	double share, means;
} tail_points[TAIL_POINTS] = {
	{ 0.30, 0.0132 }, { 0.30, 0.1787 }, { 0.20, 0.7248 },
	{ 0.10, 1.7995 }, { 0.07, 3.7355 }, { 0.03, 8.8186 },
};

/* First margins to try above the largest error, in means of the tail. */
static const double heads[] = { 0, 0.02, 0.1, 0.2, 0.4, 0.75, 1.2, 1.85, 2.6,
				3.8, 6, 9 };

/* Sums over the errors up to one. */
struct sums {
	double foretold_seconds, seconds, need_seconds, runs;
};

enum { KEYS_MAX = SW_MEMORY_ERRORS_MAX + TAIL_POINTS };

/*
 * State of the search for a margin: the keys of the errors and those of the
 * tail, as shares of a run, each with the sums of all below it.
 */
struct search {
	const struct sw_memory_error *errors;
	size_t count;
	bool is_added;
	const struct sw_memory_costs *costs;
	double keys[KEYS_MAX];
	struct sums up_to[KEYS_MAX + 1];
	double tail, most;
	double least_foretold, largest_foretold, mean_foretold;
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

/* Return the logarithm of one error over another. */
static double log_over(const struct sw_memory_error *error,
		       const struct sw_memory_error *base, bool is_added)
{
	if (!is_added)
		return log(error->key / base->key);
	return log1p(fmax(error->key - base->key, 0) / error->need);
}

/*
 * Return the prior for groups in general, or this group's own if lower.  For n
 * errors with an exponential tail, the border to long ones, the largest lies
 * above the least by the sum of 1 / i up to n - 1 of its means on average,
 * about log(n - 1/2) + 0.5772 (A. Renyi, "On the theory of order statistics",
 * Acta Mathematica Hungarica 4 (1953) 191-231).
 */
static double prior_of(const struct sw_memory_error *errors, size_t count,
		       bool is_added, double prior)
{
	double n = (double)count, range, own;

	if (count < 2)
		return prior;
	range = log_over(&errors[count - 1], &errors[0], is_added);
	own = range / (log(n - 0.5) + 0.5772);
	return fmin(prior, ((n - 1) * own + general_weight * prior) /
		    (n - 1 + general_weight));
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
	for (i = count - largest; i < count; i++)
		sum += log_over(&errors[i], base, is_added);
	prior = prior_of(errors, count, is_added, prior);
	return (sum + prior_weight * prior) / ((double)largest + prior_weight);
}

static void add(struct sums *sums, double foretold, double need,
		double seconds, double runs)
{
	sums->foretold_seconds += foretold * seconds;
	sums->need_seconds += need * seconds;
	sums->seconds += seconds;
	sums->runs += runs;
}

/* The run beyond has the mean prediction and duration of those seen. */
static void init_tail(struct search *search, struct sums sums)
{
	double n = (double)search->count;
	double foretold = sums.foretold_seconds / sums.seconds;
	double seconds = sums.seconds / n;
	size_t i;

	search->mean_foretold = foretold;
	for (i = 0; i < TAIL_POINTS; i++) {
		double key = beyond(search, tail_points[i].means);
		double runs = search->costs->tail_weight *
			tail_points[i].share;

		search->keys[search->count + i] = key;
		search->up_to[search->count + i] = sums;
		add(&sums, foretold, search->is_added ? foretold + key :
		    foretold * key, seconds * runs, runs);
	}
	search->up_to[search->count + TAIL_POINTS] = sums;
}

static void init(struct search *search, const struct sw_memory_error *errors,
		 size_t count, bool is_added,
		 const struct sw_memory_costs *costs)
{
	struct sums sums = { 0 };
	size_t i;

	search->errors = errors;
	search->count = count;
	search->is_added = is_added;
	search->costs = costs;
	search->least_foretold = INFINITY;
	search->largest_foretold = 0;
	for (i = 0; i < count; i++) {
		const struct sw_memory_error *error = &errors[i];

		search->keys[i] = error->key;
		search->up_to[i] = sums;
		add(&sums, error->foretold, error->need, error->seconds, 1);
		if (error->foretold > search->largest_foretold)
			search->largest_foretold = error->foretold;
		if (error->foretold < search->least_foretold)
			search->least_foretold = error->foretold;
	}
	search->tail = sw_memory_tail(errors, count, is_added,
				      costs->tail_prior);
	init_tail(search, sums);
	search->most = costs->most * ((double)count + costs->tail_weight);
}

/* Count the keys that are not above a margin; at least low are not. */
static size_t find(const struct search *search, double margin, size_t low)
{
	size_t high = search->count + TAIL_POINTS;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (search->keys[middle] <= margin)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the byte-seconds allocated with a margin between two sums. */
static double allocated(const struct search *search, double margin,
			const struct sums *low, const struct sums *high)
{
	double foretold = high->foretold_seconds - low->foretold_seconds;

	if (!search->is_added)
		return margin * foretold;
	return foretold + margin * (high->seconds - low->seconds);
}

/* Runs that had enough after some attempts, and the cost of these. */
struct progress {
	size_t done;
	double cost;
	double spare;		/* of it, unused by runs that fit this time */
};

/* The cost never shrinks, so that the search can stop at a higher one. */
static void attempt(const struct search *search, double level,
		    struct progress *progress)
{
	const struct sw_memory_costs *costs = search->costs;
	size_t fit = find(search, level, progress->done);
	const struct sums *low = &search->up_to[progress->done];
	const struct sums *middle = &search->up_to[fit];
	const struct sums *high = &search->up_to[search->count + TAIL_POINTS];

	progress->spare = allocated(search, level, low, middle) -
		(middle->need_seconds - low->need_seconds);
	progress->cost += progress->spare + costs->time_to_failure *
		allocated(search, level, middle, high) +
		costs->price * (high->runs - middle->runs);
	progress->done = fit;
}

/* After the last level of a schedule add half as much again. */
static double step_on(const struct search *search, double last, double level)
{
	if (!search->is_added)
		return level * 1.5;
	return level + (level - last +
		       fmax(search->largest_foretold, last)) / 2;
}

/* Continue from the cost of the first attempt. */
static void try(const struct search *search, struct progress progress,
		struct sw_memory_margin *margin,
		struct sw_memory_margin *best)
{
	size_t all = search->count + TAIL_POINTS, i;
	double level = margin->levels[0];

	for (i = 1; progress.done < all && i < ATTEMPTS_MAX &&
	     progress.cost < best->cost; i++) {
		level = i < margin->count ? margin->levels[i] :
			step_on(search, margin->levels[margin->count - 1],
				level);
		attempt(search, level, &progress);
	}
	if (progress.done < all || !(progress.cost < best->cost))
		return;
	margin->cost = progress.cost;
	*best = *margin;
}

/* Steps after a failure: to a level that was always enough, or by a factor. */
struct schedule {
	bool is_to_top;
	double step;		/* means of the tail above, or factor */
};

/* Try the first two with every first attempt, all of them with the best. */
static const struct schedule schedules[] = {
	{ true, 1 }, { false, 1.6 }, { true, 0 }, { true, 4 }, { false, 1.3 },
	{ false, 2 }, { false, 4 },
};

enum {
	SCHEDULES_FIRST = 2,
	SCHEDULES = sizeof(schedules) / sizeof(*schedules)
};

/* Return false if there is no such schedule. */
static bool climb(const struct search *search, const struct schedule *schedule,
		  struct sw_memory_margin *margin)
{
	double growth = search->costs->retry_factor, first = margin->levels[0];
	size_t i;

	if (schedule->is_to_top) {
		margin->count = 2;
		margin->levels[1] = fmax(beyond(search, schedule->step),
					search->is_added ?
					first + (growth - 1) * fmax(first +
					search->largest_foretold, 0) :
					first * growth);
		return true;
	}
	margin->count = SW_MEMORY_LEVELS;
	for (i = 1; i < SW_MEMORY_LEVELS; i++)
		margin->levels[i] = margin->levels[i - 1] *
			fmax(schedule->step, growth);
	return !search->is_added;
}

static bool is_worth(const struct search *search, double cost,
		     const struct sw_memory_margin *best)
{
	return cost < best->cost && cost < search->most;
}

/* Return the cost of the first attempt. */
static struct progress try_first(const struct search *search, double first,
				 size_t low, size_t high,
				 struct sw_memory_margin *best)
{
	struct sw_memory_margin margin = {
		.is_added = search->is_added, .levels = { first },
	};
	struct progress progress = { 0 };

	attempt(search, first, &progress);
	if (!is_worth(search, progress.cost, best))
		return progress;
	for (; low < high; low++) {
		if (climb(search, &schedules[low], &margin))
			try(search, progress, &margin, best);
	}
	return progress;
}

/* Try from the largest key up, until successful runs waste too much. */
static void try_heads(const struct search *search,
		      struct sw_memory_margin *best)
{
	struct progress progress = { 0 };
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(*heads) &&
	     is_worth(search, progress.spare, best); i++)
		progress = try_first(search, beyond(search, heads[i]), 0,
				     SCHEDULES_FIRST, best);
}

/* Try from it down, densely at the top, until too many runs fail. */
static void try_keys(const struct search *search,
		     struct sw_memory_margin *best)
{
	const struct sums *all = &search->up_to[search->count + TAIL_POINTS];
	size_t count = search->count, i;

	for (i = 1; i < count && i < count - count / 8; i += 1 + i / 6) {
		double key = search->keys[count - 1 - i], failed;

		/* Nobody can request less than nothing. */
		if (search->is_added && !(key + search->least_foretold > 0))
			return;
		failed = all->runs - search->up_to[try_first(search, key, 0,
			SCHEDULES_FIRST, best).done].runs;
		if (!is_worth(search, failed * search->costs->price, best))
			return;
	}
}

struct sw_memory_margin
sw_memory_margin_choose(const struct sw_memory_error *errors, size_t count,
			bool is_added, const struct sw_memory_costs *costs)
{
	struct sw_memory_margin best = { .cost = INFINITY };
	struct search search;

	init(&search, errors, count, is_added, costs);
	try_heads(&search, &best);
	try_keys(&search, &best);
	if (best.count)
		try_first(&search, best.levels[0], SCHEDULES_FIRST, SCHEDULES,
			  &best);
	if (!(best.cost < search.most))
		best.count = 0;
	best.cost /= (double)count + costs->tail_weight;
	return best;
}

double sw_memory_margin_risk(const struct sw_memory_error *errors,
			     size_t count, bool is_added,
			     const struct sw_memory_costs *costs,
			     double margin, size_t *fits)
{
	double top = errors[count - 1].key, beyond_top, unit;
	struct search search;

	init(&search, errors, count, is_added, costs);
	/* A margin rounded up to its error is not below it. */
	*fits = find(&search, margin * (margin > 0 ? 1 + 1e-9 : 1), 0);
	if (*fits > count)
		*fits = count;
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
	double level = margin->levels[more ? last : attempt - 1];

	return (margin->is_added ? foretold + level : foretold * level) *
		pow(1.5, more);
}
