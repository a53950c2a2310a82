/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rules of I/O share. */
#include "analyzer/rules/rule_io.h"

#include <math.h>

#include "analyzer/view/bottleneck.h"
#include "common/missing.h"

double sw_io_wait_ratio(const struct sw_view *view)
{
	return fmax(sw_limit_ratio(&view->limits, SW_LIMIT_IO),
		    sw_ratio_u64(view->io.stalled_usec, view->elapsed_usec));
}
