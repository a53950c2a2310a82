/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one resource that limited a step most, from its time account. */
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

/* Return false if nothing was observed. */
bool sw_bottleneck_find(struct sw_bottleneck *bottleneck,
			const struct sw_view_limits *limits);

/* Return true if enough was observed to name the bottleneck. */
bool sw_bottleneck_is_sampled(const struct sw_bottleneck *bottleneck);

/* Share of one limit; NAN if unknown. */
double sw_limit_ratio(const struct sw_view_limits *limits,
		      enum sw_limit limit);

/* Share of all limits of a resource; NAN if unknown. */
double sw_limits_ratio(const struct sw_view_limits *limits,
		       enum sw_limited_by resource);

/* Others had its CPUs for so long that its waits may be due to them. */
bool sw_limits_are_of_others(const struct sw_view_limits *limits);

#endif
