/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory recommended by a single run. */
#include "advice/memory_one_run.h"

#include <math.h>

#include "common/units.h"

static const double margin = 0.2;

double sw_memory_of_one_run(double need_bytes)
{
	double bytes = need_bytes * (1 + margin);
	double step = bytes < 4.0 * SW_GIB ? 64.0 * SW_MIB : SW_GIB;

	return ceil(bytes / step) * step;
}
