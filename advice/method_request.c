/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's own request: what all others are measured against. */
#include <math.h>
#include <stdlib.h>

#include "advice/methods.h"

/* A method without a memory still has a state: NULL is for "no memory". */
static void *create(const struct sw_policy *policy)
{
	(void)policy;
	return malloc(1);
}

static int learn(void *state, size_t group, const struct sw_run *run)
{
	(void)state;
	(void)group;
	(void)run;
	return 0;
}

static double ask(void *state, const struct sw_query *query)
{
	(void)state;
	return query->requested_bytes;
}

const struct sw_method sw_method_request = {
	.name = "request",
	.title = "the user's request",
	.source = "the run's own request",
	.create = create,
	.destroy = free,
	.learn = learn,
	.ask = ask,
};
