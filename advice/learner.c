/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run a method: an array of groups that grows as they appear. */
#include "advice/learner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/memory_settings.h"

void sw_learner_init(struct sw_learner *learner,
		     const struct sw_method *method,
		     const struct sw_policy *policy)
{
	*learner = (struct sw_learner){
		.method = method,
		.site = { .policy = policy,
			  .settings = &sw_memory_settings[policy->risk] },
	};
}

void sw_learner_fini(struct sw_learner *learner)
{
	const struct sw_method *method = learner->method;
	size_t i;

	for (i = 0; method->fini && i < learner->group_count; i++)
		method->fini(learner->groups + i * method->group_size);
	free(learner->groups);
}

/* Return NULL if out of memory (errno ENOMEM). */
static void *group_of(struct sw_learner *learner, size_t index)
{
	size_t size = learner->method->group_size, room = learner->group_count;
	char *groups;

	if (index >= room) {
		while (room <= index)
			room = room ? 2 * room : 16;
		groups = realloc(learner->groups, room * size);
		if (!groups)
			return NULL;
		memset(groups + learner->group_count * size, 0,
		       (room - learner->group_count) * size);
		learner->groups = groups;
		learner->group_count = room;
	}
	return learner->groups + index * size;
}

int sw_learner_learn(struct sw_learner *learner, size_t group,
		     const struct sw_run *run)
{
	void *kept = group_of(learner, group);

	if (kept && run->is_lower_bound && !learner->method->learns_bounds)
		return 0;
	return kept ? learner->method->learn(kept, &learner->site, run) : -1;
}

double sw_learner_ask(struct sw_learner *learner, const struct sw_query *query)
{
	const struct sw_asking asking = { &learner->site, query, 1, NAN };
	void *group = group_of(learner, query->group);

	return group ? learner->method->ask(group, &asking) : NAN;
}

double sw_learner_again(struct sw_learner *learner,
			const struct sw_query *query, double failed_bytes,
			unsigned attempt)
{
	const struct sw_asking asking = { &learner->site, query, attempt,
					  failed_bytes };
	void *group = group_of(learner, query->group);

	return group && learner->method->again ?
		learner->method->again(group, &asking) : NAN;
}

double sw_learner_risk(struct sw_learner *learner,
		       const struct sw_query *query, double bytes)
{
	const struct sw_asking asking = { &learner->site, query, 1, NAN };
	void *group = group_of(learner, query->group);

	return group && learner->method->risk ?
		learner->method->risk(group, &asking, bytes) : NAN;
}
