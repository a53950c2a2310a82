/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell's own method: of several simple predictors, the one whose past
 * errors, with the best margin for them, would have cost least.
 */
#include "advice/memory_group.h"
#include "advice/methods.h"

static void fini(void *group)
{
	sw_memory_group_fini(group);
}

static int learn(void *group, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	return sw_memory_group_learn(group, site, run);
}

static double ask(void *group, const struct sw_asking *asking)
{
	return sw_memory_group_ask(group, asking->site, asking->query);
}

static double again(void *group, const struct sw_asking *asking)
{
	return sw_memory_group_again(group, asking->site, asking->query,
				     asking->failed_bytes, asking->attempt);
}

static double risk(void *group, const struct sw_asking *asking, double bytes)
{
	struct sw_memory_reason reason;

	sw_memory_group_explain(group, asking->site, asking->query, bytes,
				&reason);
	return reason.risk;
}

const struct sw_method sw_method_stepwell = {
	.name = "stepwell",
	.title = "stepwell: the cheapest so far",
	.source = "this program; advice/memory_group.h and its includes",
	.group_size = sizeof(struct sw_memory_group),
	.learns_bounds = true,
	.fini = fini,
	.learn = learn,
	.ask = ask,
	.again = again,
	.risk = risk,
};
