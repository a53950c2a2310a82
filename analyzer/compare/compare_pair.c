/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run beside one other: by effect alone, since one run does not show how much
 * runs vary.
 */
#include <math.h>
#include <string.h>

#include "analyzer/compare/compare_internal.h"
#include "analyzer/compare/difference_words.h"
#include "analyzer/compare/odd.h"
#include "common/missing.h"

/* Least ratios of amounts, and least differences in their units. */
static const double AMOUNT_RATIO = 1.5, FAILURES_RATIO = 2, UNITS = 2;

/*
 * Of short runs the samples of memory may miss what they needed, and what was in
 * the page cache decides their times.
 */
static const double MEMORY_UNITS = 16, LEAST_USEC = 5e6;

/* Times vary more: of one program, of waits, and on another kind of node. */
static const double PROGRAM_TIME_RATIO = 1.75, WAIT_RATIO = 2,
		    OTHER_KIND_FACTOR = 1.25;

/* Numbers of processes that work, and of those that may only wait. */
static const double COUNT_RATIO = 1.25, IDLE_COUNT_RATIO = 2;

/* Shares of the time; short runs have too few samples. */
static const double LIMIT_DIFFERENCE = 0.3, LIMIT_LEAST_USEC = 5e6;

struct pairing {
	struct sw_comparison *comparison;
	const struct sw_pair *pair;
	bool is_reversed; /* what the other run alone did */
};

/* An unfinished recording may still get what it lacks. */
static bool is_proven(const struct sw_pair *pair,
		      const struct sw_difference *difference)
{
	bool is_gain = difference->kind == SW_DIFFERS_MORE ||
		       difference->kind == SW_DIFFERS_PRESENT ||
		       difference->kind == SW_DIFFERS_NUMEROUS ||
		       difference->kind == SW_DIFFERS_RATE ||
		       (difference->kind == SW_DIFFERS_EXIT &&
			!difference->is_of_other);

	if (pair->run_is_partial && pair->other_is_partial)
		return false;
	return is_gain ? !pair->other_is_partial : !pair->run_is_partial;
}

static int add(const struct sw_pair *pair, struct sw_comparison *comparison,
	       struct sw_difference *difference)
{
	difference->runs = 1;
	difference->sure = SW_SURE_POSSIBLE;
	return is_proven(pair, difference)
		       ? sw_comparison_add(comparison, difference)
		       : 0;
}

static int compare_states(struct sw_comparison *comparison,
			  const struct sw_pair *pair)
{
	const struct sw_fingerprint *run = pair->run, *other = pair->other;
	struct sw_difference state = sw_difference_none;
	bool is_other_code = !sw_is_missing(run->exit_code) &&
			     !sw_is_missing(other->exit_code) &&
			     run->exit_code != other->exit_code;

	if (run->state == SW_RUN_UNKNOWN || other->state == SW_RUN_UNKNOWN ||
	    (run->state == other->state && !is_other_code))
		return 0;
	state.kind = SW_DIFFERS_STATE;
	state.is_of_other = run->state == SW_RUN_COMPLETED;
	state.value = sw_real_u64(run->exit_code);
	state.usual = sw_real_u64(other->exit_code);
	state.now = sw_run_state_words(run->state);
	state.before = sw_run_state_words(other->state);
	return add(pair, comparison, &state);
}

static bool is_far(double value, double usual, double unit, double ratio)
{
	double change = (value + unit) / (usual + unit);

	return fmax(change, 1 / change) >= ratio;
}

/* A loop that waits for something has as many processes as that takes. */
static bool is_far_count(const struct sw_pair *pair,
			 const struct sw_difference *odd)
{
	bool works = sw_amount_matters(&pair->run, 1, odd->program,
				       SW_PROGRAM_CPU_USEC) ||
		     sw_amount_matters(&pair->other, 1, odd->program,
				       SW_PROGRAM_CPU_USEC);

	return is_far(odd->value, odd->usual, 1,
		      works ? COUNT_RATIO : IDLE_COUNT_RATIO);
}

/* Each run has phases of its own, and only large changes of numbers count. */
static int take_odd(void *context, const struct sw_difference *odd)
{
	const struct pairing *pairing = context;
	struct sw_difference difference = *odd;

	difference.is_of_other = pairing->is_reversed;
	if (odd->kind == SW_DIFFERS_PHASE ||
	    (pairing->is_reversed && odd->kind != SW_DIFFERS_EXIT) ||
	    ((odd->kind == SW_DIFFERS_FEWER ||
	      odd->kind == SW_DIFFERS_NUMEROUS) &&
	     !is_far_count(pairing->pair, odd)))
		return 0;
	return add(pairing->pair, pairing->comparison, &difference);
}

static int compare_odd(struct sw_comparison *comparison,
		       const struct sw_pair *pair)
{
	const struct sw_fingerprint *const runs[] = { pair->other, pair->run };
	struct pairing pairing = { comparison, pair, false };

	if (sw_odd_each(runs, 2, 1, take_odd, &pairing) < 0)
		return -1;
	pairing.is_reversed = true;
	return sw_odd_each(runs, 2, 0, take_odd, &pairing);
}

/* Both have this kind of failure, one of them more often. */
static int compare_failures(struct sw_comparison *comparison,
			    const struct sw_pair *pair,
			    const struct sw_fingerprint_program *program)
{
	const struct sw_fingerprint_program *other =
		sw_fingerprint_find(pair->other, program->name);
	struct sw_difference rate = sw_difference_none;

	if (!other || !pair->run->is_complete || !pair->other->is_complete)
		return 0;
	rate.kind = SW_DIFFERS_RATE;
	rate.program = program->name;
	rate.value = sw_real_u64(sw_fingerprint_failures(program));
	rate.usual = sw_real_u64(sw_fingerprint_failures(other));
	rate.of = sw_real_u64(program->amount[SW_PROGRAM_COUNT]);
	if (rate.value == 0 || rate.usual == 0 ||
	    !is_far(rate.value, rate.usual, 1, FAILURES_RATIO))
		return 0;
	return add(pair, comparison, &rate);
}

/* Amounts that grow as the inputs do are no difference. */
static bool is_as_inputs(const struct sw_pair *pair, double value, double usual)
{
	double inputs = sw_real_positive(pair->run->input_bytes) /
			sw_real_positive(pair->other->input_bytes);

	return inputs > 0 && (value > usual) == (inputs > 1) &&
	       !is_far(value, usual, 0,
		       AMOUNT_RATIO * fmax(inputs, 1 / inputs));
}

/* The part of a run's time that others on its CPUs did not take. */
static double own_share(const struct sw_fingerprint *run)
{
	double others = run->limited[SW_LIMITED_BY_NODE];

	return others > 0 ? 1 - fmin(others, 1) : 1;
}

static bool is_run_time(const struct sw_difference *amount)
{
	return amount->program ? amount->amount == SW_PROGRAM_LONGEST_USEC
			       : amount->amount == SW_STEP_ELAPSED_USEC;
}

static bool is_time(const struct sw_difference *amount)
{
	if (amount->program)
		return amount->amount == SW_PROGRAM_CPU_USEC ||
		       amount->amount == SW_PROGRAM_LONGEST_USEC;
	return amount->amount == SW_STEP_ELAPSED_USEC ||
	       amount->amount == SW_STEP_CPU_USEC ||
	       amount->amount == SW_STEP_MOUNT_USEC;
}

/* With other CPUs it is a first question if the run took longer. */
static double least_ratio(const struct sw_comparison *comparison,
			  const struct sw_difference *amount)
{
	double ratio = AMOUNT_RATIO;

	if (!is_time(amount))
		return ratio;
	if (is_run_time(amount) &&
	    (sw_comparison_is_beside(comparison, SW_DIFFERS_CPUS) ||
	     sw_comparison_is_beside(comparison, SW_DIFFERS_BINDING)))
		return sqrt(ratio);
	if (amount->program)
		ratio = PROGRAM_TIME_RATIO;
	else if (amount->amount == SW_STEP_MOUNT_USEC)
		ratio = WAIT_RATIO;
	return sw_comparison_is_beside(comparison, SW_DIFFERS_NODE_KIND)
		       ? OTHER_KIND_FACTOR * ratio
		       : ratio;
}

/* A smaller difference of one pair is not worth naming. */
static double least_difference(const struct sw_difference *amount,
			       const struct sw_amount_kind *kind)
{
	if (is_time(amount))
		return LEAST_USEC;
	return !amount->program && amount->amount == SW_STEP_NEED_BYTES
		       ? MEMORY_UNITS * kind->unit
		       : UNITS * kind->unit;
}

static int compare_amount(struct sw_comparison *comparison,
			  const struct sw_pair *pair,
			  struct sw_difference *amount,
			  const struct sw_amount_kind *kind)
{
	double ratio = least_ratio(comparison, amount);

	if (isnan(amount->value) || isnan(amount->usual) ||
	    fabs(amount->value - amount->usual) <
		    least_difference(amount, kind) ||
	    !is_far(amount->value, amount->usual, kind->unit, ratio) ||
	    is_as_inputs(pair, amount->value, amount->usual))
		return 0;
	/* Is it only longer because others had its CPUs? */
	if (is_run_time(amount) &&
	    !is_far(amount->value * own_share(pair->run),
			       amount->usual * own_share(pair->other),
			       kind->unit, ratio))
		return 0;
	amount->kind = amount->value < amount->usual ? SW_DIFFERS_LESS
						     : SW_DIFFERS_MORE;
	return add(pair, comparison, amount);
}

static double step_amount(const struct sw_fingerprint *run,
			  enum sw_step_amount amount)
{
	return sw_real_u64(run->amount[amount]);
}

static int compare_steps(struct sw_comparison *comparison,
			 const struct sw_pair *pair)
{
	const struct sw_fingerprint *run = pair->run, *other = pair->other;
	bool is_same_mount =
		!strcmp(run->environment.mount, other->environment.mount);
	bool is_bound = run->need_is_lower_bound || other->need_is_lower_bound;
	size_t i;
	int rc = 0;

	for (i = 0; i < SW_STEP_AMOUNTS && rc == 0; i++) {
		struct sw_difference amount = sw_difference_none;

		amount.amount = (unsigned)i;
		amount.value = step_amount(run, (enum sw_step_amount)i);
		amount.usual = step_amount(other, (enum sw_step_amount)i);
		if ((i == SW_STEP_MOUNT_USEC && !is_same_mount) ||
		    (i == SW_STEP_NEED_BYTES && is_bound))
			continue;
		rc = compare_amount(comparison, pair, &amount,
				    &sw_step_amounts[i]);
	}
	return rc;
}

static int compare_program(struct sw_comparison *comparison,
			   const struct sw_pair *pair,
			   const struct sw_fingerprint_program *program)
{
	const struct sw_fingerprint_program *other =
		sw_fingerprint_find(pair->other, program->name);
	size_t i;
	int rc = compare_failures(comparison, pair, program);

	/* The number of processes is judged by odd.c. */
	for (i = SW_PROGRAM_COUNT + 1; i < SW_PROGRAM_AMOUNTS && other &&
				       rc == 0; i++) {
		enum sw_program_amount which = (enum sw_program_amount)i;
		struct sw_difference amount = sw_difference_none;

		amount.program = program->name;
		amount.amount = (unsigned)i;
		amount.value = sw_real_u64(program->amount[i]);
		amount.usual = sw_real_u64(other->amount[i]);
		if (sw_amount_matters(&pair->run, 1, program->name, which) ||
		    sw_amount_matters(&pair->other, 1, program->name, which))
			rc = compare_amount(comparison, pair, &amount,
					    &sw_program_amounts[i]);
	}
	return rc;
}

/* Without the time that others on its CPUs took. */
static double limited(const struct sw_fingerprint *run,
		      enum sw_limited_by resource)
{
	double own = own_share(run);

	return own > 0 && step_amount(run, SW_STEP_ELAPSED_USEC) >=
				  LIMIT_LEAST_USEC
		       ? run->limited[resource] / own
		       : NAN;
}

static int compare_limits(struct sw_comparison *comparison,
			  const struct sw_pair *pair)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < SW_LIMITED_BY_RESOURCES && rc == 0; i++) {
		struct sw_difference limit = sw_difference_none;

		limit.kind = SW_DIFFERS_LIMIT;
		limit.resource = (enum sw_limited_by)i;
		limit.value = limited(pair->run, limit.resource);
		limit.usual = limited(pair->other, limit.resource);
		if (i != SW_LIMITED_BY_NODE &&
		    fabs(limit.value - limit.usual) >= LIMIT_DIFFERENCE)
			rc = add(pair, comparison, &limit);
	}
	return rc;
}

static bool is_of_time(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_LIMIT ||
	       ((difference->kind == SW_DIFFERS_MORE ||
		 difference->kind == SW_DIFFERS_LESS) &&
		is_time(difference));
}

/* Others use a node's CPUs more or less all the time: only a matter of time. */
static void drop_neighbors(struct sw_comparison *comparison)
{
	size_t kept = 0, i;

	if (comparison->count > 0 && is_of_time(&comparison->differences[0]))
		return;
	for (i = 0; i < comparison->environment_count; i++) {
		if (comparison->environment[i].kind != SW_DIFFERS_NEIGHBORS)
			comparison->environment[kept++] =
				comparison->environment[i];
	}
	comparison->environment_count = kept;
}

int sw_compare_pair(struct sw_comparison *comparison,
		    const struct sw_pair *pair)
{
	const struct sw_compared compared = {
		.run = pair->run,
		.past = { pair->other },
		.count = 1,
	};
	size_t i;
	int rc;

	memset(comparison, 0, sizeof(*comparison));
	comparison->taught = 1;
	comparison->most_p = 1;
	sw_compare_environment(comparison, &compared);
	rc = compare_states(comparison, pair);
	if (rc == 0)
		rc = compare_odd(comparison, pair);
	for (i = 0; i < pair->run->program_count && rc == 0; i++)
		rc = compare_program(comparison, pair, &pair->run->programs[i]);
	if (rc == 0)
		rc = compare_steps(comparison, pair);
	if (rc == 0)
		rc = compare_limits(comparison, pair);
	if (rc == 0)
		rc = sw_comparison_explain(comparison, pair->run);
	drop_neighbors(comparison);
	return rc;
}
