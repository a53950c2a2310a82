/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run a method: what it has learned of each group, and of all of them. */
#ifndef SW_ADVICE_LEARNER_H
#define SW_ADVICE_LEARNER_H

#include "advice/method.h"

struct sw_learner {
	const struct sw_method *method;
	struct sw_memory_site site;
	char *groups;		/* of method->group_size bytes */
	size_t group_count;
};

/* The caller keeps the policy. */
void sw_learner_init(struct sw_learner *learner,
		     const struct sw_method *method,
		     const struct sw_policy *policy);
void sw_learner_fini(struct sw_learner *learner);

/* As the method's functions, for a group by its number. */
int sw_learner_learn(struct sw_learner *learner, size_t group,
		     const struct sw_run *run);
double sw_learner_ask(struct sw_learner *learner,
		      const struct sw_query *query);
double sw_learner_again(struct sw_learner *learner,
			const struct sw_query *query, double failed_bytes,
			unsigned attempt);
double sw_learner_risk(struct sw_learner *learner,
		       const struct sw_query *query, double bytes);

#endif
