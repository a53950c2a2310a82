/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interface between the time advisor and its sentences. */
#ifndef SW_ADVICE_ADVISE_TIME_H
#define SW_ADVICE_ADVISE_TIME_H

#include "advice/drift.h"
#include "advice/suggestion.h"
#include "advice/time_model.h"

/* Older runs are not considered. */
enum { SW_TIME_RUNS_MAX = 500 };

/* A run whose time, or a lower bound of it, is known. */
struct sw_time_run {
	double seconds;
	bool is_lower_bound;
	bool is_timeout;	/* killed or held at its limit */
	double limit_seconds, cores, input_bytes;	/* NAN */
};

struct sw_time_runs {
	struct sw_time_run *items;	/* ordered by end time */
	size_t count;
	size_t ends;		/* runs that are not lower bounds */
	size_t timeouts;
	size_t left_out;	/* without a plausible time */
	bool has_inputs;	/* sw_runs_have_inputs() */
	size_t hung;		/* idle or spinning until they were ended */
};

/* Input of one answer. */
struct sw_time_question {
	const struct sw_query *query;
	const struct sw_policy *policy;
	struct sw_time_runs times;
	struct sw_time_model model;
	struct sw_drift drift;
	size_t from;		/* first run that counts */
	double risk;
	double median_seconds, largest_seconds;
	/* Seconds reserved by the scheduler and not used, in the backtest. */
	double unused_before, unused_after;
};

/* Each fills suggestion in; see the format for its text. */
void sw_time_withhold_few(const struct sw_time_question *question,
			  struct sw_suggestion *suggestion);
void sw_time_withhold_hung(const struct sw_time_question *question,
			   struct sw_suggestion *suggestion);
void sw_time_withhold_drift(const struct sw_time_question *question,
			    struct sw_suggestion *suggestion);
/* seconds: what the requested risk would need; NAN: not known. */
void sw_time_withhold_risk(const struct sw_time_question *question,
			   double seconds, struct sw_suggestion *suggestion);
void sw_time_withhold_input(const struct sw_time_question *question,
			    double largest_bytes,
			    struct sw_suggestion *suggestion);
void sw_time_say_statistic(const struct sw_time_question *question,
			   const struct sw_time_limit *limit,
			   struct sw_suggestion *suggestion);
void sw_time_say_why(const struct sw_time_question *question,
		     struct sw_suggestion *suggestion);

#endif
