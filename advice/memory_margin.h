/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choose the margin above the prediction, and those after a failure, that would
 * have cost least so far.  The cost is that of the replay: byte-seconds held by
 * failed attempts and not needed by the last, and a price for each failure.
 *
 * The tail beyond the largest error has the weight of one run, since the next
 * of exchangeable runs exceeds the largest of n with a probability of 1 / (n +
 * 1).  Its distribution is W. Weibull's (Journal of Applied Mechanics 18 (1951)
 * 293-297) of shape 1/2, in the logarithm, with the mean that B. M. Hill, "A
 * simple general approach to inference about the tail of a distribution",
 * Annals of Statistics 3 (1975) 1163-1174, finds in the upper errors, shrunk
 * towards a prior as these are few.
 */
#ifndef SW_ADVICE_MEMORY_MARGIN_H
#define SW_ADVICE_MEMORY_MARGIN_H

#include <stdbool.h>
#include <stddef.h>

enum { SW_MEMORY_LEVELS = 4, SW_MEMORY_ERRORS_MAX = 513 };

/* A prediction, the need, and its weight. */
struct sw_memory_error {
	double key;		/* need / foretold, or need - foretold */
	double foretold, need, seconds;
};

struct sw_memory_costs {
	double price;		/* byte-seconds for each failure */
	double time_to_failure;
	double retry_factor;	/* minimum */
	double tail_prior;	/* mean of the logarithm beyond the largest */
	double tail_bytes;	/* added to that mean, in bytes */
	double tail_weight;	/* in runs */
	double most;		/* of one run; higher costs are rejected */
};

/* Levels of the first attempts; after them half as much again each time. */
struct sw_memory_margin {
	bool is_added;
	double levels[SW_MEMORY_LEVELS];
	size_t count;		/* 0: none costs less than the maximum */
	double cost;		/* of one run, byte-seconds */
};

/* Return the mean logarithm of the largest keys over the next one below. */
double sw_memory_tail(const struct sw_memory_error *errors, size_t count,
		      bool is_added, double prior);

/* errors are sorted by key; there are 1 to SW_MEMORY_ERRORS_MAX. */
struct sw_memory_margin
sw_memory_margin_choose(const struct sw_memory_error *errors, size_t count,
			bool is_added, const struct sw_memory_costs *costs);

/*
 * Return the probability that the next error is above a margin; *fits is the
 * number of errors that are not.
 */
double sw_memory_margin_risk(const struct sw_memory_error *errors,
			     size_t count, bool is_added,
			     const struct sw_memory_costs *costs,
			     double margin, size_t *fits);

/* Return the bytes for an attempt, from 1. */
double sw_memory_margin_apply(const struct sw_memory_margin *margin,
			      double foretold, unsigned attempt);

#endif
