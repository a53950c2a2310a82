/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interface between the memory advisor and its sentences. */
#ifndef SW_ADVICE_ADVISE_MEMORY_H
#define SW_ADVICE_ADVISE_MEMORY_H

#include "advice/drift.h"
#include "advice/memory_group.h"
#include "advice/suggestion.h"

/* Input of one answer. */
struct sw_memory_question {
	const struct sw_query *query;
	const struct sw_policy *policy;
	struct sw_runs runs;		/* newest ones of the group */
	const struct sw_run *last;
	size_t ended;			/* number of runs whose need is known */
	size_t killed;			/* out of memory */
	size_t from;			/* first run that counts */
	bool is_grown_input;		/* only the input grew */
	double largest_bytes;		/* largest need of all runs */
	double largest_killed_bytes;	/* most that was not enough */
	struct sw_drift drift;
	struct sw_memory_reason reason;
	struct sw_memory_bounds bounds;	/* of the current request */
};

/*
 * Set drift, and from, if the need grew; if a curve over the input explains the
 * drift, set is_grown_input instead.  Returns 0, or -1 (out of memory).
 */
int sw_memory_find_drift(struct sw_memory_question *question,
			 const struct sw_memory_group *group);

/*
 * Return which run is learned as the i-th.  If inputs grew, each run was the
 * largest so far, and learning in order of time would show nothing else: then
 * take steps of the golden section, modulo the count, which meet all of them.
 */
size_t sw_memory_place_of(const struct sw_memory_question *question, size_t i);

/* Replay what would have been suggested before each run.  0, or -1 (ENOMEM). */
int sw_memory_backtest(const struct sw_memory_question *question,
		       struct sw_backtest *backtest);

/* Each fills suggestion in; see the format for its text. */
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
