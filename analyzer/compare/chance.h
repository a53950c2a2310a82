/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probabilities under chance alone, and their correction for the number of
 * comparisons.
 *
 * Student's t: Student, "The probable error of a mean", Biometrika 6 (1908);
 * its distribution by the incomplete beta function, DLMF 26.5.27 and 8.17.22.
 * Exact test of counts: R. A. Fisher, "The logic of inductive inference",
 * J. Royal Statistical Society 98 (1935).  Rank test of two sets: H. B. Mann
 * and D. R. Whitney, Annals of Mathematical Statistics 18 (1947).  Correction:
 * S. Holm, "A simple sequentially rejective multiple test procedure",
 * Scandinavian J. Statistics 6 (1979).
 */
#ifndef SW_ANALYZER_CHANCE_H
#define SW_ANALYZER_CHANCE_H

#include <stddef.h>

/* Probability of at least |t| in either direction; df > 0. */
double sw_chance_t(double t, double df);

/*
 * Probability that at least this many of all failures are among these trials if
 * each of all trials could have failed; 1 for impossible numbers.
 */
double sw_chance_failures(double failures, double trials, double other_failures,
			  double other_trials);

/*
 * Probability that ranks of two sets differ at least as much, in either
 * direction: exact without ties up to SW_CHANCE_EXACT values in each set, else
 * by the normal distribution with continuity and ties.  NAN: out of memory.
 */
enum { SW_CHANCE_EXACT = 20 };
double sw_chance_ranks(const double *a, size_t a_count, const double *b,
		       size_t b_count);

/*
 * Correct the smallest of all p for the number of comparisons, in place;
 * pointers are sorted by what they point to.
 */
void sw_chance_holm(double *const *p, size_t count, size_t comparisons);

/* ln of n choose k. */
double sw_log_choose(double n, double k);

#endif
