/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The largest need seen, and with a margin: what people do by hand, and KRR,
 * whose margin and step after a kill differ.
 */
#include <math.h>
#include <stdlib.h>

#include "advice/groups.h"
#include "advice/methods.h"

/* By hand 20 % are added; KRR's memory_buffer_percentage is 15. */
#define BY_HAND_FACTOR 1.2
#define KRR_FACTOR 1.15
/* KRR's oom_memory_buffer_percentage. */
#define KRR_KILLED_FACTOR 1.25

struct largest {
	double factor, killed_factor;
	struct sw_groups groups;	/* of struct seen */
};

struct seen {
	double need_bytes, killed_bytes;
};

static void *create_with(double factor, double killed_factor)
{
	struct largest *state = calloc(1, sizeof(*state));

	if (!state)
		return NULL;
	state->factor = factor;
	state->killed_factor = killed_factor;
	state->groups.item_size = sizeof(struct seen);
	return state;
}

static void *create_max(const struct sw_policy *policy)
{
	(void)policy;
	return create_with(BY_HAND_FACTOR, BY_HAND_FACTOR);
}

static void *create_largest(const struct sw_policy *policy)
{
	(void)policy;
	return create_with(1, 1);
}

static void *create_krr(const struct sw_policy *policy)
{
	(void)policy;
	return create_with(KRR_FACTOR, KRR_KILLED_FACTOR);
}

static void destroy(void *opaque)
{
	struct largest *state = opaque;

	free(state->groups.items);
	free(state);
}

static int learn(void *opaque, size_t group, const struct sw_run *run)
{
	struct largest *state = opaque;
	struct seen *seen = sw_groups_get(&state->groups, group);

	if (!seen)
		return -1;
	if (run->is_lower_bound)
		seen->killed_bytes = fmax(seen->killed_bytes, run->need_bytes);
	else
		seen->need_bytes = fmax(seen->need_bytes, run->need_bytes);
	return 0;
}

static double ask(void *opaque, const struct sw_query *query)
{
	const struct largest *state = opaque;
	const struct seen *seen = sw_groups_peek(&state->groups, query->group);
	double bytes = 0;

	if (seen)
		bytes = fmax(seen->need_bytes * state->factor,
			     seen->killed_bytes * state->killed_factor);
	return bytes > 0 ? bytes : NAN;
}

static double again(void *opaque, const struct sw_query *query,
		    double failed_bytes, unsigned attempt)
{
	const struct largest *state = opaque;

	(void)query;
	(void)attempt;
	return failed_bytes * state->killed_factor;
}

const struct sw_method sw_method_largest = {
	.name = "largest",
	.title = "largest need seen",
	.source = "common practice; doubled after a failure",
	.create = create_largest,
	.destroy = destroy,
	.learn = learn,
	.ask = ask,
};

const struct sw_method sw_method_max = {
	.name = "max",
	.title = "largest need seen + 20 %",
	.source = "common practice; doubled after a failure",
	.create = create_max,
	.destroy = destroy,
	.learn = learn,
	.ask = ask,
};

const struct sw_method sw_method_krr = {
	.name = "krr",
	.title = "KRR: largest need seen + 15 %",
	.source = "robusta-dev/krr d6baa74, strategies/simple.py; killed "
		  "ones + 25 % (use_oomkill_data)",
	.create = create_krr,
	.destroy = destroy,
	.learn = learn,
	.ask = ask,
	.again = again,
};
