/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell's own method: of several simple ways to foretell need the one whose
 * past errors, with the margin that suits them, would have cost least.
 */
#include <math.h>
#include <stdlib.h>

#include "advice/groups.h"
#include "advice/memory_group.h"
#include "advice/methods.h"

struct stepwell {
	struct sw_memory_site site;
	struct sw_groups groups;
};

static void *create(const struct sw_policy *policy)
{
	struct stepwell *state = calloc(1, sizeof(*state));

	if (!state)
		return NULL;
	state->site.policy = policy;
	state->site.settings = &sw_memory_settings[policy->risk];
	state->groups.item_size = sizeof(struct sw_memory_group);
	return state;
}

static void destroy(void *opaque)
{
	struct stepwell *state = opaque;
	size_t i;

	for (i = 0; i < state->groups.count; i++)
		sw_memory_group_fini(sw_groups_peek(&state->groups, i));
	free(state->groups.items);
	free(state);
}

static int learn(void *opaque, size_t index, const struct sw_run *run)
{
	struct stepwell *state = opaque;
	struct sw_memory_group *group = sw_groups_get(&state->groups, index);

	return group ? sw_memory_group_learn(group, &state->site, run) : -1;
}

static double ask(void *opaque, const struct sw_query *query)
{
	struct stepwell *state = opaque;
	struct sw_memory_group *group = sw_groups_get(&state->groups,
						      query->group);

	return group ? sw_memory_group_ask(group, &state->site, query) : NAN;
}

static double again(void *opaque, const struct sw_query *query,
		    double failed_bytes, unsigned attempt)
{
	struct stepwell *state = opaque;
	struct sw_memory_group *group = sw_groups_peek(&state->groups,
						       query->group);

	return group ? sw_memory_group_again(group, &state->site, query,
					     failed_bytes, attempt) : NAN;
}

static double risk(void *opaque, const struct sw_query *query, double bytes)
{
	struct stepwell *state = opaque;
	struct sw_memory_group *group = sw_groups_peek(&state->groups,
						       query->group);
	struct sw_memory_reason reason = { .risk = NAN };

	if (group)
		sw_memory_group_explain(group, &state->site, query, bytes,
					&reason);
	return reason.risk;
}

const struct sw_method sw_method_stepwell = {
	.name = "stepwell",
	.title = "stepwell: the cheapest so far",
	.source = "this program; advice/memory_group.h and its includes",
	.create = create,
	.destroy = destroy,
	.learn = learn,
	.ask = ask,
	.again = again,
	.risk = risk,
};
