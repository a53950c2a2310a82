/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order differences by their consequences, and let one account for those that
 * follow from it: fewer bytes because a program did not run is one difference.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"

/* An excess is accounted for by a part of it of at least this. */
static const double MOST = 0.5;

bool sw_difference_is_bytes(const struct sw_difference *difference)
{
	return difference->program
		       ? difference->amount == SW_PROGRAM_READ_BYTES ||
				 difference->amount == SW_PROGRAM_WRITTEN_BYTES
		       : difference->amount == SW_STEP_READ_BYTES ||
				 difference->amount == SW_STEP_WRITTEN_BYTES;
}

/* Amounts of less, and of more, the telling ones first. */
static int rank_of_amount(const struct sw_difference *difference)
{
	static const int less_of_program[SW_PROGRAM_AMOUNTS] = {
		[SW_PROGRAM_WRITTEN_BYTES] = 9, [SW_PROGRAM_READ_BYTES] = 8,
		[SW_PROGRAM_CPU_USEC] = 7,	[SW_PROGRAM_COUNT] = 6,
		[SW_PROGRAM_LONGEST_USEC] = 1,
	};
	static const int less_of_step[SW_STEP_AMOUNTS] = {
		[SW_STEP_WRITTEN_BYTES] = 5,
		[SW_STEP_READ_BYTES] = 4,
		[SW_STEP_CPU_USEC] = 3,
		[SW_STEP_ELAPSED_USEC] = 2,
	};
	static const int more_of_program[SW_PROGRAM_AMOUNTS] = {
		[SW_PROGRAM_WRITTEN_BYTES] = 8, [SW_PROGRAM_READ_BYTES] = 8,
		[SW_PROGRAM_COUNT] = 6,
		[SW_PROGRAM_CPU_USEC] = 4,
		[SW_PROGRAM_LONGEST_USEC] = 1,
	};
	static const int more_of_step[SW_STEP_AMOUNTS] = {
		[SW_STEP_NEED_BYTES] = 9, [SW_STEP_WRITTEN_BYTES] = 7,
		[SW_STEP_READ_BYTES] = 7, [SW_STEP_MOUNT_USEC] = 5,
		[SW_STEP_CPU_USEC] = 3,	  [SW_STEP_ELAPSED_USEC] = 2,
	};

	if (difference->kind == SW_DIFFERS_LESS)
		return difference->program ? less_of_program[difference->amount]
					   : less_of_step[difference->amount];
	return difference->program ? more_of_program[difference->amount]
				   : more_of_step[difference->amount];
}

static bool is_amount(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_LESS ||
	       difference->kind == SW_DIFFERS_MORE;
}

static double started_usec(const struct sw_difference *difference,
			   const struct sw_fingerprint *run)
{
	const struct sw_fingerprint_program *program =
		difference->program ?
			sw_fingerprint_find(run, difference->program) : NULL;

	return program && !sw_is_missing(program->started_usec) ?
		       (double)program->started_usec : INFINITY;
}

static void weigh(struct sw_difference *difference,
		  const struct sw_fingerprint *run)
{
	if (!is_amount(difference))
		return;
	difference->weight =
		100 * rank_of_amount(difference) +
		log10(1 + fabs(difference->value - difference->usual));
	difference->started_usec = started_usec(difference, run);
}

/* Programs read what others before them wrote: the first one is the origin. */
static bool is_flow(const struct sw_difference *difference)
{
	return is_amount(difference) && difference->program &&
	       sw_difference_is_bytes(difference);
}

static int by_consequence(const void *a, const void *b)
{
	const struct sw_difference *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (is_flow(left) && is_flow(right) &&
	    left->started_usec != right->started_usec)
		return left->started_usec < right->started_usec ? -1 : 1;
	return (left->weight < right->weight) - (left->weight > right->weight);
}

/* Less was done than always. */
static bool is_loss(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_ABSENT ||
	       difference->kind == SW_DIFFERS_FEWER ||
	       difference->kind == SW_DIFFERS_PHASE ||
	       difference->kind == SW_DIFFERS_LESS ||
	       difference->kind == SW_DIFFERS_LIMIT;
}

/* Does more of one amount explain more of another? */
static bool explains_more(const struct sw_difference *cause,
			  const struct sw_difference *other)
{
	bool is_time = other->program
			       ? other->amount == SW_PROGRAM_LONGEST_USEC
			       : other->amount == SW_STEP_ELAPSED_USEC ||
					 other->amount == SW_STEP_MOUNT_USEC;
	bool is_cpu = other->program ? other->amount == SW_PROGRAM_CPU_USEC
				     : other->amount == SW_STEP_CPU_USEC;

	if (!cause->program && cause->amount == SW_STEP_NEED_BYTES)
		return false;
	if (!other->program && other->amount == SW_STEP_NEED_BYTES)
		return cause->program && cause->amount == SW_PROGRAM_COUNT;
	if (sw_difference_is_bytes(other))
		return sw_difference_is_bytes(cause);
	if (other->program && other->amount == SW_PROGRAM_COUNT)
		return false;
	return is_time || (is_cpu && rank_of_amount(cause) > 5) ||
	       (is_cpu && !other->program);
}

/* A program that never ran before accounts for its own part of the step's. */
static bool explains_excess(const struct sw_difference *present,
			    const struct sw_fingerprint *run,
			    const struct sw_difference *more)
{
	static const enum sw_program_amount part[SW_STEP_AMOUNTS] = {
		[SW_STEP_ELAPSED_USEC] = SW_PROGRAM_LONGEST_USEC,
		[SW_STEP_CPU_USEC] = SW_PROGRAM_CPU_USEC,
		[SW_STEP_READ_BYTES] = SW_PROGRAM_READ_BYTES,
		[SW_STEP_WRITTEN_BYTES] = SW_PROGRAM_WRITTEN_BYTES,
	};
	const struct sw_fingerprint_program *program;

	if (more->program || part[more->amount] == SW_PROGRAM_COUNT)
		return false;
	program = sw_fingerprint_find(run, present->program);
	return program && sw_real_u64(program->amount[part[more->amount]]) >=
				  MOST * (more->value - more->usual);
}

/* Programs of the other run only account for what this one did more. */
static bool is_gain(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_MORE ||
	       difference->kind == SW_DIFFERS_PRESENT ||
	       difference->kind == SW_DIFFERS_NUMEROUS ||
	       difference->kind == SW_DIFFERS_LIMIT;
}

static bool explains_gain(const struct sw_difference *failure,
			  const struct sw_difference *other)
{
	return is_gain(other) ||
	       (other->is_of_other &&
		(other->kind == SW_DIFFERS_STATE ||
		 (other->kind == SW_DIFFERS_EXIT &&
		  other->weight <= failure->weight)));
}

static bool explains(const struct sw_difference *cause,
		     const struct sw_difference *other,
		     const struct sw_fingerprint *run)
{
	if (cause->is_of_other)
		return explains_gain(cause, other);
	switch (cause->kind) {
	case SW_DIFFERS_EXIT:
		/* Programs that waited for it report its failure. */
		return is_loss(other) || other->kind == SW_DIFFERS_STATE ||
		       (other->kind == SW_DIFFERS_EXIT &&
			other->weight <= cause->weight);
	case SW_DIFFERS_RATE:
		return is_loss(other) || other->kind == SW_DIFFERS_STATE;
	case SW_DIFFERS_STATE:
	case SW_DIFFERS_ABSENT:
	case SW_DIFFERS_FEWER:
	case SW_DIFFERS_PHASE:
	case SW_DIFFERS_LESS:
		return is_loss(other);
	case SW_DIFFERS_MORE:
		return other->kind == SW_DIFFERS_LIMIT ||
		       (other->kind == SW_DIFFERS_MORE &&
			explains_more(cause, other));
	case SW_DIFFERS_PRESENT:
	case SW_DIFFERS_NUMEROUS:
		return other->kind == SW_DIFFERS_LIMIT ||
		       (other->kind == SW_DIFFERS_MORE &&
			explains_excess(cause, run, other));
	default:
		return false;
	}
}

/* Kinds that may explain others, the first one first. */
static const enum sw_difference_kind causes[] = {
	SW_DIFFERS_EXIT,   SW_DIFFERS_RATE,    SW_DIFFERS_STATE,
	SW_DIFFERS_ABSENT, SW_DIFFERS_FEWER,   SW_DIFFERS_LESS,
	SW_DIFFERS_PHASE,  SW_DIFFERS_PRESENT, SW_DIFFERS_NUMEROUS,
	SW_DIFFERS_MORE,
};

static void explain_by(struct sw_comparison *comparison, size_t cause,
		       const struct sw_fingerprint *run)
{
	struct sw_difference *all = comparison->differences;
	size_t i;

	for (i = 0; i < comparison->count; i++) {
		if (i != cause && all[i].explained_by == SW_NO_INDEX &&
		    explains(&all[cause], &all[i], run))
			all[i].explained_by = (int)cause;
	}
}

/* Explained ones come last, in the same order. */
static int move_explained(struct sw_comparison *comparison)
{
	size_t count = comparison->count, put = 0, i;
	struct sw_difference *old = comparison->differences;
	struct sw_difference *sorted = calloc(count + 1, sizeof(*sorted));
	int *place = calloc(count + 1, sizeof(*place));

	for (i = 0; sorted && place && i < 2 * count; i++) {
		const struct sw_difference *one = &old[i % count];

		if ((one->explained_by == SW_NO_INDEX) != (i < count))
			continue;
		place[i % count] = (int)put;
		sorted[put++] = *one;
		comparison->unexplained += i < count;
	}
	for (i = 0; sorted && place && i < count; i++) {
		if (sorted[i].explained_by != SW_NO_INDEX)
			sorted[i].explained_by = place[sorted[i].explained_by];
	}
	free(place);
	if (!sorted || put < count) {
		free(sorted);
		return -1;
	}
	free(old);
	comparison->differences = sorted;
	return 0;
}

int sw_comparison_explain(struct sw_comparison *comparison,
			  const struct sw_fingerprint *run)
{
	struct sw_difference *all = comparison->differences;
	size_t i, j;

	for (i = 0; i < comparison->count; i++)
		weigh(&all[i], run);
	if (comparison->count > 0)
		qsort(all, comparison->count, sizeof(*all), by_consequence);
	for (j = 0; j < sizeof(causes) / sizeof(causes[0]); j++) {
		for (i = 0; i < comparison->count; i++) {
			if (all[i].kind == causes[j] &&
			    all[i].explained_by == SW_NO_INDEX)
				explain_by(comparison, i, run);
		}
	}
	return move_explained(comparison);
}
