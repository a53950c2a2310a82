/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Share of the time limit that a run used. */
#ifndef SW_ANALYZER_RULE_TIME_H
#define SW_ANALYZER_RULE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/view/view.h"

struct sw_time_use {
	uint64_t limit_usec, used_usec;
	double ratio;
};

/* Return the requested or accounted time limit; SW_MISSING if not known. */
uint64_t sw_time_limit_usec(const struct sw_view *view);

/* False if the run did not end by itself, or the limit is unknown. */
bool sw_time_use_find(struct sw_time_use *use, const struct sw_view *view);

/* Return why sw_time_use_find() is false; NULL if it is true. */
const char *sw_time_use_unknown(const struct sw_view *view);

#endif
