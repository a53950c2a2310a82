/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nights in which a change may have begun: where the ranks of the runs before
 * and after differ most (A. N. Pettitt, Applied Statistics 28 (1979), with U
 * divided by its standard deviation, so that it holds for unequal parts).
 */
#ifndef SW_ANALYZER_SWEEP_WORSE_DAYS_H
#define SW_ANALYZER_SWEEP_WORSE_DAYS_H

#include "analyzer/sweep/worse/course.h"

enum { SW_DAYS_MAX = 24 };

/*
 * Fill in the indices of the first runs of such nights, without repetition, and
 * in how many nights a change could have begun.  Return their number; -1 (errno
 * ENOMEM).
 */
int sw_days_find(const struct sw_course *course, size_t days[SW_DAYS_MAX],
		 size_t *possible);

#endif
