/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice on what is asked for in whole pieces: cores, GPUs, tasks, nodes.  The
 * caller knows how many each past run needed; here is chosen how many the next
 * one does, by ranks (see survival.h) and never by a fitted tail, for beyond
 * the largest seen there is no number to be had.
 */
#ifndef SW_ADVICE_WHOLE_H
#define SW_ADVICE_WHOLE_H

#include "advice/drift.h"
#include "advice/suggestion.h"

enum { SW_WHOLE_RUNS_MAX = 200 };

struct sw_whole {
	const char *thing;	/* "cores" */
	const char *runs_needed; /* "successful runs": which ones count */
	double grain;		/* it is a multiple of this */
	const struct sw_policy *policy;
	struct sw_runs runs;	/* the newest of the group */
	/* How many a run needed and requested; false: it does not tell. */
	bool (*tell)(const struct sw_run *run, double *needed,
		     double *requested);
	/*
	 * Adds to the backtest what run i would have saved with value in place
	 * of what it requested, never more than that.
	 */
	void (*save)(const struct sw_whole *whole, size_t i, double value,
		     struct sw_backtest *backtest);
	/* Writes the sentence of what is suggested; may refuse it. */
	void (*say)(const struct sw_whole *whole,
		    struct sw_suggestion *suggestion);
	const void *context;	/* the caller's */

	/* Runs that tell how many they needed, by their ends. */
	double *needed, *requested;	/* requested: NAN: not known */
	size_t *indices;	/* each one's among the runs */
	size_t count;
	size_t left_out;	/* failed, or nothing is known */
	struct sw_drift drift;
};

struct sw_rank {
	double value;		/* NAN: no values */
	double risk;		/* that the next one needs more, at most */
};

/*
 * The largest of sorted values for a low risk, else the smallest that one in
 * twenty, or in ten, exceeds at most.
 */
struct sw_rank sw_rank_choose(const double *sorted, size_t count,
			      enum sw_risk risk);

/* Room for runs of this count; 0, or -1 (errno ENOMEM). */
int sw_whole_init(struct sw_whole *whole, size_t count);
void sw_whole_fini(struct sw_whole *whole);
void sw_whole_add(struct sw_whole *whole, size_t index, double needed,
		  double requested);

/* The i-th of those that tell. */
const struct sw_run *sw_whole_run(const struct sw_whole *whole, size_t i);

/* The largest of a number of theirs, which is a member of it; NAN: none. */
double sw_whole_largest(const struct sw_whole *whole, size_t offset);

/*
 * Numbers, statistic, risk and backtest of a suggestion that has resource and
 * current, or why it is withheld; the sentence of one that is not is the
 * caller's. 0, or -1 (errno ENOMEM).
 */
int sw_whole_advise(struct sw_whole *whole, struct sw_suggestion *suggestion);

/* The whole of it: asks each run, chooses, and has it said.  Likewise. */
int sw_whole_answer(struct sw_whole *whole, struct sw_suggestion *suggestion);

/*
 * hours more are saved, of what costs price an hour; NAN: not known.  sum is
 * the backtest's of these hours.
 */
void sw_backtest_save(struct sw_backtest *backtest, double *sum, double hours,
		      double price);

/* A node or task that is given back takes its share of the cores with it. */
void sw_whole_save_cores(const struct sw_whole *whole, size_t i, double value,
			 struct sw_backtest *backtest);

/* Did it end well, or at its time limit, and take a time that makes sense? */
bool sw_run_is_measured(const struct sw_run *run);

/* The last count of them at most. */
struct sw_runs sw_runs_newest(const struct sw_runs *runs, size_t count);

/*
 * What is asked for now: the query's, else that of the last run; where there
 * is none, of that nothing is known.
 */
const struct sw_run *sw_runs_asked(const struct sw_runs *runs,
				   const struct sw_query *query);

#endif
