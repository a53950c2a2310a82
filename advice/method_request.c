/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's own request: the baseline of all other methods. */
#include "advice/methods.h"

static int learn(void *group, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	(void)group;
	(void)site;
	(void)run;
	return 0;
}

static double ask(void *group, const struct sw_asking *asking)
{
	(void)group;
	return asking->query->requested_bytes;
}

const struct sw_method sw_method_request = {
	.name = "request",
	.title = "the user's request",
	.source = "the run's own request",
	.group_size = 1,	/* unused, but not zero bytes */
	.learn = learn,
	.ask = ask,
};
