/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the time limit a run took. */
#ifndef SW_ANALYZER_RULE_TIME_H
#define SW_ANALYZER_RULE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/view/view.h"

struct sw_time_use {
	uint64_t limit_usec, used_usec;
	double ratio;
};

/* The time limit, requested or of Slurm's record; SW_MISSING: not known. */
uint64_t sw_time_limit_usec(const struct sw_view *view);

/* False where the run did not finish by itself, or the limit is not known. */
bool sw_time_use_find(struct sw_time_use *use, const struct sw_view *view);

/* Why it is so; NULL: it did and it is. */
const char *sw_time_use_unknown(const struct sw_view *view);

#endif
