/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the advisor of memory and its sentences. */
#ifndef SW_ADVICE_ADVISE_MEMORY_H
#define SW_ADVICE_ADVISE_MEMORY_H

#include "advice/drift.h"
#include "advice/memory_group.h"
#include "advice/suggestion.h"

enum { SW_MEMORY_BACKTEST_MAX = 200 };	/* newest runs that are replayed */

/* All that goes into one answer. */
struct sw_memory_question {
	const struct sw_query *query;
	const struct sw_policy *policy;
	struct sw_runs runs;		/* the newest of the group */
	const struct sw_run *last;
	size_t ended;			/* whose need is known */
	size_t killed;			/* for want of memory */
	size_t from;			/* the first run that counts */
	double largest_bytes;		/* that was needed, of all runs */
	double largest_killed_bytes;	/* that was not enough */
	struct sw_drift drift;
	struct sw_memory_reason reason;
};

/* Each fills suggestion in; what it says is at its format. */
void sw_memory_refuse_few(const struct sw_memory_question *question,
			  struct sw_suggestion *suggestion);
void sw_memory_refuse_drift(const struct sw_memory_question *question,
			    struct sw_suggestion *suggestion);
void sw_memory_refuse_spread(const struct sw_memory_question *question,
			     struct sw_suggestion *suggestion);
void sw_memory_say_killed(const struct sw_memory_question *question,
			  struct sw_suggestion *suggestion);
void sw_memory_say_statistic(const struct sw_memory_question *question,
			     struct sw_suggestion *suggestion);
void sw_memory_say_why(const struct sw_memory_question *question,
		       struct sw_suggestion *suggestion);

#endif
