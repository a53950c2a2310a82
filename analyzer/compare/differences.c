/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of differences, and those of its candidates that remain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/chance.h"
#include "analyzer/compare/compare_internal.h"
#include "common/grow.h"
#include "common/missing.h"

/* Probabilities from which a difference is likely, and almost sure. */
static const double LIKELY_P = 0.05, ALMOST_P = 0.01;

/* For rounding of fractions of runs. */
static const double ROUNDING = 1e-9;

const struct sw_difference sw_difference_none = {
	.value = NAN,
	.usual = NAN,
	.of = NAN,
	.least = NAN,
	.most = NAN,
	.p = 1,
	.rank_p = 1,
	.started_usec = INFINITY,
	.explained_by = SW_NO_INDEX,
};

int sw_comparison_add(struct sw_comparison *comparison,
		      const struct sw_difference *difference)
{
	if (sw_grow(&comparison->differences, comparison->count,
		    sizeof(*comparison->differences)) < 0)
		return -1;
	comparison->differences[comparison->count++] = *difference;
	return 0;
}

bool sw_comparison_is_elsewhere(const struct sw_comparison *comparison)
{
	return comparison->environment_count > 0 &&
	       comparison->environment[0].kind != SW_DIFFERS_NODE;
}

static bool is_cpu_time(const struct sw_difference *difference)
{
	return difference->program ? difference->amount == SW_PROGRAM_CPU_USEC
				   : difference->amount == SW_STEP_CPU_USEC;
}

bool sw_difference_is_incomplete(const struct sw_comparison *comparison,
				 const struct sw_difference *difference)
{
	switch (difference->kind) {
	case SW_DIFFERS_STATE:
	case SW_DIFFERS_EXIT:
	case SW_DIFFERS_ABSENT:
	case SW_DIFFERS_RATE:
	case SW_DIFFERS_FEWER:
		return true;
	case SW_DIFFERS_LESS:
		return sw_difference_is_bytes(difference) ||
		       (difference->program &&
			difference->amount == SW_PROGRAM_COUNT) ||
		       (is_cpu_time(difference) &&
			!sw_comparison_is_elsewhere(comparison));
	default:
		return false;
	}
}

/* This run alone did it: its p is of all runs, and needs no correction. */
static bool is_odd(enum sw_difference_kind kind)
{
	return kind == SW_DIFFERS_EXIT || kind == SW_DIFFERS_ABSENT ||
	       kind == SW_DIFFERS_FEWER || kind == SW_DIFFERS_PHASE ||
	       kind == SW_DIFFERS_PRESENT || kind == SW_DIFFERS_NUMEROUS;
}

static bool is_corrected(const struct sw_difference *difference)
{
	return difference->is_of_runs ||
	       (difference->kind != SW_DIFFERS_STATE &&
		!is_odd(difference->kind));
}

/*
 * In another environment, the first questions are if the run took longer and
 * used more CPU time: two comparisons, chosen before any is made.
 */
static bool is_first_question(const struct sw_comparison *comparison,
			      const struct sw_difference *difference)
{
	return sw_comparison_is_elsewhere(comparison) && !difference->program &&
	       (difference->kind == SW_DIFFERS_LESS ||
		difference->kind == SW_DIFFERS_MORE) &&
	       (difference->amount == SW_STEP_ELAPSED_USEC ||
		difference->amount == SW_STEP_CPU_USEC);
}

static int by_p(const void *a, const void *b)
{
	double left = **(double *const *)a, right = **(double *const *)b;

	return (left > right) - (left < right);
}

/* Correct the first questions, or all other comparisons. */
static int correct(struct sw_comparison *comparison, bool is_first)
{
	double **p = calloc(comparison->count + 1, sizeof(*p));
	size_t count = 0, i;

	if (!p)
		return -1;
	for (i = 0; i < comparison->count; i++) {
		struct sw_difference *one = &comparison->differences[i];

		if (is_corrected(one) &&
		    is_first_question(comparison, one) == is_first)
			p[count++] = &one->p;
	}
	qsort(p, count, sizeof(*p), by_p);
	sw_chance_holm((double *const *)p, count, count);
	comparison->comparisons += count;
	free(p);
	return 0;
}

static bool is_different(const struct sw_comparison *comparison,
			 const struct sw_difference *difference)
{
	double alone = 1 / ((double)difference->runs + 1) + ROUNDING;
	double least = is_first_question(comparison, difference)
			       ? ALMOST_P
			       : comparison->most_p;

	if (is_corrected(difference) && difference->p > least)
		return false;
	return difference->rank_p <= fmax(LIKELY_P, alone);
}

/* A new status is one fact with the larger rate of failures. */
static void join_rates(struct sw_comparison *comparison)
{
	struct sw_difference *all = comparison->differences;
	size_t i, j;

	for (i = 0; i < comparison->count; i++) {
		for (j = 0;
		     all[i].kind == SW_DIFFERS_EXIT && j < comparison->count;
		     j++) {
			if (all[j].kind != SW_DIFFERS_RATE ||
			    strcmp(all[j].program, all[i].program) != 0 ||
			    !is_different(comparison, &all[i]))
				continue;
			all[i].p = fmin(all[i].p, all[j].p);
			all[j].p = 1;
		}
	}
}

static enum sw_sure sure_of(double p)
{
	if (p <= ALMOST_P)
		return SW_SURE_ALMOST;
	return p <= LIKELY_P ? SW_SURE_LIKELY : SW_SURE_POSSIBLE;
}

int sw_comparison_settle(struct sw_comparison *comparison)
{
	size_t kept = 0, i;

	if (correct(comparison, true) < 0 || correct(comparison, false) < 0)
		return -1;
	join_rates(comparison);
	for (i = 0; i < comparison->count; i++) {
		struct sw_difference *one = &comparison->differences[i];

		if (!is_different(comparison, one))
			continue;
		one->sure = sure_of(one->p);
		comparison->differences[kept++] = *one;
	}
	comparison->count = kept;
	return 0;
}

void sw_comparison_fini(struct sw_comparison *comparison)
{
	free(comparison->differences);
	memset(comparison, 0, sizeof(*comparison));
}
