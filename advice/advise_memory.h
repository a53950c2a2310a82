/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the advisor of memory and its sentences. */
#ifndef SW_ADVICE_ADVISE_MEMORY_H
#define SW_ADVICE_ADVISE_MEMORY_H

#include "advice/drift.h"
#include "advice/memory_group.h"
#include "advice/suggestion.h"

/* All that goes into one answer. */
struct sw_memory_question {
	const struct sw_query *query;
	const struct sw_policy *policy;
	struct sw_runs runs;		/* the newest of the group */
	const struct sw_run *last;
	size_t ended;			/* whose need is known */
	size_t killed;			/* for want of memory */
	size_t from;			/* the first run that counts */
	bool is_grown_input;		/* what grew is the input alone */
	double largest_bytes;		/* that was needed, of all runs */
	double largest_killed_bytes;	/* that was not enough */
	struct sw_drift drift;
	struct sw_memory_reason reason;
	struct sw_memory_bounds bounds;	/* of what is requested now */
};

/*
 * Sets drift, and from, where need grew; where a curve over the input leaves
 * no drift, is_grown_input instead.  0, or -1 (no memory).
 */
int sw_memory_find_drift(struct sw_memory_question *question,
			 const struct sw_memory_group *group);

/*
 * Which run is learned as the i-th.  Where inputs grew, each run was the
 * largest so far, and nothing but that could be learned in the order of time:
 * then steps of the golden section, on and around, that meet all of them.
 */
size_t sw_memory_place_of(const struct sw_memory_question *question, size_t i);

/* What would have been suggested before each run.  0, or -1 (no memory). */
int sw_memory_backtest(const struct sw_memory_question *question,
		       struct sw_backtest *backtest);

/* Each fills suggestion in; what it says is at its format. */
void sw_memory_withhold_few(const struct sw_memory_question *question,
			    struct sw_suggestion *suggestion);
void sw_memory_withhold_drift(const struct sw_memory_question *question,
			      struct sw_suggestion *suggestion);
void sw_memory_withhold_spread(const struct sw_memory_question *question,
			       struct sw_suggestion *suggestion);
void sw_memory_say_killed(const struct sw_memory_question *question,
			  struct sw_suggestion *suggestion);
void sw_memory_say_statistic(const struct sw_memory_question *question,
			     struct sw_suggestion *suggestion);
void sw_memory_say_why(const struct sw_memory_question *question,
		       struct sw_suggestion *suggestion);

#endif
