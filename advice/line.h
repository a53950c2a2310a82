/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Straight lines through weighted points. */
#ifndef SW_ADVICE_LINE_H
#define SW_ADVICE_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct sw_line {
	double intercept, slope;
};

struct sw_point {
	double x, y;
	double seconds;		/* cost of an error at the point */
};

/* Sums about running means (Welford), so that large numbers do not cancel. */
struct sw_line_sums {
	double weight, x, y, xx, xy, yy;
};

void sw_line_sums_add(struct sw_line_sums *sums, double x, double y,
		      double weight);
/* Fit by least squares; flat if x does not vary. */
struct sw_line sw_line_of(const struct sw_line_sums *sums);
/* Pearson's r; NAN if x or y does not vary. */
double sw_line_correlation(const struct sw_line_sums *sums);

static inline double sw_line_at(const struct sw_line *line, double x)
{
	return line->intercept + line->slope * x;
}

#endif
