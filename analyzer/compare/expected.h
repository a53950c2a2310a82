/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an amount is expected to be, from past amounts and, where they are
 * known, the sizes of inputs.
 *
 * On the scale of logarithms, the amount is a straight line of the input, or a
 * constant: the median of the slopes between all pairs of points (P. K. Sen,
 * "Estimates of the regression coefficient based on Kendall's tau", J. American
 * Statistical Association 63 (1968)) and the median of what remains.  Its
 * spread is the standard deviation after values further than four median
 * absolute deviations have been drawn in to there (J. W. Tukey and D. H.
 * McLaughlin, "Less vulnerable confidence and significance procedures", Sankhya
 * A 25 (1963)), and the interval of the next value that of Student's t.
 */
#ifndef SW_ANALYZER_EXPECTED_H
#define SW_ANALYZER_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>

enum { SW_EXPECTED_RUNS = 64, SW_EXPECTED_LEAST = 5 };

/* Past amounts and inputs (NAN: unknown), oldest first. */
struct sw_past_amounts {
	double amount[SW_EXPECTED_RUNS], input[SW_EXPECTED_RUNS];
	size_t count;
};

/* The line through them; runs 0: too few. */
struct sw_amount_line {
	size_t runs;
	bool is_by_input;
	double unit;
	double slope, level;  /* of logarithms; the level at the mean input */
	double mean, squares; /* of the logarithms of inputs */
	double spread, df;
	double rest[SW_EXPECTED_RUNS]; /* distances from the line */
};

struct sw_expected {
	size_t runs; /* that it is from; 0: too few */
	bool is_by_input;
	double amount;	    /* expected */
	double least, most; /* in the past, for inputs like this one */
	double p;	    /* of being as far away by chance */
	double rank_p;	    /* the same, only by the order of values */
};

/*
 * Fit past amounts; by their inputs if needs_input and enough are known.
 * Amounts much smaller than unit are all alike; floor is the least spread of
 * logarithms.
 */
void sw_fit_amounts(struct sw_amount_line *fit, const struct sw_past_amounts *past,
		    bool needs_input, double unit, double floor);

/* Distance of an amount from the line; 0 is as expected. */
double sw_fit_rest(const struct sw_amount_line *fit, double amount, double input);

/* Judge an amount with this input (NAN: unknown). */
void sw_expect(struct sw_expected *expected, const struct sw_past_amounts *past,
	       double amount, double input, double unit, double floor);

#endif
