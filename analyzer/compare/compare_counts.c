/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this run alone did, and the programs that fail more often. */
#include <math.h>

#include "analyzer/compare/chance.h"
#include "analyzer/compare/compare_internal.h"
#include "analyzer/compare/odd.h"
#include "common/missing.h"

/* A smaller factor of failures is not worth reporting. */
static const double RATE_RATIO = 2;

/* Less happened than always, or something new; each has its own p. */
enum family { LOSS, GAIN, FAMILIES };

static enum family family_of(enum sw_difference_kind kind)
{
	return kind == SW_DIFFERS_PRESENT || kind == SW_DIFFERS_NUMEROUS ? GAIN
									 : LOSS;
}

static int note_family(void *context, const struct sw_difference *odd)
{
	bool *is_odd = context;

	is_odd[family_of(odd->kind)] = true;
	return 0;
}

static int add_odd(void *context, const struct sw_difference *odd)
{
	return sw_comparison_add(context, odd);
}

/* The past runs whose programs are all known, and the run itself, last. */
static size_t complete_runs(const struct sw_compared *compared,
			    const struct sw_fingerprint **runs)
{
	size_t count = 0, i;

	for (i = 0; i < compared->count; i++) {
		if (compared->past[i]->is_complete)
			runs[count++] = compared->past[i];
	}
	runs[count++] = compared->run;
	return count;
}

int sw_compare_odd(struct sw_comparison *comparison,
		   const struct sw_compared *compared)
{
	const struct sw_fingerprint *runs[SW_EXPECTED_RUNS + 1];
	size_t count = complete_runs(compared, runs), alone[FAMILIES] = { 0 };
	size_t first = comparison->count, i;

	if (count <= SW_EXPECTED_LEAST)
		return 0;
	if (sw_odd_each(runs, count, count - 1, add_odd, comparison) < 0)
		return -1;
	for (i = 0; i < count && first < comparison->count; i++) {
		bool is_odd[FAMILIES] = { false };

		sw_odd_each(runs, count, i, note_family, is_odd);
		alone[LOSS] += is_odd[LOSS];
		alone[GAIN] += is_odd[GAIN];
	}
	for (i = first; i < comparison->count; i++) {
		struct sw_difference *odd = &comparison->differences[i];

		odd->p = (double)alone[family_of(odd->kind)] / (double)count;
		odd->rank_p = odd->p;
	}
	return 0;
}

static double trials_of(const struct sw_fingerprint_program *program)
{
	return sw_real_u64(program->amount[SW_PROGRAM_COUNT]);
}

static double share_of(const struct sw_fingerprint_program *program)
{
	return sw_real_u64(sw_fingerprint_failures(program)) /
	       trials_of(program);
}

static int compare_rate(struct sw_comparison *comparison,
			const struct sw_compared *compared,
			const struct sw_fingerprint_program *program)
{
	double failures = 0, trials = 0, own = trials_of(program);
	struct sw_difference rate = sw_difference_none;
	size_t far = 1, i;

	for (i = 0; i < compared->count; i++) {
		const struct sw_fingerprint_program *other =
			sw_fingerprint_find(compared->past[i], program->name);

		if (!other || !compared->past[i]->is_complete ||
		    !(trials_of(other) > 0))
			continue;
		failures += sw_real_u64(sw_fingerprint_failures(other));
		trials += trials_of(other);
		far += share_of(other) >= share_of(program);
		rate.runs++;
	}
	if (rate.runs < SW_EXPECTED_LEAST || !(own > 0))
		return 0;
	rate.kind = SW_DIFFERS_RATE;
	rate.program = program->name;
	rate.value = sw_real_u64(sw_fingerprint_failures(program));
	rate.of = own;
	rate.usual = failures / trials * own;
	rate.p = rate.value >= RATE_RATIO * rate.usual
			 ? sw_chance_failures(rate.value, own, failures, trials)
			 : 1;
	rate.rank_p = (double)far / ((double)rate.runs + 1);
	return sw_comparison_add(comparison, &rate);
}

int sw_compare_rates(struct sw_comparison *comparison,
		     const struct sw_compared *compared)
{
	size_t i;

	for (i = 0; i < compared->run->program_count; i++) {
		if (compare_rate(comparison, compared,
				 &compared->run->programs[i]) < 0)
			return -1;
	}
	return 0;
}
