/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far above what was foretold to stay: the margin, and those after a
 * failure, that would have cost least so far.  Cost is that of the replay:
 * byte-seconds held by failed attempts and not needed by the last, and a price
 * for each failure.
 *
 * Beyond the largest error seen lies the weight of one run, as the next of
 * exchangeable ones exceeds the largest of n with a probability of 1 / (n + 1).
 * How far beyond: W. Weibull's distribution (Journal of Applied Mechanics 18
 * (1951) 293-297) of shape 1/2, in the logarithm, with the mean that B. M.
 * Hill, "A simple general approach to inference about the tail of a
 * distribution", Annals of Statistics 3 (1975) 1163-1174, finds in the upper
 * errors, drawn to a prior as these are few.
 */
#ifndef SW_ADVICE_MEMORY_MARGIN_H
#define SW_ADVICE_MEMORY_MARGIN_H

#include <stdbool.h>
#include <stddef.h>

enum { SW_MEMORY_LEVELS = 4, SW_MEMORY_ERRORS_MAX = 513 };

/* What was foretold, came, and weighs. */
struct sw_memory_error {
	double key;		/* need / foretold, or need - foretold */
	double foretold, need, seconds;
};

struct sw_memory_costs {
	double price;		/* byte-seconds for each failure */
	double time_to_failure;
	double retry_factor;	/* at least */
	double tail_prior;	/* mean of the logarithm beyond the largest */
	double tail_bytes;	/* as much is added to that mean */
	double tail_weight;	/* in runs */
	double most;		/* of one run; what costs more is not wanted */
};

/* First attempt and those after it; then half as much again and again. */
struct sw_memory_margin {
	bool is_added;
	double levels[SW_MEMORY_LEVELS];
	size_t count;		/* 0: none costs less than the most */
	double cost;		/* of one run, byte-seconds */
};

/* The mean logarithm of the largest keys over the next one below. */
double sw_memory_tail(const struct sw_memory_error *errors, size_t count,
		      bool is_added, double prior);

/* errors are sorted by their keys, from 1 to SW_MEMORY_ERRORS_MAX of them. */
struct sw_memory_margin
sw_memory_margin_choose(const struct sw_memory_error *errors, size_t count,
			bool is_added, const struct sw_memory_costs *costs);

/*
 * That the next error is above a margin; fits: how many of the errors are not.
 */
double sw_memory_margin_risk(const struct sw_memory_error *errors,
			     size_t count, bool is_added,
			     const struct sw_memory_costs *costs,
			     double margin, size_t *fits);

/* Bytes for an attempt, from 1. */
double sw_memory_margin_apply(const struct sw_memory_margin *margin,
			      double foretold, unsigned attempt);

#endif
