/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantiles of numbers. */
#include "advice/quantile.h"

#include <math.h>

double sw_quantile(const double *sorted, size_t count, double share)
{
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - floor(place)) *
			       (sorted[below + 1] - sorted[below]);
}
