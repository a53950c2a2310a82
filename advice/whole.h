/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice on resources requested in whole units: cores, GPUs, tasks, nodes.  The
 * caller knows how many each past run needed.  The number for the next run is
 * chosen by ranks (see survival.h), never from a fitted tail, since beyond the
 * largest value seen there are no numbers.
 */
#ifndef SW_ADVICE_WHOLE_H
#define SW_ADVICE_WHOLE_H

#include "advice/drift.h"
#include "advice/suggestion.h"

enum { SW_WHOLE_RUNS_MAX = 200 };

struct sw_whole {
	const char *thing;	/* "cores" */
	const char *runs_needed; /* "successful runs": runs that count */
	double grain;		/* results are multiples of this */
	const struct sw_policy *policy;
	struct sw_runs runs;	/* newest ones of the group */
	/* Number that a run needed and requested; false: not known. */
	bool (*tell)(const struct sw_run *run, double *needed,
		     double *requested);
	/*
	 * Add to the backtest what run i would have saved with value instead of
	 * its request, never more than that.
	 */
	void (*save)(const struct sw_whole *whole, size_t i, double value,
		     struct sw_backtest *backtest);
	/* Write the sentence for the suggestion; may refuse it. */
	void (*say)(const struct sw_whole *whole,
		    struct sw_suggestion *suggestion);
	const void *context;	/* the caller's */

	/* Runs whose need is known, ordered by end time. */
	double *needed, *requested;	/* requested: NAN: not known */
	size_t *indices;	/* of each one among the runs */
	size_t count;
	size_t left_out;	/* failed, or nothing known */
	struct sw_drift drift;
};

struct sw_rank {
	double value;		/* NAN: no values */
	double risk;		/* upper bound that the next one needs more */
};

/*
 * Return the largest of sorted values for a low risk, otherwise the smallest
 * that at most one in twenty, or in ten, exceeds.
 */
struct sw_rank sw_rank_choose(const double *sorted, size_t count,
			      enum sw_risk risk);

/* Make room for this many runs; returns 0, or -1 (errno ENOMEM). */
int sw_whole_init(struct sw_whole *whole, size_t count);
void sw_whole_fini(struct sw_whole *whole);
void sw_whole_add(struct sw_whole *whole, size_t index, double needed,
		  double requested);

/* Return the i-th run whose need is known. */
const struct sw_run *sw_whole_run(const struct sw_whole *whole, size_t i);

/* Return the maximum of a member of their runs, by its offset; NAN: none. */
double sw_whole_largest(const struct sw_whole *whole, size_t offset);

/*
 * Set numbers, statistic, risk and backtest of a suggestion that has resource
 * and current, or the reason for withholding it; the caller writes the sentence
 * of one that is not withheld.  Returns 0, or -1 (errno ENOMEM).
 */
int sw_whole_advise(struct sw_whole *whole, struct sw_suggestion *suggestion);

/* Do everything: collect needs, choose, write the sentence.  Likewise. */
int sw_whole_answer(struct sw_whole *whole, struct sw_suggestion *suggestion);

/*
 * Add hours saved at price an hour; NAN: not known.  sum is the backtest's
 * total of these hours.
 */
void sw_backtest_save(struct sw_backtest *backtest, double *sum, double hours,
		      double price);

/* A node or task that is saved includes its share of the cores. */
void sw_whole_save_cores(const struct sw_whole *whole, size_t i, double value,
			 struct sw_backtest *backtest);

/* Did it succeed, or reach its time limit, after a plausible time? */
bool sw_run_is_measured(const struct sw_run *run);

/* Return the last count runs at most. */
struct sw_runs sw_runs_newest(const struct sw_runs *runs, size_t count);

/*
 * Return the current request: the query's, otherwise that of the last run;
 * sw_run_unknown if there is neither.
 */
const struct sw_run *sw_runs_asked(const struct sw_runs *runs,
				   const struct sw_query *query);

#endif
