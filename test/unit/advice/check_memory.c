/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell's choice of memory: its parts compared with numbers computed by hand
 * or independently, and properties that hold for any past, on random ones with
 * fixed seeds.
 */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "advice/learner.h"
#include "advice/memory_group.h"
#include "advice/memory_one_run.h"
#include "advice/methods.h"
#include "advice/sample.h"
#include "common/units.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

#define MIB (1024.0 * 1024)
#define GIB (1024 * MIB)

static const struct sw_memory_costs plain = {
	.price = 0, .time_to_failure = 1, .retry_factor = 1.3,
	.tail_prior = 0, .tail_weight = 1, .most = INFINITY,
};

START_TEST(tail_of_few)
{
	/* The upper one of three over the middle one: ln 2; twice the prior. */
	const struct sw_memory_error errors[] = {
		{ .key = 1 }, { .key = 2 }, { .key = 4 },
	};

	ck_assert_double_eq_tol(sw_memory_tail(errors, 3, false, 0.1),
				(log(2) + 2 * 0.1) / 3, 1e-12);
	/* With one error only the prior is known. */
	ck_assert_double_eq_tol(sw_memory_tail(errors, 1, false, 0.1), 0.1,
				1e-12);
}
END_TEST

START_TEST(tail_of_alike)
{
	/*
	 * The expected logarithms of an exponential distribution's order
	 * statistics of mean 0.01: the range gives the prior 0.01 with the
	 * weight of 29 to 8, and the upper four are 0.01 above the fifth.
	 */
	struct sw_memory_error errors[30];
	double sum = 0, prior = (29 * 0.01 + 8 * 0.1) / 37;
	size_t i;

	for (i = 0; i < 30; i++) {
		sum += 0.01 / (double)(30 - i);
		errors[i].key = exp(sum);
	}
	ck_assert_double_eq_tol(sw_memory_tail(errors, 30, false, 0.1),
				(4 * 0.01 + 2 * prior) / 6, 1e-6);
}
END_TEST

START_TEST(tail_of_pareto)
{
	/* Quantiles of a Pareto distribution of shape 2: mean log 1/2. */
	struct sw_memory_error errors[SW_MEMORY_ERRORS_MAX];
	size_t i;

	for (i = 0; i < SW_MEMORY_ERRORS_MAX; i++)
		errors[i].key = pow(1 - (double)i / SW_MEMORY_ERRORS_MAX,
				    -0.5);
	ck_assert_double_eq_tol(sw_memory_tail(errors, SW_MEMORY_ERRORS_MAX,
					       false, 0.5), 0.5, 0.1);
}
END_TEST

START_TEST(margin_of_equals)
{
	const struct sw_memory_error errors[] = {
		{ 1, GIB, GIB, 3600 }, { 1, GIB, GIB, 3600 },
		{ 1, GIB, GIB, 3600 }, { 1, GIB, GIB, 3600 },
	};
	struct sw_memory_margin margin =
		sw_memory_margin_choose(errors, 4, false, &plain);

	ck_assert_double_eq_tol(margin.levels[0], 1, 1e-12);
	ck_assert_double_eq_tol(margin.cost, 0, 1);
}
END_TEST

/*
 * Nine of ten runs need 1 GiB and one, as long as all others together, 8: a
 * request of 8 wastes 9 * 7, a failure wastes 9 and then requests 10.4.
 */
START_TEST(margin_by_weight)
{
	struct sw_memory_error errors[10];
	struct sw_memory_costs costs = plain;
	struct sw_memory_margin margin;
	size_t i;

	for (i = 0; i < 10; i++)
		errors[i] = (struct sw_memory_error){
			i < 9 ? 1 : 8, GIB, i < 9 ? GIB : 8 * GIB,
			i < 9 ? 1 : 9 };
	costs.tail_weight = 0;
	margin = sw_memory_margin_choose(errors, 10, false, &costs);
	ck_assert_double_eq_tol(margin.levels[0], 1, 1e-9);
	ck_assert_double_eq_tol(margin.levels[1], 8, 1e-9);
	ck_assert_double_eq_tol(margin.cost, 9 * GIB / 10, 1e-3 * GIB);
	/* A failure that costs more than 54 GiB seconds is not worth it. */
	costs.price = 60 * GIB;
	margin = sw_memory_margin_choose(errors, 10, false, &costs);
	ck_assert_double_eq_tol(margin.levels[0], 8, 1e-9);
}
END_TEST

/* Reference: the costs of the replay, run by run. */
static double cost_of(const struct sw_memory_error *errors, size_t count,
		      const struct sw_memory_margin *margin,
		      const struct sw_memory_costs *costs)
{
	double cost = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		unsigned attempt = 1;
		double bytes = sw_memory_margin_apply(margin,
						      errors[i].foretold, 1);

		while (bytes < errors[i].need) {
			cost += bytes * errors[i].seconds *
				costs->time_to_failure + costs->price;
			bytes = sw_memory_margin_apply(margin,
						       errors[i].foretold,
						       ++attempt);
		}
		cost += (bytes - errors[i].need) * errors[i].seconds;
	}
	return cost / (double)count;
}

static int compare_keys(const void *one, const void *two)
{
	const struct sw_memory_error *a = one, *b = two;

	return (a->key > b->key) - (a->key < b->key);
}

static void draw_errors(struct sw_memory_error *errors, size_t count,
			bool is_added)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct sw_memory_error *error = &errors[i];

		error->foretold = GIB * (1 + draw_uniform());
		error->need = error->foretold * exp(0.5 * draw_normal());
		error->seconds = 1000 * draw_uniform();
		error->key = is_added ? error->need - error->foretold :
			error->need / error->foretold;
	}
	qsort(errors, count, sizeof(*errors), compare_keys);
}

START_TEST(margin_against_accounts)
{
	struct sw_memory_error errors[SW_MEMORY_ERRORS_MAX];
	struct sw_memory_costs costs = plain;
	bool is_added = _i % 2;
	size_t count = (size_t[]){ 2, 5, 30, 200, 512 }[_i / 2], i;
	struct sw_memory_margin margin, other;

	draw_seed = (uint64_t)_i;
	costs.tail_weight = 0;
	costs.time_to_failure = 0.5;
	costs.price = 10 * GIB;
	draw_errors(errors, count, is_added);
	margin = sw_memory_margin_choose(errors, count, is_added, &costs);
	/* A level that equals a key may round to below the need. */
	other = margin;
	for (i = 0; i < other.count; i++)
		other.levels[i] += fabs(other.levels[i]) * 1e-12;
	ck_assert_double_eq_tol(cost_of(errors, count, &other, &costs) /
				margin.cost, 1, 1e-6);
	/*
	 * A slightly higher limit gives the same; a slightly lower one gives
	 * none.
	 */
	costs.most = margin.cost * 1.001;
	other = sw_memory_margin_choose(errors, count, is_added, &costs);
	ck_assert_double_eq(other.levels[0], margin.levels[0]);
	costs.most = margin.cost * 0.999;
	ck_assert_uint_eq(sw_memory_margin_choose(errors, count, is_added,
						  &costs).count, 0);
	other = margin;
	/* The 80th percentile with the same steps is not better. */
	other.levels[0] = errors[count * 4 / 5].key * (1 + 1e-12);
	ck_assert_double_ge(cost_of(errors, count, &other, &costs),
			    margin.cost * (1 - 1e-6));
}
END_TEST

/*
 * Mean needs were 0.5 to 3 GiB, and 0.3 GiB was needed: 2.7 GiB below the mean
 * would be negative for three of the four, which must not offset other costs.
 */
START_TEST(nothing_is_paid_back)
{
	const struct sw_memory_error errors[] = {
		{ -2.7 * GIB, 3.0 * GIB, 0.3 * GIB, 500 },
		{ -0.7 * GIB, 1.0 * GIB, 0.3 * GIB, 900 },
		{ -0.3 * GIB, 0.6 * GIB, 0.3 * GIB, 700 },
		{ -0.2 * GIB, 0.5 * GIB, 0.3 * GIB, 1000 },
	};
	struct sw_memory_costs costs = plain;
	struct sw_memory_margin margin;

	costs.price = 300 * GIB;
	margin = sw_memory_margin_choose(errors, 4, true, &costs);
	ck_assert_uint_gt(margin.count, 0);
	ck_assert_double_gt(margin.levels[0] + 0.5 * GIB, 0);
	ck_assert_double_gt(margin.cost, 0);
}
END_TEST


static struct sw_policy policy;
static struct sw_learner learner;

static void setup(void)
{
	policy = sw_policy_default;
	draw_seed = 1;
}

static void begin(enum sw_risk risk)
{
	policy.risk = risk;
	sw_learner_init(&learner, &sw_method_stepwell, &policy);
}

static void end(void)
{
	sw_learner_fini(&learner);
}

static struct sw_run run_of(double need, double input)
{
	struct sw_run run = sw_run_unknown;

	run.state = SW_RUN_COMPLETED;
	run.need_bytes = need;
	run.input_bytes = input;
	run.elapsed_seconds = 600;
	return run;
}

static void learn(double need, double input)
{
	const struct sw_run run = run_of(need, input);

	ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
}

static void learn_killed(double had, double input)
{
	struct sw_run run = run_of(had, input);

	run.state = SW_RUN_OUT_OF_MEMORY;
	run.is_lower_bound = true;
	ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
}

static double ask(double input)
{
	const struct sw_query query = {
		.input_bytes = input, .requested_bytes = NAN,
		.start_seconds = NAN,
	};

	return sw_learner_ask(&learner, &query);
}

START_TEST(nothing_known)
{
	begin(SW_RISK_LOW);
	ck_assert_double_nan(ask(NAN));
	end();
}
END_TEST

/* Draw a need; the number of the test selects its kind. */
static double draw_need(int kind, double input)
{
	switch (kind % 4) {
	case 0:
		return GIB * exp(0.3 * draw_normal());
	case 1:
		return 100 * MIB + 3 * input * (1 + 0.1 * draw_normal());
	case 2:
		return draw_uniform() < 0.7 ? 300 * MIB :
			2 * GIB * (1 + draw_uniform());
	default:
		return GIB * pow(1 - draw_uniform(), -0.5);	/* Pareto */
	}
}

/* Property: a need above all seen never lowers the request. */
START_TEST(new_largest_never_lowers)
{
	double inputs[] = { NAN, 0, 10 * MIB, 300 * MIB, 2 * GIB, 50 * GIB };
	double before[6], largest = 0;
	size_t count, i, step;

	draw_seed = (uint64_t)_i;
	begin((enum sw_risk)(_i % 3));
	count = 1 + (size_t)(draw_uniform() * 120);
	for (i = 0; i < count; i++) {
		double input = GIB * draw_uniform();
		double need = draw_need(_i / 3, input);

		learn(need, input);
		largest = fmax(largest, need);
		if (i % 7 == 6)
			ask(input);
	}
	for (step = 0; step < 8; step++) {
		for (i = 0; i < 6; i++)
			before[i] = ask(inputs[i]);
		largest *= 1 + 0.5 * draw_uniform() * draw_uniform();
		learn(largest,
		      draw_uniform() < 0.8 ? 2 * GIB * draw_uniform() : NAN);
		for (i = 0; i < 6; i++)
			ck_assert_double_ge(ask(inputs[i]), before[i]);
	}
	end();
}
END_TEST

/* Property: any past gives bytes that can be requested. */
START_TEST(impossible_pasts)
{
	static const double odd[] = {
		NAN, INFINITY, -1, 0, 1, 1e-300, 1e300, 64 * MIB, GIB,
	};
	size_t i;

	draw_seed = (uint64_t)_i;
	policy.cap_bytes = _i % 2 ? 256 * GIB : NAN;
	begin((enum sw_risk)(_i % 3));
	for (i = 0; i < 60; i++) {
		struct sw_run run = run_of(odd[(size_t)(draw_uniform() * 9)],
					   odd[(size_t)(draw_uniform() * 9)]);
		double bytes;

		run.elapsed_seconds = odd[(size_t)(draw_uniform() * 9)];
		run.requested_bytes = odd[(size_t)(draw_uniform() * 9)];
		run.is_lower_bound = draw_uniform() < (_i < 40 ? 0.2 : 1);
		ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
		bytes = ask(odd[(size_t)(draw_uniform() * 9)]);
		if (isnan(bytes))
			continue;
		ck_assert(isfinite(bytes));
		ck_assert_double_ge(bytes, policy.floor_bytes);
		if (_i % 2)
			ck_assert_double_le(bytes, policy.cap_bytes);
	}
	end();
}
END_TEST

START_TEST(killed_is_not_enough)
{
	begin(SW_RISK_HIGH);
	learn_killed(GIB, NAN);
	ck_assert_double_ge(ask(NAN), policy.retry_factor * GIB);
	end();
}
END_TEST

/* Property: more of the same never makes a low risk less safe. */
static double failure_rate(int kind, size_t count)
{
	size_t i, round, failures = 0, asked = 0;

	for (round = 0; round < 100; round++) {
		begin(SW_RISK_LOW);
		for (i = 0; i < count; i++) {
			double input = GIB * draw_uniform();

			learn(draw_need(kind, input), input);
		}
		for (i = 0; i < 20; i++) {
			double input = GIB * draw_uniform();

			failures += ask(input) < draw_need(kind, input);
			asked++;
		}
		end();
	}
	return (double)failures / (double)asked;
}

START_TEST(more_is_no_less_safe)
{
	double few = failure_rate(_i, 10), rate;
	size_t counts[] = { 30, 100, 1000 }, i;

	for (i = 0; i < 3; i++) {
		rate = failure_rate(_i, counts[i]);
		/* Four deviations of the difference of two such shares. */
		ck_assert_double_le(rate, few + 4 * sqrt(
			(few + rate + 1e-3) / 2000));
		few = fmin(few, rate);
	}
}
END_TEST

static const struct {
	double need_mib, asked_mib;
} one_run[] = {
	{ 0, 0 }, { 1, 64 }, { 53, 64 }, { 54, 128 }, { 160, 192 },
	{ 3413, 4096 }, { 3414, 5120 }, { 10240, 12288 }, { 10241, 13312 },
};

START_TEST(of_one_run)
{
	double asked = sw_memory_of_one_run(one_run[_i].need_mib * SW_MIB);

	ck_assert_double_eq(asked, one_run[_i].asked_mib * SW_MIB);
}
END_TEST

int main(void)
{
	TCase *parts = tcase_create("parts");
	TCase *whole = tcase_create("whole");

	tcase_add_test(parts, tail_of_few);
	tcase_add_test(parts, tail_of_alike);
	tcase_add_test(parts, tail_of_pareto);
	tcase_add_test(parts, margin_of_equals);
	tcase_add_test(parts, margin_by_weight);
	tcase_add_loop_test(parts, margin_against_accounts, 0, 10);
	tcase_add_test(parts, nothing_is_paid_back);
	tcase_add_loop_test(parts, of_one_run, 0,
			    sizeof(one_run) / sizeof(one_run[0]));
	tcase_add_checked_fixture(whole, setup, NULL);
	tcase_set_timeout(whole, 120);
	tcase_add_test(whole, nothing_known);
	tcase_add_loop_test(whole, new_largest_never_lowers, 0, 60);
	tcase_add_loop_test(whole, impossible_pasts, 0, 60);
	tcase_add_test(whole, killed_is_not_enough);
	tcase_add_loop_test(whole, more_is_no_less_safe, 0, 4);
	return run_tests("memory", parts, whole, NULL);
}
