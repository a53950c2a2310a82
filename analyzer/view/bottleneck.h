/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one resource that limited a step most, from the account of its time. */
#ifndef SW_ANALYZER_BOTTLENECK_H
#define SW_ANALYZER_BOTTLENECK_H

#include <stdbool.h>

#include "analyzer/view/view_limits.h"

struct sw_bottleneck {
	/* SW_LIMITED_BY_NONE: no resource had half of the time, or of what
	 * others on its CPUs left, by a quarter more than the next. */
	enum sw_limited_by resource;
	enum sw_limit limit;	/* the largest part of it; of none of all */
	double share;		/* of the time that was observed */
	double observed_seconds;	/* summed over the parts of a sum */
};

/* False where nothing was observed. */
bool sw_bottleneck_find(struct sw_bottleneck *bottleneck,
			const struct sw_view_limits *limits);

/* Whether enough was observed to be told in words. */
bool sw_bottleneck_is_sampled(const struct sw_bottleneck *bottleneck);

/* The share of one limit; NAN where nothing is known. */
double sw_limit_ratio(const struct sw_view_limits *limits,
		      enum sw_limit limit);

/* The share of all that counts to a resource; NAN where nothing is known. */
double sw_limits_ratio(const struct sw_view_limits *limits,
		       enum sw_limited_by resource);

/* Others had its CPUs for so much of the time that waits may be theirs. */
bool sw_limits_are_of_others(const struct sw_view_limits *limits);

#endif
