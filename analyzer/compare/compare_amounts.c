/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Amounts of the step and of its programs beside past ones. */
#include <math.h>
#include <string.h>

#include "advice/sample.h"
#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"
#include "common/units.h"

#define KIB  1024.0
#define MIB  (1024 * KIB)
#define MSEC 1000.0

const struct sw_amount_kind sw_program_amounts[SW_PROGRAM_AMOUNTS] = {
	[SW_PROGRAM_COUNT] = { 1, 0.05, 1.5 },
	[SW_PROGRAM_CPU_USEC] = { 50 * MSEC, 0.03, 1.5 },
	[SW_PROGRAM_READ_BYTES] = { 16 * KIB, 0.03, 1.5 },
	[SW_PROGRAM_WRITTEN_BYTES] = { 16 * KIB, 0.03, 1.5 },
	[SW_PROGRAM_LONGEST_USEC] = { 500 * MSEC, 0.05, 1.5 },
};

const struct sw_amount_kind sw_step_amounts[SW_STEP_AMOUNTS] = {
	[SW_STEP_ELAPSED_USEC] = { 500 * MSEC, 0.03, 1.25 },
	[SW_STEP_CPU_USEC] = { 50 * MSEC, 0.03, 1.25 },
	[SW_STEP_NEED_BYTES] = { MIB, 0.03, 1.25 },
	[SW_STEP_READ_BYTES] = { 16 * KIB, 0.03, 1.5 },
	[SW_STEP_WRITTEN_BYTES] = { 16 * KIB, 0.03, 1.5 },
	[SW_STEP_MOUNT_USEC] = { 500 * MSEC, 0.05, 1.5 },
};

/* Shares differ by at least this; small ones are all alike. */
static const double LIMIT_DIFFERENCE = 0.2, LIMIT_UNIT = 0.1, LIMIT_FLOOR = 0.1;

/* The step's amount that a program's is a part of. */
static const enum sw_step_amount whole_of[SW_PROGRAM_AMOUNTS] = {
	[SW_PROGRAM_CPU_USEC] = SW_STEP_CPU_USEC,
	[SW_PROGRAM_READ_BYTES] = SW_STEP_READ_BYTES,
	[SW_PROGRAM_WRITTEN_BYTES] = SW_STEP_WRITTEN_BYTES,
	[SW_PROGRAM_LONGEST_USEC] = SW_STEP_ELAPSED_USEC,
};

static double input_of(const struct sw_fingerprint *run)
{
	return sw_real_positive(run->input_bytes);
}

double sw_step_amount_of(const struct sw_fingerprint *run,
			 enum sw_step_amount amount)
{
	if (amount == SW_STEP_NEED_BYTES && run->need_is_lower_bound)
		return NAN;
	return sw_real_u64(run->amount[amount]);
}

/*
 * The past runs for times: those on nodes of this run's kind, if there are
 * enough of them, else all.
 */
static void take_same_kind(struct sw_compared *same,
			   const struct sw_compared *compared)
{
	const char *kind = compared->run->environment.kind;
	size_t i;

	*same = (struct sw_compared){ .run = compared->run };
	for (i = 0; i < compared->count; i++) {
		if (!strcmp(compared->past[i]->environment.kind, kind))
			same->past[same->count++] = compared->past[i];
	}
	if (same->count < SW_EXPECTED_LEAST)
		*same = *compared;
}

static void put(struct sw_past_amounts *past, double amount, double input)
{
	if (isnan(amount))
		return;
	past->amount[past->count] = amount;
	past->input[past->count++] = input;
}

void sw_gather_step(struct sw_past_amounts *past,
		    const struct sw_fingerprint *const *runs, size_t count,
		    enum sw_step_amount amount, const char *mount)
{
	size_t i;

	past->count = 0;
	for (i = 0; i < count; i++) {
		if (amount != SW_STEP_MOUNT_USEC ||
		    !strcmp(runs[i]->environment.mount, mount))
			put(past, sw_step_amount_of(runs[i], amount),
			    input_of(runs[i]));
	}
}

void sw_gather_program(struct sw_past_amounts *past,
		       const struct sw_fingerprint *const *runs, size_t count,
		       enum sw_program_amount amount, const char *name)
{
	size_t i;

	past->count = 0;
	for (i = 0; i < count; i++) {
		const struct sw_fingerprint_program *program =
			sw_fingerprint_find(runs[i], name);

		if (program)
			put(past, sw_real_u64(program->amount[amount]),
			    input_of(runs[i]));
	}
}

/* Judge; the candidate is LESS or MORE, or of p 1 if it is too small. */
static int add(struct sw_comparison *comparison, struct sw_difference *amount,
	       const struct sw_expected *expected,
	       const struct sw_amount_kind *kind)
{
	double ratio =
		(amount->value + kind->unit) / (expected->amount + kind->unit);
	/* A smaller difference matters if something may account for it. */
	double least = sw_comparison_is_elsewhere(comparison)
			       ? sqrt(kind->ratio)
			       : kind->ratio;

	if (expected->runs == 0)
		return 0;
	amount->kind = ratio < 1 ? SW_DIFFERS_LESS : SW_DIFFERS_MORE;
	amount->usual = expected->amount;
	amount->least = expected->least;
	amount->most = expected->most;
	amount->is_by_input = expected->is_by_input;
	amount->runs = expected->runs;
	amount->p = fmax(ratio, 1 / ratio) >= least ? expected->p : 1;
	amount->rank_p = expected->rank_p;
	return sw_comparison_add(comparison, amount);
}

static int compare_step_amount(struct sw_comparison *comparison,
			       const struct sw_compared *compared,
			       enum sw_step_amount amount)
{
	const struct sw_amount_kind *kind = &sw_step_amounts[amount];
	struct sw_difference difference = sw_difference_none;
	struct sw_past_amounts past;
	struct sw_expected expected;

	difference.amount = amount;
	difference.value = sw_step_amount_of(compared->run, amount);
	if (isnan(difference.value))
		return 0;
	sw_gather_step(&past, compared->past, compared->count, amount,
		       compared->run->environment.mount);
	sw_expect(&expected, &past, difference.value, input_of(compared->run),
		  kind->unit, kind->floor);
	return add(comparison, &difference, &expected, kind);
}

static int compare_limit(struct sw_comparison *comparison,
			 const struct sw_compared *compared,
			 enum sw_limited_by resource)
{
	struct sw_difference limit = sw_difference_none;
	struct sw_past_amounts past = { .count = 0 };
	struct sw_expected expected;
	size_t i;

	limit.kind = SW_DIFFERS_LIMIT;
	limit.resource = resource;
	limit.value = compared->run->limited[resource];
	if (isnan(limit.value))
		return 0;
	for (i = 0; i < compared->count; i++)
		put(&past, compared->past[i]->limited[resource], NAN);
	sw_expect(&expected, &past, limit.value, NAN, LIMIT_UNIT, LIMIT_FLOOR);
	if (expected.runs == 0)
		return 0;
	limit.usual = expected.amount;
	limit.least = expected.least;
	limit.most = expected.most;
	limit.runs = expected.runs;
	limit.p = fabs(limit.value - limit.usual) >= LIMIT_DIFFERENCE
			  ? expected.p
			  : 1;
	limit.rank_p = expected.rank_p;
	return sw_comparison_add(comparison, &limit);
}

bool sw_amount_matters(const struct sw_fingerprint *const *runs, size_t count,
		       const char *name, enum sw_program_amount amount)
{
	double share[SW_EXPECTED_RUNS], scratch[SW_EXPECTED_RUNS], one;
	size_t known = 0, i;

	if (amount == SW_PROGRAM_COUNT)
		return true;
	for (i = 0; i < count; i++) {
		const struct sw_fingerprint_program *program =
			sw_fingerprint_find(runs[i], name);

		one = program ? sw_real_u64(program->amount[amount]) /
					sw_real_u64(runs[i]->amount
							    [whole_of[amount]])
			      : NAN;
		if (one >= 0)
			share[known++] = one;
	}
	return known > 0 &&
	       sw_sample_median(scratch, share, known) >= SW_COMPARE_SHARE;
}

/* Equal numbers of processes are judged by odd.c. */
static bool varies(const struct sw_past_amounts *past)
{
	size_t i;

	for (i = 1; i < past->count; i++) {
		if (past->amount[i] != past->amount[0])
			return true;
	}
	return false;
}

static int compare_program_amount(struct sw_comparison *comparison,
				  const struct sw_compared *compared,
				  const struct sw_fingerprint_program *program,
				  enum sw_program_amount amount)
{
	const struct sw_amount_kind *kind = &sw_program_amounts[amount];
	struct sw_difference difference = sw_difference_none;
	struct sw_past_amounts past;
	struct sw_expected expected;

	difference.program = program->name;
	difference.amount = amount;
	difference.value = sw_real_u64(program->amount[amount]);
	if (isnan(difference.value) ||
	    (!sw_amount_matters(compared->past, compared->count, program->name,
				amount) &&
	     !sw_amount_matters(&compared->run, 1, program->name, amount)))
		return 0;
	sw_gather_program(&past, compared->past, compared->count, amount,
			  program->name);
	if (amount == SW_PROGRAM_COUNT && !varies(&past))
		return 0;
	sw_expect(&expected, &past, difference.value, input_of(compared->run),
		  kind->unit, kind->floor);
	return add(comparison, &difference, &expected, kind);
}

static bool is_time_of_step(enum sw_step_amount amount)
{
	return amount == SW_STEP_ELAPSED_USEC || amount == SW_STEP_CPU_USEC ||
	       amount == SW_STEP_MOUNT_USEC;
}

static bool is_time_of_program(enum sw_program_amount amount)
{
	return amount == SW_PROGRAM_CPU_USEC ||
	       amount == SW_PROGRAM_LONGEST_USEC;
}

static int compare_step(struct sw_comparison *comparison,
			const struct sw_compared *all,
			const struct sw_compared *same_kind)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < SW_STEP_AMOUNTS && rc == 0; i++) {
		enum sw_step_amount amount = (enum sw_step_amount)i;

		rc = compare_step_amount(
			comparison, is_time_of_step(amount) ? same_kind : all,
			amount);
	}
	for (i = 0; i < SW_LIMITED_BY_RESOURCES && rc == 0; i++)
		rc = compare_limit(comparison, all, (enum sw_limited_by)i);
	return rc;
}

int sw_compare_amounts(struct sw_comparison *comparison,
		       const struct sw_compared *compared)
{
	const struct sw_fingerprint *run = compared->run;
	struct sw_compared same_kind;
	size_t i, j;
	int rc;

	take_same_kind(&same_kind, compared);
	rc = compare_step(comparison, compared, &same_kind);
	for (i = 0; i < run->program_count; i++) {
		for (j = 0; j < SW_PROGRAM_AMOUNTS && rc == 0; j++) {
			enum sw_program_amount amount =
				(enum sw_program_amount)j;

			rc = compare_program_amount(comparison,
						    is_time_of_program(amount)
							    ? &same_kind
							    : compared,
						    &run->programs[i], amount);
		}
	}
	return rc;
}
