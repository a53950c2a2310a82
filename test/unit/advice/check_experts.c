/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components of stepwell's choice of memory, compared with numbers computed
 * independently: experts, sorted errors, tail, risk, killed runs.  "Python"
 * means Python 3.11 with only its standard library, and the formula in the
 * comment.
 */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "advice/memory_group.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

#define MIB (1024.0 * 1024)
#define GIB (1024 * MIB)

enum { RUNS = 8, MANY = 1100 };

/* In GiB and MiB.  The last input is unknown. */
static const double inputs[RUNS] = { 1, 2, 2, 4, 8, 3, 5, NAN };
static const double needs[RUNS] = { 300, 500, 450, 900, 1700, 700, 1100,
				    650 };

static struct sw_memory_past past;
static struct sw_memory_group group;
static struct sw_policy policy;

static void setup(void)
{
	memset(&past, 0, sizeof(past));
	memset(&group, 0, sizeof(group));
	policy = sw_policy_default;
	draw_seed = 1;
}

static void teardown(void)
{
	sw_memory_past_fini(&past);
	sw_memory_group_fini(&group);
}

static void add(double need, double input)
{
	const struct sw_memory_run run = {
		.input_bytes = input, .need_bytes = need,
		.requested_bytes = NAN, .seconds = 60,
	};

	ck_assert_int_eq(sw_memory_past_add(&past, &run), 0);
}

static void add_eight(void)
{
	for (size_t i = 0; i < RUNS; i++)
		add(needs[i] * MIB, inputs[i] * GIB);
}

/* Prediction by the expert with these words, in MiB. */
static double foretold(const char *words, double input_gib)
{
	const struct sw_query query = {
		.input_bytes = input_gib * GIB, .requested_bytes = 3000 * MIB,
		.start_seconds = NAN,
	};
	double all[SW_MEMORY_EXPERTS_MAX];

	sw_memory_foretell(&past, &past.now, &query, all);
	for (size_t i = 0; i < sw_memory_expert_count; i++) {
		if (!strcmp(sw_memory_experts[i].words, words))
			return all[i] / MIB;
	}
	ck_abort_msg("no expert \"%s\"", words);
}

START_TEST(experts_without_input)
{
	add_eight();
	ck_assert_double_eq(foretold("largest need", NAN), 1700);
	ck_assert_double_eq(foretold("needs", NAN), 64);
	ck_assert_double_eq(foretold("largest of the last 3", NAN), 1100);
	ck_assert_double_eq(foretold("largest of the last 12", NAN), 1700);
	ck_assert_double_eq(foretold("share of the request", NAN), 3000);
	ck_assert_double_nan(foretold("line on input size", NAN));
	ck_assert_double_nan(foretold("power of input size", NAN));
	ck_assert_double_nan(foretold("largest with that input", NAN));
	/*
	 * for k, n in enumerate(needs):
	 *     m += (log(n) - m) * max(w, 1 / (k + 1))
	 * and exp(m), with w of 0.05 and 0.3, in Python.
	 */
	ck_assert_double_eq_tol(foretold("moving mean", NAN),
				690.5178516526944, 1e-9);
	ck_assert_double_eq_tol(foretold("quick moving mean", NAN),
				766.7024653737386, 1e-9);
}
END_TEST

/* The same for 60 needs of 100, 101, ... MiB. */
START_TEST(experts_of_the_newest)
{
	for (size_t i = 0; i < 60; i++)
		add((100 + (double)i) * MIB, NAN);
	ck_assert_double_eq_tol(foretold("moving mean", NAN),
				140.26372344519214, 1e-9);
	ck_assert_double_eq_tol(foretold("quick moving mean", NAN),
				156.64120880730727, 1e-9);
	add(90 * MIB, NAN);
	for (size_t i = 0; i < 11; i++)
		add(50 * MIB, NAN);
	ck_assert_double_eq(foretold("largest of the last 3", NAN), 50);
	ck_assert_double_eq(foretold("largest of the last 12", NAN), 90);
	ck_assert_double_eq(foretold("largest of the last 48", NAN), 159);
	for (size_t i = 0; i < 36; i++)
		add(50 * MIB, NAN);
	ck_assert_double_eq(foretold("largest of the last 48", NAN), 90);
	add(50 * MIB, NAN);
	ck_assert_double_eq(foretold("largest of the last 48", NAN), 50);
	ck_assert_double_eq(foretold("largest need", NAN), 159);
}
END_TEST

/*
 * statistics.linear_regression() of Python of needs on inputs: 0.19758838718 x
 * + 88640216.949; and of log(need) on log(input + 1), for the power.  Clamped
 * to the least and the largest need, which scales with inputs above all: at 16
 * GiB by 2, to 3400 MiB.
 */
START_TEST(experts_on_a_curve)
{
	add_eight();
	ck_assert_double_eq_tol(foretold("line on input size", 6),
				1298.5169491525423, 1e-6);
	ck_assert_double_eq_tol(foretold("line on input size", 2),
				489.19491525423734, 1e-6);
	ck_assert_double_eq_tol(foretold("line on input size", 16),
				3321.8220338983047, 1e-6);
	ck_assert_double_eq_tol(foretold("power of input size", 6),
				1277.4015929995478, 1e-6);
	ck_assert_double_eq_tol(foretold("power of input size", 2),
				500.9072719859101, 1e-6);
	ck_assert_double_eq_tol(foretold("power of input size", 16),
				2946.516568059565, 1e-6);
	ck_assert_double_eq(foretold("line on input size", 0.1), 300);
	ck_assert_double_eq(foretold("power of input size", 0.1), 300);
}
END_TEST

/* No power above 2 or below 0; no line through four points. */
START_TEST(experts_that_give_up)
{
	for (size_t i = 1; i <= 4; i++)
		add(pow((double)i, 3) * 100 * MIB, (double)i * GIB);
	ck_assert_double_nan(foretold("line on input size", 2));
	ck_assert_double_nan(foretold("power of input size", 2));
	add(12500 * MIB, 5 * GIB);
	/* exp(mean(log(need)) + 2 * (log(4 GiB + 1) - mean(log(input + 1)))) */
	ck_assert_double_eq_tol(foretold("power of input size", 4),
				4168.273733911218, 1e-6);
	teardown();
	setup();
	for (size_t i = 1; i <= 5; i++)
		add((6 - (double)i) * 100 * MIB, (double)i * GIB);
	/* The geometric mean: (5! * 100^5)^(1 / 5). */
	ck_assert_double_eq_tol(foretold("power of input size", 2),
				100 * pow(120, 0.2), 1e-6);
}
END_TEST

/* The three nearest to 6 GiB are 5, 8 or 4 at the same distance, and 3. */
START_TEST(experts_of_near_inputs)
{
	add_eight();
	ck_assert_double_eq(foretold("largest of 3 with such an input", 6),
			    1700);
	ck_assert_double_eq(foretold("largest of 3 with such an input", 2),
			    700);
	ck_assert_double_eq(foretold("largest of 3 with such an input", 0.1),
			    500);
	/* Seven have one: (300 + 500 + 450 + 900 + 1700 + 700 + 1100) / 7. */
	ck_assert_double_eq_tol(foretold("mean of 12 with such an input", 6),
				5650.0 / 7, 1e-9);
	ck_assert_double_eq(foretold("largest with that input", 2), 500);
	ck_assert_double_eq(foretold("largest with that input", 8), 1700);
	/* No run has it: as with the three nearest. */
	ck_assert_double_eq(foretold("largest with that input", 6), 1700);
}
END_TEST

/* Reference: searches all of the newest 512. */
static double largest_of_nearest(const double *xs, const double *ys,
				 size_t count, double input, size_t wanted)
{
	bool is_taken[MANY] = { false };
	double largest = 0;

	while (wanted-- > 0) {
		size_t best = SIZE_MAX;

		for (size_t i = count; i-- > 0 && i + 512 >= count;) {
			if (isnan(xs[i]) || is_taken[i])
				continue;
			if (best == SIZE_MAX || fabs(xs[i] - input) <
						fabs(xs[best] - input))
				best = i;
		}
		ck_assert_uint_ne(best, SIZE_MAX);
		is_taken[best] = true;
		largest = fmax(largest, ys[best]);
	}
	return largest;
}

/* The newest of equals; runs that left the window are not found. */
START_TEST(near_inputs_of_many)
{
	static double xs[MANY], ys[MANY];

	for (size_t i = 0; i < MANY; i++) {
		xs[i] = draw_uniform() < 0.1 ? NAN :
			draw_uniform() < 0.2 ? 40 * draw_uniform() :
			floor(40 * draw_uniform());
		ys[i] = floor(1000 * draw_uniform()) + 100;
		add(ys[i] * MIB, xs[i] * GIB);
		if (i < 20 || (i % 7 && i < 1000))
			continue;
		for (double x = 0.5; x < 45; x += 3.25)
			ck_assert_double_eq(
				foretold("largest of 3 with such an input", x),
				largest_of_nearest(xs, ys, i + 1, x, 3));
		if (i < 512 || isnan(xs[i - 512]))
			continue;
		/* The input that has just left it. */
		ck_assert_double_eq(
			foretold("largest of 3 with such an input",
				 xs[i - 512]),
			largest_of_nearest(xs, ys, i + 1, xs[i - 512], 3));
	}
}
END_TEST

static int compare_errors(const void *one, const void *two)
{
	const struct sw_memory_error *a = one, *b = two;

	return (a->key > b->key) - (a->key < b->key);
}

/* Return the newest 512 errors, sorted, and the largest one before them. */
static size_t errors_of_newest(size_t count,
			       const struct sw_memory_error *all,
			       struct sw_memory_error *errors)
{
	struct sw_memory_error largest = { .key = -INFINITY };
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (isnan(all[i].foretold))
			continue;
		if (i + 512 >= count)
			errors[used++] = all[i];
		else if (all[i].key > largest.key)
			largest = all[i];
	}
	qsort(errors, used, sizeof(*errors), compare_errors);
	if (largest.key > errors[used - 1].key)
		errors[used++] = largest;
	return used;
}

START_TEST(errors_stay_in_order)
{
	static struct sw_memory_error all[MANY];
	struct sw_memory_error wanted[SW_MEMORY_ERRORS_MAX + 1];
	struct sw_memory_error errors[SW_MEMORY_ERRORS_MAX];
	struct sw_memory_order order = { .expert = 3, .is_added = _i };
	size_t count = 0, i, j;

	for (i = 0; i < MANY; i++) {
		struct sw_memory_run run = {
			.input_bytes = NAN, .seconds = 1 + draw_uniform(),
			.need_bytes = GIB * (1 + floor(9 * draw_uniform())),
		};

		run.foretold[3] = draw_uniform() < 0.05 ? NAN :
			GIB * (1 + floor(5 * draw_uniform()));
		if (i == 100)
			run.need_bytes = 99 * GIB;
		all[i] = (struct sw_memory_error){
			_i ? run.need_bytes - run.foretold[3] :
			     run.need_bytes / run.foretold[3],
			run.foretold[3], run.need_bytes, run.seconds,
		};
		ck_assert_int_eq(sw_memory_past_add(&past, &run), 0);
		if (i >= 512)
			sw_memory_order_remove(&order, &past, i - 512);
		ck_assert_int_eq(sw_memory_order_add(&order, &past, i), 0);
		if (i % 37 && i < MANY - 5)
			continue;
		count = sw_memory_order_errors(&order, &past, errors);
		ck_assert_uint_eq(count, errors_of_newest(i + 1, all, wanted));
		for (j = 0; j < count; j++)
			ck_assert_double_eq(errors[j].key, wanted[j].key);
	}
	ck_assert_double_eq(errors[count - 1].need, 99 * GIB);
	sw_memory_order_fini(&order);
}
END_TEST

static const struct sw_memory_costs costs = {
	.price = 3 * GIB, .time_to_failure = 0.5, .retry_factor = 1.3,
	.tail_prior = 0.1, .tail_weight = 1, .most = INFINITY,
};

/*
 * The tail's mean for the keys 1, 2, 4 is (ln 2 + 2 * 0.1) / 3.  A quarter is
 * above the largest; the share of Weibull's distribution of shape 1/2 and mean
 * m above x is exp(-sqrt(2 x / m)), with x = ln 2 for 8; in Python.
 */
START_TEST(risk_of_a_margin)
{
	const struct sw_memory_error errors[] = {
		{ 1, GIB, GIB, 1 }, { 2, GIB, 2 * GIB, 1 },
		{ 4, GIB, 4 * GIB, 1 },
	};
	size_t fits;

	ck_assert_double_eq_tol(sw_memory_margin_risk(errors, 3, false, &costs,
						      8, &fits),
				0.02889253200062982, 1e-12);
	ck_assert_uint_eq(fits, 3);
	ck_assert_double_eq_tol(sw_memory_margin_risk(errors, 3, false, &costs,
						      4, &fits), 0.25, 1e-9);
	ck_assert_double_eq_tol(sw_memory_margin_risk(errors, 3, false, &costs,
						      3, &fits), 0.5, 1e-9);
	ck_assert_uint_eq(fits, 2);
	ck_assert_double_eq_tol(sw_memory_margin_risk(errors, 3, false, &costs,
						      0.5, &fits), 1, 1e-9);
	ck_assert_uint_eq(fits, 0);
}
END_TEST

/* First the levels, then half as much again each time. */
START_TEST(attempts_go_up)
{
	struct sw_memory_margin margin = { .levels = { 1.2, 2 }, .count = 2 };

	ck_assert_double_eq_tol(sw_memory_margin_apply(&margin, 10, 1), 12,
				1e-12);
	ck_assert_double_eq_tol(sw_memory_margin_apply(&margin, 10, 2), 20,
				1e-12);
	ck_assert_double_eq_tol(sw_memory_margin_apply(&margin, 10, 3), 30,
				1e-12);
	ck_assert_double_eq_tol(sw_memory_margin_apply(&margin, 10, 5), 67.5,
				1e-12);
	margin.is_added = true;
	ck_assert_double_eq_tol(sw_memory_margin_apply(&margin, 10, 2), 12,
				1e-12);
	ck_assert_double_eq_tol(sw_memory_margin_apply(&margin, 10, 3), 18,
				1e-12);
}
END_TEST

/* Return the need that the group assumes for this need, or memory of a kill. */
static double taken_for(double bytes, bool is_killed)
{
	struct sw_memory_site site = {
		.policy = &policy,
		.settings = &sw_memory_settings[policy.risk],
	};
	struct sw_run run = sw_run_unknown;

	run.state = is_killed ? SW_RUN_OUT_OF_MEMORY : SW_RUN_COMPLETED;
	run.is_lower_bound = is_killed;
	run.need_bytes = bytes;
	run.elapsed_seconds = 100;
	ck_assert_int_eq(sw_memory_group_learn(&group, &site, &run), 0);
	ck_assert_double_eq(site.cost, 100 * sw_memory_past_run(&group.past,
		group.past.now.count - 1)->need_bytes);
	return sw_memory_past_run(&group.past,
				  group.past.now.count - 1)->need_bytes;
}

/* The mean of runs that needed more; if there are none, the next step up. */
START_TEST(killed_runs_are_inferred)
{
	ck_assert_double_eq(taken_for(GIB, true), 1.3 * GIB);
	ck_assert_double_eq(taken_for(2 * GIB, false), 2 * GIB);
	ck_assert_double_eq(taken_for(3 * GIB, false), 3 * GIB);
	ck_assert_double_eq(taken_for(4 * GIB, false), 4 * GIB);
	ck_assert_double_eq(taken_for(2 * GIB, true), 3.5 * GIB);
	ck_assert_double_eq(taken_for(GIB, true),
			    (1.3 + 2 + 3 + 4 + 3.5) / 5 * GIB);
	ck_assert_double_eq(taken_for(5 * GIB, true), 6.5 * GIB);
	ck_assert_double_eq(taken_for(1, false), policy.floor_bytes);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("experts");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, experts_without_input);
	tcase_add_test(tests, experts_of_the_newest);
	tcase_add_test(tests, experts_on_a_curve);
	tcase_add_test(tests, experts_that_give_up);
	tcase_add_test(tests, experts_of_near_inputs);
	tcase_add_test(tests, near_inputs_of_many);
	tcase_add_loop_test(tests, errors_stay_in_order, 0, 2);
	tcase_add_test(tests, risk_of_a_margin);
	tcase_add_test(tests, attempts_go_up);
	tcase_add_test(tests, killed_runs_are_inferred);
	return run_tests("experts", tests, NULL);
}
