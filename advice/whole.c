/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice on what is asked for in whole pieces.  Gives up with fewer runs than
 * the policy wants, and where the need grows from run to run.
 */
#include "advice/whole.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "advice/sample.h"
#include "advice/text.h"

static const double risks[] = {
	[SW_RISK_LOW] = 0,
	[SW_RISK_MEDIUM] = 0.05,
	[SW_RISK_HIGH] = 0.10,
};

struct sw_rank sw_rank_choose(double *values, size_t count, enum sw_risk risk)
{
	double n = (double)count;
	size_t kept = count;

	if (count == 0)
		return (struct sw_rank){ NAN, NAN };
	sw_sample_sort(values, count);
	/* P(next > k-th of n) = (n + 1 - k) / (n + 1) */
	while (kept > 1 && (n + 2 - (double)kept) / (n + 1) <=
	       risks[risk] * (1 + 1e-9))
		kept--;
	/* Its equals above it are covered by it as well. */
	while (kept < count && values[kept] <= values[kept - 1])
		kept++;
	return (struct sw_rank){
		.value = values[kept - 1],
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

const struct sw_run *sw_runs_last(const struct sw_runs *runs)
{
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

/* From the first count runs; scratch has room for them. */
static struct sw_rank choose(const struct sw_whole *whole, size_t count,
			     enum sw_risk risk, double *scratch)
{
	struct sw_rank rank;

	for (size_t i = 0; i < count; i++)
		scratch[i] = whole->needed[i];
	rank = sw_rank_choose(scratch, count, risk);
	rank.value = ceil(rank.value / whole->grain) * whole->grain;
	return rank;
}

/* What each run would have been given by those before it. */
static void hold_against(const struct sw_whole *whole,
			 const struct sw_policy *policy, double *scratch,
			 struct sw_backtest *backtest)
{
	size_t first = policy->min_runs > 0 ? policy->min_runs : 1;

	for (size_t i = first; i < whole->count; i++) {
		double value = fmin(choose(whole, i, policy->risk,
					   scratch).value,
				    whole->requested[i]);

		backtest->of++;
		backtest->fits += value >= whole->needed[i];
		whole->save(whole, i, value, backtest);
	}
}

static void refuse_few(const struct sw_whole *whole, unsigned least,
		       struct sw_suggestion *suggestion)
{
	if (whole->count == 0)
		sw_suggestion_refuse(suggestion, whole->would_help,
				     "of none of %zu runs it is known how many "
				     "%s it needed", whole->left_out,
				     whole->thing);
	else
		sw_suggestion_refuse(suggestion, "more runs that end well",
				     "only of %zu of %zu runs it is known how "
				     "many %s they needed; %u are wanted",
				     whole->count,
				     whole->count + whole->left_out,
				     whole->thing, least);
}

static bool is_growing(struct sw_whole *whole, size_t from)
{
	return from == whole->count && whole->drift.ratio > 1;
}

static void suggest(const struct sw_whole *whole,
		    const struct sw_policy *policy, double *scratch,
		    struct sw_suggestion *suggestion)
{
	double current = suggestion->current;
	struct sw_rank rank = choose(whole, whole->count, policy->risk,
				     scratch);

	suggestion->suggested = fmin(rank.value, current);
	suggestion->risk = rank.risk;
	suggestion->margin = suggestion->suggested /
		scratch[whole->count - 1];	/* sorted by choose() */
	if (rank.value >= scratch[whole->count - 1])
		sw_text_add(suggestion->statistic,
			    sizeof(suggestion->statistic),
			    "most that any of %zu runs needed", whole->count);
	else
		sw_text_add(suggestion->statistic,
			    sizeof(suggestion->statistic),
			    "what all but %.0f %% of %zu runs needed",
			    100 * risks[policy->risk], whole->count);
	if (current > suggestion->suggested) {
		suggestion->ladder[0] = current;
		suggestion->ladder_count = 1;
	}
	hold_against(whole, policy, scratch, &suggestion->backtest);
}

int sw_whole_advise(struct sw_whole *whole, const struct sw_policy *policy,
		    struct sw_suggestion *suggestion)
{
	double *scratch = calloc(whole->count + 1, sizeof(*scratch));
	size_t from;
	int status = -1;

	suggestion->runs = whole->count;
	if (!scratch)
		return -1;
	if (whole->count == 0 || whole->count < policy->min_runs) {
		refuse_few(whole, policy->min_runs, suggestion);
		status = 0;
		goto out;
	}
	for (size_t i = 0; i < whole->count; i++)
		scratch[i] = fmax(whole->needed[i], 1);	/* of 0, no ratio */
	if (sw_drift_steady(scratch, whole->count, policy->min_runs,
			    &whole->drift, &from) < 0)
		goto out;
	if (is_growing(whole, from))
		sw_suggestion_refuse(suggestion, "a few more runs of the kind "
				     "that comes next",
				     "the runs drift: they need %.2f times as "
				     "many %s as before, and have not settled "
				     "(%s: p = %.1g)",
				     whole->drift.ratio, whole->thing,
				     whole->drift.test, whole->drift.p);
	else
		suggest(whole, policy, scratch, suggestion);
	status = 0;
out:
	free(scratch);
	return status;
}
