/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Straight lines through weighted points. */
#include "advice/line.h"

#include <math.h>

void sw_line_sums_add(struct sw_line_sums *sums, double x, double y,
		      double weight)
{
	double dx = x - sums->x, dy = y - sums->y;

	if (!(weight > 0))
		return;
	sums->weight += weight;
	sums->x += dx * weight / sums->weight;
	sums->y += dy * weight / sums->weight;
	sums->xx += weight * dx * (x - sums->x);
	sums->xy += weight * dx * (y - sums->y);
	sums->yy += weight * dy * (y - sums->y);
}

struct sw_line sw_line_of(const struct sw_line_sums *sums)
{
	struct sw_line line = { 0 };

	if (sums->xx > 0)
		line.slope = sums->xy / sums->xx;
	line.intercept = sums->y - line.slope * sums->x;
	return line;
}

double sw_line_correlation(const struct sw_line_sums *sums)
{
	if (!(sums->xx > 0) || !(sums->yy > 0))
		return NAN;
	return sums->xy / sqrt(sums->xx * sums->yy);
}
