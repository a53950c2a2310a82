/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Methods of others, compared with values computed independently: by Python's
 * statistics module, by exhaustive search, or by hand; the comments have the
 * formula.  And properties that hold for each of them, whatever the input.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "advice/learner.h"
#include "advice/low_wastage.h"
#include "advice/method.h"
#include "test/run_tests.h"

#define GB 1e9
#define MIB (1024.0 * 1024)
#define HOUR 3600.0
#define DAY (24 * HOUR)

enum { EIGHT = 8 };

/* Eight runs: input and need in GB, time in hours. */
static const double inputs[EIGHT] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static const double needs[EIGHT] = { 1.0, 1.3, 2.2, 2.1, 3.4, 2.9, 4.1, 4.4 };
static const double hours[EIGHT] = { 1, 2, 1, 3, 1, 2, 4, 2 };

static struct sw_policy policy;
static const struct sw_method *method;
static struct sw_learner learner;

static void begin(const char *name)
{
	policy = sw_policy_default;
	policy.cap_bytes = 100 * GB;
	method = sw_method_find(name);
	ck_assert_ptr_nonnull(method);
	sw_learner_init(&learner, method, &policy);
}

static void end(void)
{
	sw_learner_fini(&learner);
}

static void learn(double need_gb, double input_gb, double for_hours)
{
	struct sw_run run = sw_run_unknown;

	run.state = SW_RUN_COMPLETED;
	run.need_bytes = need_gb * GB;
	run.input_bytes = input_gb * GB;
	run.elapsed_seconds = for_hours * HOUR;
	ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
}

static void learn_eight(void)
{
	for (size_t i = 0; i < EIGHT; i++)
		learn(needs[i], inputs[i], hours[i]);
}

static void learn_kill(double had_gb)
{
	struct sw_run run = sw_run_unknown;

	run.state = SW_RUN_OUT_OF_MEMORY;
	run.is_lower_bound = true;
	run.need_bytes = had_gb * GB;
	run.elapsed_seconds = HOUR;
	ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
}

static struct sw_query query_of(double input_gb, double requested_gb)
{
	return (struct sw_query){
		.input_bytes = input_gb * GB,
		.requested_bytes = requested_gb * GB,
		.start_seconds = NAN,
	};
}

static double ask(double input_gb, double requested_gb)
{
	const struct sw_query query = query_of(input_gb, requested_gb);

	return sw_learner_ask(&learner, &query) / GB;
}

static double again(double requested_gb, double failed_gb)
{
	const struct sw_query query = query_of(NAN, requested_gb);

	return sw_learner_again(&learner, &query, failed_gb * GB, 2) / GB;
}

START_TEST(request_is_the_users)
{
	begin("request");
	learn_eight();
	ck_assert_double_eq_tol(ask(3, 7), 7, 1e-9);
	ck_assert(isnan(ask(3, NAN)));
	end();
}
END_TEST

/* 1.2 * 4.4 = 5.28, 1.15 * 4.4 = 5.06; 1.25 * 5 = 6.25 after a kill at 5. */
START_TEST(largest_and_a_margin)
{
	begin("max");
	learn_eight();
	ck_assert_double_eq_tol(ask(3, NAN), 5.28, 1e-9);
	end();
	begin("krr");
	learn_eight();
	ck_assert_double_eq_tol(ask(3, NAN), 5.06, 1e-9);
	learn_kill(5);
	ck_assert_double_eq_tol(ask(3, NAN), 6.25, 1e-9);
	ck_assert_double_eq_tol(again(NAN, 8), 10, 1e-9);
	end();
}
END_TEST

/*
 * Bucket k begins at 1e7 * (1.05^k - 1) / 0.05 and 4.4e9 is in bucket 64; its
 * end and 15 %.  For runs a day apart, the need falling from 4.4 to 1.0, the
 * weights are 1, 2, 4 ... 128 of 255, and 0.9 of it is reached in the bucket of
 * 2.1 (128 + 64 + 32 = 224 < 229.5 <= 232; 2.1 comes before 2.2).
 */
START_TEST(vpa_forgets_by_half_lives)
{
	struct sw_run run = sw_run_unknown;

	begin("vpa");
	learn_eight();
	ck_assert_double_eq_tol(ask(NAN, NAN), 5.253177128611229, 1e-9);
	end();
	begin("vpa");
	run.state = SW_RUN_COMPLETED;
	for (size_t i = 0; i < EIGHT; i++) {
		run.need_bytes = needs[EIGHT - 1 - i] * GB;
		run.end_seconds = 1.7e9 + DAY * (double)i;
		ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
	}
	ck_assert_double_eq_tol(ask(NAN, NAN), 2.539377048259519, 1e-9);
	/* After a kill, the larger of 1.2 times and 100 MiB more. */
	ck_assert_double_eq_tol(again(NAN, 10), 12, 1e-9);
	ck_assert_double_eq_tol(again(NAN, 0.1), 0.1 + 100 * MIB / GB, 1e-9);
	/* Weights are still finite years later. */
	run.need_bytes = 8 * GB;
	run.end_seconds = 1.7e9 + 3000 * DAY;
	ck_assert_int_eq(sw_learner_learn(&learner, 0, &run), 0);
	ck_assert_double_gt(ask(NAN, NAN), 8);
	ck_assert_double_lt(ask(NAN, NAN), 8 * 1.05 * 1.15 + 0.1);
	end();
}
END_TEST

/* statistics.quantiles(needs, n=20, method="inclusive")[18] */
START_TEST(witt_takes_a_percentile)
{
	begin("witt_percentile");
	learn_eight();
	ck_assert_double_eq_tol(ask(NAN, NAN), 4.295, 1e-9);
	end();
}
END_TEST

/*
 * statistics.linear_regression: slope 0.490476, intercept 0.467857; deviation
 * sqrt(sum of squared errors / (8 - 1)) = 0.323196; at 6.5 together 3.979149.
 * Without an input mean + stdev of the needs.
 */
START_TEST(witt_draws_a_line)
{
	begin("witt_lr");
	learn_eight();
	ck_assert_double_eq_tol(ask(6.5, NAN), 3.979148578815111, 1e-9);
	ck_assert_double_eq_tol(ask(NAN, NAN), 3.9191290700153028, 1e-9);
	/* Below 0 it falls back on the largest. */
	ck_assert_double_eq_tol(ask(-1000, NAN), 4.4, 1e-9);
	end();
}
END_TEST

/*
 * a * sum(T) + 4.4 * sum(T of needs above a), for each need a: the minimum of
 * the eight is at the largest (70.4).  With times of 9, 9, 9, 9, 1, .5, .5, .5
 * it is at 2.2 (95.7).
 */
START_TEST(tovar_wastes_least)
{
	static const double others[EIGHT] = { 9, 9, 9, 9, 1, .5, .5, .5 };

	begin("tovar");
	learn_eight();
	ck_assert_double_eq_tol(ask(NAN, NAN), 4.4, 1e-9);
	end();
	begin("tovar");
	for (size_t i = 0; i < EIGHT; i++)
		learn(needs[i], NAN, others[i]);
	ck_assert_double_eq_tol(ask(NAN, NAN), 2.2, 1e-9);
	/* The largest need, then the node. */
	ck_assert_double_eq_tol(again(NAN, 2.2), 4.4, 1e-9);
	ck_assert_double_eq_tol(again(NAN, 4.4), 100, 1e-9);
	end();
}
END_TEST

/*
 * The line with the least sum of e^2 (need above it) or 0.02 e^2 (below), found
 * by two nested ternary searches: 0.694262 + 0.528210 x.  Then two deviations
 * with the weights 1 - |x_i - x| / furthest + (1 - 8 / 10) / 100.  At 0.1 the
 * line is below the least need, 1.0; at 20 it is beyond the largest input.
 */
START_TEST(ponder_leans_on_the_line)
{
	begin("ponder");
	learn_eight();
	ck_assert_double_eq_tol(ask(6.5, NAN), 4.901393463306528, 1e-6);
	ck_assert_double_eq_tol(ask(8, NAN), 5.6463307788854085, 1e-6);
	ck_assert_double_eq_tol(ask(0.1, NAN), 1.6355267136644762, 1e-6);
	ck_assert_double_eq_tol(ask(20, NAN), 11.984391759823605, 1e-6);
	/* Never more than the request, which retries use. */
	ck_assert_double_eq_tol(ask(20, 6), 6, 1e-9);
	ck_assert_double_eq_tol(again(9, 6), 9, 1e-9);
	/* Without an input, the largest and 128 MiB. */
	ck_assert_double_eq_tol(ask(NAN, NAN), 4.4 + 128 * MIB / GB, 1e-9);
	end();
}
END_TEST

START_TEST(ponder_begins_with_the_request)
{
	begin("ponder");
	ck_assert(isnan(ask(2, 7)));
	learn(1, 3, 1);
	/* A run with more input is known to have needed less. */
	ck_assert_double_eq_tol(ask(2, 7), 1 + 128 * MIB / GB, 1e-9);
	ck_assert_double_eq_tol(ask(4, 7), 7, 1e-9);
	ck_assert_double_eq_tol(ask(4, NAN), 1 + 128 * MIB / GB, 1e-9);
	end();
}
END_TEST

static struct sw_point points[EIGHT];

static struct sw_low_wastage eight(double time_to_failure)
{
	for (size_t i = 0; i < EIGHT; i++)
		points[i] = (struct sw_point){ inputs[i], needs[i], hours[i] };
	return (struct sw_low_wastage){
		.points = points, .count = EIGHT,
		.floor_bytes = 64 * MIB / GB,
		.time_to_failure = time_to_failure,
	};
}

/*
 * The sum over the runs, in Python: p = a + b x; while p < y: failed += p,
 * p *= 2; T * (ttf * failed + p - y).  The best of a grid with a step of 0.01
 * is 8.25, at 1.65 + 0.35 x; the best constant, 4.4, costs 23.9.
 */
START_TEST(wastage_of_a_line)
{
	struct sw_low_wastage runs = eight(1);
	struct sw_line line = { 0, 0.4 };

	ck_assert_double_eq_tol(sw_low_wastage_cost(&runs, &line), 52.3, 1e-9);
	line = (struct sw_line){ 0.5, 0.5 };
	ck_assert_double_eq_tol(sw_low_wastage_cost(&runs, &line), 44, 1e-9);
	ck_assert_int_eq(sw_low_wastage_fit(&runs, &line), 0);
	ck_assert_double_le(sw_low_wastage_cost(&runs, &line), 8.25 * 1.1);
	runs = eight(0.5);
	line = (struct sw_line){ 0.5, 0.5 };
	ck_assert_double_eq_tol(sw_low_wastage_cost(&runs, &line), 33.5, 1e-9);
	begin("witt_wastage");
	learn_eight();
	ck_assert_double_eq_tol(ask(NAN, NAN), 4.4, 0.1);
	ck_assert_double_ge(ask(8, NAN), 4.4 - 0.1);
	ck_assert_double_le(ask(8, NAN), 5);
	end();
}
END_TEST

/* Nothing was learned, or only about another group: no answer. */
START_TEST(nothing_known_no_opinion)
{
	const struct sw_query query = {
		.group = 5, .input_bytes = GB, .requested_bytes = NAN,
		.start_seconds = NAN,
	};

	begin(sw_methods[_i]->name);
	ck_assert(isnan(ask(1, NAN)));
	learn_eight();
	ck_assert(isnan(sw_learner_ask(&learner, &query)));
	end();
}
END_TEST

static double draw(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return (double)(*seed >> 8 & 0xffffu) / 65536;
}

/*
 * Whatever the input, methods return a finite, positive number of bytes, and a
 * new state knows nothing of the last one.
 */
START_TEST(any_past_gives_a_number)
{
	unsigned seed = 7;
	double first;

	begin(sw_methods[_i]->name);
	for (size_t i = 0; i < 600; i++) {
		double need = exp(12 * draw(&seed) - 6);

		learn(need, i % 3 ? need * (1 + draw(&seed)) : NAN,
		      i % 5 ? draw(&seed) : NAN);
		if (i % 50 == 7)
			learn_kill(need);
		first = ask(i % 2 ? need : NAN, 20);
		/* With few runs there may be no answer. */
		if (i < 20 && isnan(first))
			continue;
		ck_assert(isfinite(first));
		ck_assert_double_gt(first, 0);
	}
	end();
	begin(sw_methods[_i]->name);
	learn(1, 1, 1);
	ck_assert_double_le(ask(1, 20), 20);
	end();
}
END_TEST

/* All runs equal: no method requests less than all of them needed. */
START_TEST(equal_runs_fit)
{
	begin(sw_methods[_i]->name);
	for (size_t i = 0; i < 40; i++)
		learn(2, 1, 1);
	ck_assert_double_ge(ask(1, 20), 2 * (1 - 1e-9));
	ck_assert_double_ge(ask(NAN, 20), 2 * (1 - 1e-9));
	end();
}
END_TEST

START_TEST(methods_have_names_and_sources)
{
	ck_assert(strlen(sw_methods[_i]->name) > 0);
	ck_assert(strlen(sw_methods[_i]->title) > 0);
	ck_assert(strlen(sw_methods[_i]->source) > 0);
	ck_assert_ptr_eq(sw_method_find(sw_methods[_i]->name), sw_methods[_i]);
}
END_TEST

int main(void)
{
	TCase *values = tcase_create("values");
	TCase *each = tcase_create("each");
	int count = 0;

	while (sw_methods[count])
		count++;
	tcase_add_test(values, request_is_the_users);
	tcase_add_test(values, largest_and_a_margin);
	tcase_add_test(values, vpa_forgets_by_half_lives);
	tcase_add_test(values, witt_takes_a_percentile);
	tcase_add_test(values, witt_draws_a_line);
	tcase_add_test(values, tovar_wastes_least);
	tcase_add_test(values, ponder_leans_on_the_line);
	tcase_add_test(values, ponder_begins_with_the_request);
	tcase_add_test(values, wastage_of_a_line);
	tcase_add_loop_test(each, nothing_known_no_opinion, 0, count);
	tcase_add_loop_test(each, any_past_gives_a_number, 0, count);
	tcase_add_loop_test(each, equal_runs_fit, 0, count);
	tcase_add_loop_test(each, methods_have_names_and_sources, 0, count);
	return run_tests("methods", values, each, NULL);
}
