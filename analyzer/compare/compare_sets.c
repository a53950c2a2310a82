/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of runs beside an earlier one: what got worse, or better. */
#include <math.h>
#include <string.h>

#include "advice/sample.h"
#include "analyzer/compare/chance.h"
#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"

/* Tests by ranks and of numbers assume no distribution. */
static const double MOST_P = 0.001;

struct set {
	/* All, and those that succeeded. */
	const struct sw_fingerprint *all[SW_EXPECTED_RUNS];
	const struct sw_fingerprint *good[SW_EXPECTED_RUNS];
	size_t count, good_count;
};

static void take_set(struct set *set, const struct sw_fingerprint *const *runs,
		     size_t count)
{
	size_t i;

	set->count = sw_take_newest(set->all, runs, count, false);
	set->good_count = 0;
	for (i = 0; i < set->count; i++) {
		if (sw_fingerprint_teaches(set->all[i]))
			set->good[set->good_count++] = set->all[i];
	}
}

/* Numbers of runs in which it happened, and of those that are known. */
static void count_runs(const struct set *set,
		       const struct sw_difference *event, double *hits,
		       double *of)
{
	size_t i;

	*hits = *of = 0;
	for (i = 0; i < set->count; i++) {
		double hit = sw_difference_value(set->all[i], event);

		if (isnan(hit))
			continue;
		*hits += hit;
		++*of;
	}
}

static int compare_event(struct sw_comparison *comparison,
			 const struct set *now, const struct set *past,
			 const struct sw_difference *event)
{
	struct sw_difference difference = *event;
	double hits, known;

	count_runs(past, event, &hits, &known);
	count_runs(now, event, &difference.value, &difference.of);
	if (known < SW_EXPECTED_LEAST || difference.of < SW_EXPECTED_LEAST)
		return 0;
	difference.is_of_runs = true;
	difference.usual = hits / known * difference.of;
	difference.runs = (size_t)known;
	difference.p = sw_chance_failures(difference.value, difference.of, hits,
					  known);
	difference.rank_p = 0;
	return sw_comparison_add(comparison, &difference);
}

/* Compare the distances of both from what the earlier ones let expect. */
static int compare_amount(struct sw_comparison *comparison,
			  const struct sw_difference *of,
			  const struct sw_past_amounts *now,
			  const struct sw_past_amounts *past,
			  const struct sw_amount_kind *kind)
{
	double rest[SW_EXPECTED_RUNS], scratch[SW_EXPECTED_RUNS];
	struct sw_difference difference = *of;
	double change;
	bool is_by_input = true;
	struct sw_amount_line fit;
	size_t i;

	for (i = 0; i < now->count; i++)
		is_by_input &= now->input[i] > 0;
	sw_fit_amounts(&fit, past, is_by_input, kind->unit, kind->floor);
	if (fit.runs == 0 || now->count < SW_EXPECTED_LEAST)
		return 0;
	for (i = 0; i < now->count; i++)
		rest[i] = sw_fit_rest(&fit, now->amount[i], now->input[i]);
	change = exp(sw_sample_median(scratch, rest, now->count));
	difference.kind = change < 1 ? SW_DIFFERS_LESS : SW_DIFFERS_MORE;
	difference.value = sw_sample_median(scratch, now->amount, now->count);
	difference.usual =
		fmax(0, (difference.value + kind->unit) / change - kind->unit);
	difference.is_by_input = fit.is_by_input;
	difference.runs = fit.runs;
	difference.rank_p = 0;
	difference.p = sw_chance_ranks(rest, now->count, fit.rest, fit.runs);
	if (isnan(difference.p))
		return -1;
	if (fmax(change, 1 / change) < kind->ratio)
		difference.p = 1;
	return sw_comparison_add(comparison, &difference);
}

static int compare_step(struct sw_comparison *comparison, const struct set *now,
			const struct set *past)
{
	const char *mount = now->all[now->count - 1]->environment.mount;
	struct sw_difference difference = sw_difference_none;
	struct sw_past_amounts amounts, before;
	size_t i;
	int rc;

	difference.kind = SW_DIFFERS_STATE;
	rc = compare_event(comparison, now, past, &difference);
	for (i = 0; i < SW_STEP_AMOUNTS && rc == 0; i++) {
		enum sw_step_amount amount = (enum sw_step_amount)i;

		sw_gather_step(&amounts, now->good, now->good_count, amount,
			       mount);
		sw_gather_step(&before, past->good, past->good_count, amount,
			       mount);
		difference.amount = amount;
		rc = compare_amount(comparison, &difference, &amounts, &before,
				    &sw_step_amounts[amount]);
	}
	return rc;
}

static int compare_program(struct sw_comparison *comparison,
			   const struct set *now, const struct set *past,
			   const char *name)
{
	struct sw_difference difference = sw_difference_none;
	struct sw_past_amounts amounts, before;
	size_t i;
	int rc;

	difference.program = name;
	difference.kind = SW_DIFFERS_RATE;
	rc = compare_event(comparison, now, past, &difference);
	difference.kind = SW_DIFFERS_ABSENT;
	if (rc == 0)
		rc = compare_event(comparison, now, past, &difference);
	for (i = 0; i < SW_PROGRAM_AMOUNTS && rc == 0; i++) {
		enum sw_program_amount amount = (enum sw_program_amount)i;

		if (!sw_amount_matters(past->good, past->good_count, name,
				       amount) &&
		    !sw_amount_matters(now->good, now->good_count, name,
				       amount))
			continue;
		sw_gather_program(&amounts, now->good, now->good_count, amount,
				  name);
		sw_gather_program(&before, past->good, past->good_count, amount,
				  name);
		difference.amount = amount;
		rc = compare_amount(comparison, &difference, &amounts, &before,
				    &sw_program_amounts[amount]);
	}
	return rc;
}

/* Is the program in an earlier run of the list? */
static bool has_come(const struct sw_fingerprint *const *runs, size_t before,
		     const char *name)
{
	size_t i;

	for (i = 0; i < before; i++) {
		if (sw_fingerprint_find(runs[i], name))
			return true;
	}
	return false;
}

/* The programs of past runs, each once. */
static int compare_programs(struct sw_comparison *comparison,
			    const struct set *now, const struct set *past)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < past->count; i++) {
		const struct sw_fingerprint *run = past->all[i];

		for (j = 0; j < run->program_count && rc == 0; j++) {
			const char *name = run->programs[j].name;

			if (!has_come(past->all, i, name))
				rc = compare_program(comparison, now, past,
						     name);
		}
	}
	return rc;
}

int sw_compare_sets(struct sw_comparison *comparison,
		    const struct sw_fingerprint *const *runs, size_t count,
		    const struct sw_fingerprint *const *past, size_t past_count)
{
	struct set now, before;

	memset(comparison, 0, sizeof(*comparison));
	take_set(&now, runs, count);
	take_set(&before, past, past_count);
	comparison->taught = before.good_count;
	comparison->most_p = MOST_P;
	if (before.good_count < SW_EXPECTED_LEAST ||
	    now.count < SW_EXPECTED_LEAST)
		return 0;
	if (compare_step(comparison, &now, &before) < 0 ||
	    compare_programs(comparison, &now, &before) < 0 ||
	    sw_comparison_settle(comparison) < 0)
		return -1;
	sw_compare_environments(
		comparison, &(struct sw_run_set){ now.all, now.count },
		&(struct sw_run_set){ before.all, before.count });
	return sw_comparison_explain(comparison, now.all[now.count - 1]);
}
