/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The largest need seen, with a margin: what people do by hand, and KRR, which
 * differs in margin and step after a kill.
 */
#include <math.h>

#include "advice/methods.h"

/* By hand 20 % are added; KRR's memory_buffer_percentage is 15. */
#define BY_HAND_FACTOR 1.2
#define KRR_FACTOR 1.15
/* KRR's oom_memory_buffer_percentage. */
#define KRR_KILLED_FACTOR 1.25

struct seen {
	double need_bytes, killed_bytes;
};

static int learn(void *group, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	struct seen *seen = group;

	(void)site;
	if (run->is_lower_bound)
		seen->killed_bytes = fmax(seen->killed_bytes, run->need_bytes);
	else
		seen->need_bytes = fmax(seen->need_bytes, run->need_bytes);
	return 0;
}

static double largest_of(const struct seen *seen, double factor,
			 double killed_factor)
{
	double bytes = fmax(seen->need_bytes * factor,
			    seen->killed_bytes * killed_factor);

	return bytes > 0 ? bytes : NAN;
}

static double ask_largest(void *group, const struct sw_asking *asking)
{
	(void)asking;
	return largest_of(group, 1, 1);
}

static double ask_max(void *group, const struct sw_asking *asking)
{
	(void)asking;
	return largest_of(group, BY_HAND_FACTOR, BY_HAND_FACTOR);
}

static double ask_krr(void *group, const struct sw_asking *asking)
{
	(void)asking;
	return largest_of(group, KRR_FACTOR, KRR_KILLED_FACTOR);
}

static double again_krr(void *group, const struct sw_asking *asking)
{
	(void)group;
	return asking->failed_bytes * KRR_KILLED_FACTOR;
}

const struct sw_method sw_method_largest = {
	.name = "largest",
	.title = "largest need seen",
	.source = "common practice; doubled after a failure",
	.group_size = sizeof(struct seen),
	.learns_bounds = true,
	.learn = learn,
	.ask = ask_largest,
};

const struct sw_method sw_method_max = {
	.name = "max",
	.title = "largest need seen + 20 %",
	.source = "common practice; doubled after a failure",
	.group_size = sizeof(struct seen),
	.learns_bounds = true,
	.learn = learn,
	.ask = ask_max,
};

const struct sw_method sw_method_krr = {
	.name = "krr",
	.title = "KRR: largest need seen + 15 %",
	.source = "robusta-dev/krr d6baa74, strategies/simple.py; killed "
		  "ones + 25 % (use_oomkill_data)",
	.group_size = sizeof(struct seen),
	.learns_bounds = true,
	.learn = learn,
	.ask = ask_krr,
	.again = again_krr,
};
