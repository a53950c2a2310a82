/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice on resources requested in whole units.  Needs as many runs as the
 * policy requires, and no growth of the need from run to run.
 */
#include "advice/whole.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "advice/text.h"
#include "common/missing.h"

static const double risks[] = {
	[SW_RISK_LOW] = 0,
	[SW_RISK_MEDIUM] = 0.05,
	[SW_RISK_HIGH] = 0.10,
};

struct sw_rank sw_rank_choose(const double *sorted, size_t count,
			      enum sw_risk risk)
{
	double n = (double)count;
	size_t kept = count;

	if (count == 0)
		return (struct sw_rank){ NAN, NAN };
	/* P(next > k-th of n) = (n + 1 - k) / (n + 1) */
	while (kept > 1 && (n + 2 - (double)kept) / (n + 1) <=
	       risks[risk] * (1 + 1e-9))
		kept--;
	/* It also covers equal values above it. */
	while (kept < count && sorted[kept] <= sorted[kept - 1])
		kept++;
	return (struct sw_rank){
		.value = sorted[kept - 1],
		.risk = (n + 1 - (double)kept) / (n + 1),
	};
}

bool sw_run_is_measured(const struct sw_run *run)
{
	return (run->state == SW_RUN_COMPLETED ||
		run->state == SW_RUN_UNKNOWN ||
		run->state == SW_RUN_TIMEOUT) &&
		run->elapsed_seconds > 0 && isfinite(run->elapsed_seconds);
}

struct sw_runs sw_runs_newest(const struct sw_runs *runs, size_t count)
{
	size_t first = runs->count > count ? runs->count - count : 0;

	return (struct sw_runs){
		.items = first > 0 ? runs->items + first : runs->items,
		.count = runs->count - first,
	};
}

const struct sw_run *sw_runs_asked(const struct sw_runs *runs,
				   const struct sw_query *query)
{
	if (query->asked)
		return query->asked;
	return runs->count > 0 ? &runs->items[runs->count - 1] :
		&sw_run_unknown;
}

int sw_whole_init(struct sw_whole *whole, size_t count)
{
	whole->needed = calloc(count + 1, sizeof(*whole->needed));
	whole->requested = calloc(count + 1, sizeof(*whole->requested));
	whole->indices = calloc(count + 1, sizeof(*whole->indices));
	if (whole->needed && whole->requested && whole->indices)
		return 0;
	sw_whole_fini(whole);
	errno = ENOMEM;
	return -1;
}

void sw_whole_fini(struct sw_whole *whole)
{
	free(whole->needed);
	free(whole->requested);
	free(whole->indices);
	whole->needed = whole->requested = NULL;
	whole->indices = NULL;
	whole->count = 0;
}

void sw_whole_add(struct sw_whole *whole, size_t index, double needed,
		  double requested)
{
	whole->needed[whole->count] = needed;
	whole->requested[whole->count] = requested;
	whole->indices[whole->count++] = index;
}

const struct sw_run *sw_whole_run(const struct sw_whole *whole, size_t i)
{
	return &whole->runs.items[whole->indices[i]];
}

double sw_whole_largest(const struct sw_whole *whole, size_t offset)
{
	double largest = NAN;

	for (size_t i = 0; i < whole->count; i++) {
		const char *run = (const char *)sw_whole_run(whole, i);

		largest = fmax(largest,
			       *(const double *)(const void *)(run + offset));
	}
	return largest;
}

void sw_backtest_save(struct sw_backtest *backtest, double *sum, double hours,
		      double price)
{
	if (isnan(hours))
		return;
	*sum = sw_sum_real(*sum, hours);
	backtest->saved_cost = *sum * price;
}

void sw_whole_save_cores(const struct sw_whole *whole, size_t i, double value,
			 struct sw_backtest *backtest)
{
	const struct sw_run *run = sw_whole_run(whole, i);

	sw_backtest_save(backtest, &backtest->saved_core_hours,
			 run->requested_cores *
			 (1 - value / whole->requested[i]) *
			 run->elapsed_seconds / 3600,
			 whole->policy->core_hour_price);
}

/* Choose from the first count runs, whose needs are sorted. */
static struct sw_rank choose(const struct sw_whole *whole, size_t count,
			     const double *sorted)
{
	struct sw_rank rank = sw_rank_choose(sorted, count,
					     whole->policy->risk);

	rank.value = ceil(rank.value / whole->grain) * whole->grain;
	return rank;
}

static void insert(double *sorted, size_t count, double value)
{
	for (; count > 0 && sorted[count - 1] > value; count--)
		sorted[count] = sorted[count - 1];
	sorted[count] = value;
}

/*
 * Compare each run with the advice from those before it.  Afterwards all needs
 * are sorted.
 */
static void hold_against(const struct sw_whole *whole, double *sorted,
			 struct sw_backtest *backtest)
{
	const struct sw_policy *policy = whole->policy;
	size_t first = policy->min_runs > 0 ? policy->min_runs : 1;

	for (size_t i = 0; i < whole->count; i++) {
		if (i >= first) {
			double value = fmin(choose(whole, i, sorted).value,
					    whole->requested[i]);

			backtest->of++;
			backtest->fits += value >= whole->needed[i];
			whole->save(whole, i, value, backtest);
		}
		insert(sorted, i, whole->needed[i]);
	}
}

static void refuse_few(const struct sw_whole *whole,
		       struct sw_suggestion *suggestion)
{
	sw_suggestion_withhold_few(suggestion, whole->count,
				   whole->count + whole->left_out,
				   whole->policy->min_runs, whole->runs_needed);
}

static bool is_growing(struct sw_whole *whole, size_t from)
{
	return from == whole->count && whole->drift.ratio > 1;
}

static void suggest(const struct sw_whole *whole, double *sorted,
		    struct sw_suggestion *suggestion)
{
	enum sw_risk risk = whole->policy->risk;
	double current = suggestion->current;
	struct sw_rank rank;

	hold_against(whole, sorted, &suggestion->backtest);
	rank = choose(whole, whole->count, sorted);
	suggestion->suggested = fmin(rank.value, current);
	suggestion->risk = rank.risk;
	suggestion->margin = suggestion->suggested /
		sorted[whole->count - 1];
	if (rank.value >= sorted[whole->count - 1])
		sw_text_add(suggestion->statistic,
			    sizeof(suggestion->statistic),
			    "most that any of %zu runs needed", whole->count);
	else
		sw_text_add(suggestion->statistic,
			    sizeof(suggestion->statistic),
			    "what all but %.0f %% of %zu runs needed",
			    100 * risks[risk], whole->count);
	suggestion->fit.of = whole->count;
	for (size_t i = 0; i < whole->count; i++)
		suggestion->fit.fits += whole->needed[i] <=
			suggestion->suggested;
	if (current > suggestion->suggested) {
		suggestion->retries[0] = current;
		suggestion->retry_count = 1;
	}
}

int sw_whole_advise(struct sw_whole *whole, struct sw_suggestion *suggestion)
{
	unsigned min_runs = whole->policy->min_runs;
	double *scratch = calloc(whole->count + 1, sizeof(*scratch));
	size_t from;
	int status = -1;

	suggestion->runs = whole->count;
	if (!scratch)
		return -1;
	if (whole->count == 0 || whole->count < min_runs) {
		refuse_few(whole, suggestion);
		status = 0;
		goto out;
	}
	for (size_t i = 0; i < whole->count; i++)
		scratch[i] = fmax(whole->needed[i], 1);	/* ratio to 0 */
	if (sw_drift_steady(scratch, whole->count, min_runs, &whole->drift,
			    &from) < 0)
		goto out;
	if (is_growing(whole, from))
		sw_suggestion_withhold(
			suggestion,
			"a few more runs like the "
			"next one",
			"the runs drift: they need %.2f times as "
			"many %s as before, and this has not "
			"settled (%s: p = %.1g)",
			whole->drift.ratio, whole->thing, whole->drift.test,
			whole->drift.p);
	else
		suggest(whole, scratch, suggestion);
	status = 0;
out:
	free(scratch);
	return status;
}

static void collect(struct sw_whole *whole)
{
	for (size_t i = 0; i < whole->runs.count; i++) {
		const struct sw_run *run = &whole->runs.items[i];
		double needed, requested;

		if (sw_run_is_measured(run) &&
		    whole->tell(run, &needed, &requested))
			sw_whole_add(whole, i, needed, requested);
		else
			whole->left_out++;
	}
}

int sw_whole_answer(struct sw_whole *whole, struct sw_suggestion *suggestion)
{
	int status;

	if (sw_whole_init(whole, whole->runs.count) < 0)
		return -1;
	collect(whole);
	status = sw_whole_advise(whole, suggestion);
	if (status == 0 && !suggestion->is_withheld)
		whole->say(whole, suggestion);
	sw_whole_fini(whole);
	return status;
}
