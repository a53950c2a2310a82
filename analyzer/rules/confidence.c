/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a finding can be trusted, by how much of the run was recorded. */
#include "analyzer/rules/confidence.h"

#include <math.h>

/* With fewer intervals one odd sample decides. */
enum { INTERVALS_MIN = 10 };
static const double FEW_SAMPLES = 0.8;

double sw_confidence(const struct sw_view *view, double best)
{
	double gap = sw_ratio_u64(view->recording.gap_usec,
				  view->elapsed_usec);

	if (gap > 0)
		best *= 1 - fmin(gap, 0.9);
	return view->cores.count < INTERVALS_MIN ? best * FEW_SAMPLES : best;
}
