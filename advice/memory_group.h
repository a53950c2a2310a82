/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Learn one group of runs and choose its request.
 *
 * A run that needs more than all before it never lowers the answer: the answer
 * from before is kept until a run comes that does not.
 */
#ifndef SW_ADVICE_MEMORY_GROUP_H
#define SW_ADVICE_MEMORY_GROUP_H

#include "advice/memory_bounds.h"
#include "advice/memory_expert.h"
#include "advice/memory_order.h"
#include "advice/memory_risk.h"
#include "advice/memory_said.h"
#include "advice/memory_settings.h"

enum { SW_MEMORY_ORDERS = 2 * SW_MEMORY_EXPERTS_MAX };

/* The expert to use, and the margin above it. */
struct sw_memory_rule {
	size_t expert;
	struct sw_memory_margin margin;
	size_t count;		/* runs it was chosen from; 0: none */
};

enum { SW_MEMORY_RULES = 4 };

/* By what is known of the next run: nothing, input, request, both. */
struct sw_memory_rules {
	struct sw_memory_rule items[SW_MEMORY_RULES];
};

struct sw_memory_held {
	struct sw_memory_view view;
	struct sw_memory_rules rules;
};

struct sw_memory_group {
	struct sw_memory_past past;
	struct sw_memory_said said;
	struct sw_memory_order orders[SW_MEMORY_ORDERS];
	struct sw_memory_rules rules;
	struct sw_memory_held held[SW_MEMORY_HELD_MAX];
	size_t held_count;
	double largest_need;	/* that was seen, not inferred */
	double open_bytes;	/* the largest of its runs; 0: none */
};

/* Reasons of an answer. */
struct sw_memory_reason {
	const struct sw_memory_expert *expert;	/* NULL: no rule */
	bool is_held;		/* from before the newest, largest runs */
	size_t errors;		/* errors the margin was chosen from */
	size_t fits;		/* errors below the margin */
	/* 95th to 5th percentile of need to prediction, by the best expert. */
	double spread;
	double above_largest;	/* bytes to those of the largest error; ratio */
	double beyond_input;	/* input to the largest seen; 1: not larger */
	bool grows;		/* prediction grows with the input */
	double risk;		/* probability that the next run needs more */
};

void sw_memory_group_fini(struct sw_memory_group *group);

/* Learn a run and add its cost to the site's.  0, or -1 (errno ENOMEM). */
int sw_memory_group_learn(struct sw_memory_group *group,
			  struct sw_memory_site *site,
			  const struct sw_run *run);

/* Not less than what a run had of which it is not known that less would do. */
double sw_memory_group_keep_open(const struct sw_memory_group *group,
				 const struct sw_query *query, double bytes);

/* Bytes within the bounds (memory_bounds.h); NAN: nothing was learned. */
double sw_memory_group_say(struct sw_memory_group *group,
			   const struct sw_memory_site *site,
			   const struct sw_query *query);

/* The same for a run that will be learned when it ends. */
double sw_memory_group_ask(struct sw_memory_group *group,
			   const struct sw_memory_site *site,
			   const struct sw_query *query);

/* Return the bytes for attempt 2 and up. */
double sw_memory_group_again(struct sw_memory_group *group,
			     const struct sw_memory_site *site,
			     const struct sw_query *query, double failed_bytes,
			     unsigned attempt);

/* Explain bytes, the answer to this query. */
void sw_memory_group_explain(struct sw_memory_group *group,
			     const struct sw_memory_site *site,
			     const struct sw_query *query, double bytes,
			     struct sw_memory_reason *reason);

#endif
