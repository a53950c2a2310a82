/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Witt's percentile predictor: the 95th of the needs seen, then doubled. */
#include <math.h>
#include <stdlib.h>

#include "advice/groups.h"
#include "advice/methods.h"
#include "advice/quantile.h"

#define PERCENTILE 0.95

static void *create(const struct sw_policy *policy)
{
	(void)policy;
	return sw_groups_new(sizeof(struct sw_numbers));
}

static void fini_needs(void *item)
{
	struct sw_numbers *needs = item;

	free(needs->items);
}

static void destroy(void *opaque)
{
	sw_groups_free(opaque, fini_needs);
}

static int learn(void *opaque, size_t group, const struct sw_run *run)
{
	struct sw_numbers *needs = sw_groups_get(opaque, group);

	if (!needs)
		return -1;
	/* A need that is not known has no place among the others. */
	if (run->is_lower_bound)
		return 0;
	return sw_numbers_insert(needs, run->need_bytes) < 0 ? -1 : 0;
}

static double ask(void *opaque, const struct sw_query *query)
{
	const struct sw_numbers *needs = sw_groups_peek(opaque, query->group);

	if (!needs || !needs->count)
		return NAN;
	return sw_quantile(needs->items, needs->count, PERCENTILE);
}

const struct sw_method sw_method_witt_percentile = {
	.name = "witt_percentile",
	.title = "Witt: 95th percentile",
	.source = "Witt, Wagner, Leser: Feedback-based resource allocation "
		  "for batch scheduling of scientific workflows, HPCS 2019",
	.create = create,
	.destroy = destroy,
	.learn = learn,
	.ask = ask,
};
