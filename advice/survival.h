/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bound the next value, given those seen.  Some of these are lower bounds only:
 * runs that were killed at their limit or cancelled.
 *
 * Within the observed range: Kaplan and Meier's estimate ("Nonparametric
 * estimation from incomplete observations", JASA 53 (1958) 457-481), with one
 * value at risk that never ends, the next one.  Without lower bounds this is
 * split conformal prediction: P(next > k-th of n) = 1 - k / (n + 1), whatever
 * the distribution (Vovk, Gammerman and Shafer, "Algorithmic Learning in a
 * Random World", 2005).
 *
 * Beyond that: the logarithms of the excesses over a high threshold are assumed
 * to be exponential (B. M. Hill, "A simple general approach to inference about
 * the tail of a distribution", Annals of Statistics 3 (1975) 1163-1174), lower
 * bounds as such.  With d ends among them and the sum s, a further one is above
 * x with probability (1 + x / (s + b))^-(d + a): the rate integrated out under
 * a gamma prior (A. Gelman et al., "Bayesian Data Analysis", 2.6), so that few
 * values give a wide margin by themselves.
 */
#ifndef SW_ADVICE_SURVIVAL_H
#define SW_ADVICE_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>

struct sw_survival_point {
	double value;		/* positive */
	bool is_lower_bound;
};

struct sw_survival {
	struct sw_survival_point *points;	/* by value, ends first */
	size_t count;
	size_t ends;		/* values that are not lower bounds */
};

struct sw_survival_limit {
	double value;		/* NAN: not known */
	bool is_fitted;		/* beyond the ranks: from the fitted tail */
};

void sw_survival_fini(struct sw_survival *survival);

/* 0, or -1 (errno ENOMEM; EINVAL: not positive or not finite). */
int sw_survival_add(struct sw_survival *survival, double value,
		    bool is_lower_bound);

/* Return what the next value exceeds with a probability of at most risk. */
struct sw_survival_limit
sw_survival_limit(const struct sw_survival *survival, double risk);

/* Return the probability that the next value exceeds this one. */
double sw_survival_above(const struct sw_survival *survival, double value);

/* Return the largest value, a lower bound or not; NAN. */
double sw_survival_largest(const struct sw_survival *survival);

#endif
