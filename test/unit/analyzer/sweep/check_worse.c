/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two weeks of nights, drawn by a seed, with one planted change: what got worse
 * and since when; and nights in which nothing changed.  Other seeds:
 * STEPWELL_WORSE_SEED=N.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/sweep/worse/worse.h"
#include "common/missing.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/compare/group_kit.h"

enum {
	NIGHTS = 15, TODAY = NIGHTS - 1,
	NODES = 4,
	SEEDS = 10,
	HEALTHY_SEEDS = 200,
	FIRST_NIGHT = 1795564800, /* a Monday, UTC */
	DAY = 86400,
};

/* How a group's runs are drawn in a night, and on a node. */
struct plan {
	unsigned runs; /* per night */
	double noise;  /* of runs, standard deviation of logarithms */
	double drift;  /* of nights, likewise */
	bool has_prints;
	double slower, hungrier; /* from that night on; 0: as before */
	double failures;	 /* share */
	unsigned since;
	int node; /* only there; -1: on all */
	const char *kernel;
	double weekend; /* factor of Saturday and Sunday */
	bool lacks_program;
};

static const struct plan usual = { .runs = 8, .noise = 0.1, .drift = 0.03,
				   .since = NIGHTS, .node = -1 };

static uint64_t random_state;
static struct sw_night nights[NIGHTS];
static struct sw_keyed trails;
static struct sw_worses worses;

static uint64_t first_seed(void)
{
	const char *text = getenv("STEPWELL_WORSE_SEED");

	return text ? strtoull(text, NULL, 10) : 1;
}

/* Normally distributed (G. E. P. Box and M. E. Muller, 1958). */
static double normal(void)
{
	double one = kit_random(&random_state), two = kit_random(&random_state);

	return sqrt(-2 * log(1 - one)) * cos(2 * M_PI * two);
}

static void put_program(struct sw_fingerprint *print, const char *name,
			double seconds, bool has_failed)
{
	struct sw_fingerprint_program *program =
		&print->programs[print->program_count++];

	sw_fingerprint_program_init(program, name);
	program->amount[SW_PROGRAM_COUNT] = 1;
	program->amount[SW_PROGRAM_CPU_USEC] = (uint64_t)(seconds * 1e6);
	program->amount[SW_PROGRAM_LONGEST_USEC] = (uint64_t)(seconds * 1e6);
	program->exited_ok = !has_failed;
	if (has_failed)
		sw_fingerprint_add_exit(program, false, 3, 1);
}

static void put_print(struct sw_sample_run *run, const struct plan *plan,
		      bool is_planted, unsigned node)
{
	static uint8_t bytes[SW_FINGERPRINT_BYTES];
	struct sw_fingerprint print;

	sw_fingerprint_init(&print);
	print.is_complete = true;
	print.state = run->run.state;
	snprintf(print.environment.node, SW_FINGERPRINT_TEXT, "n%02u", node);
	snprintf(print.environment.kernel, SW_FINGERPRINT_TEXT, "%s",
		 is_planted && plan->kernel ? plan->kernel : "6.1.0");
	put_program(&print, "bwa", run->run.elapsed_seconds, false);
	if (!is_planted || !plan->lacks_program)
		put_program(&print, "samtools", 1, false);
	run->fingerprint = bytes;
	run->fingerprint_size = sw_fingerprint_encode(&print, bytes);
}

static void draw_run(unsigned night, unsigned i, const struct plan *plan,
		     const char *label, double level)
{
	unsigned node = i % NODES + 1;
	bool is_planted = night >= plan->since &&
			  (plan->node < 0 || (unsigned)plan->node == node);
	struct sw_sample_run run = { .run = sw_run_unknown };
	double factor = exp(plan->noise * normal()) * level;
	struct sw_tally_job job = { .run = &run };
	const struct sw_tally_of_job names = {
		"c1", "alice", "a", "p", "q", label, label
	};

	run.run.state = is_planted &&
				kit_random(&random_state) < plan->failures
				? SW_RUN_FAILED
				: SW_RUN_COMPLETED;
	run.run.elapsed_seconds =
		600 * factor * (is_planted && plan->slower ? plan->slower : 1);
	run.run.end_seconds = FIRST_NIGHT + night * DAY + 60 * i + 60;
	run.run.start_seconds =
		run.run.end_seconds - run.run.elapsed_seconds;
	run.run.need_bytes =
		2e9 * exp(plan->noise * normal()) *
		(is_planted && plan->hungrier ? plan->hungrier : 1);
	run.job_id = night * 1000 + i + 1;
	if (plan->has_prints)
		put_print(&run, plan, is_planted, node);
	job.n[SW_TALLY_JOBS] = 1;
	job.n[SW_TALLY_CORE_USEC] =
		(uint64_t)(run.run.elapsed_seconds * 1e6);
	ck_assert_int_eq(
		sw_tally_cells_add(&nights[night].cells, &names, &job), 0);
}

static void draw_group(const struct plan *plan, const char *label)
{
	unsigned night, i;

	for (night = 0; night < NIGHTS; night++) {
		double level = exp(plan->drift * normal());

		if (plan->weekend && night % 7 >= 5)
			level *= plan->weekend;
		for (i = 0; i < plan->runs; i++)
			draw_run(night, i, plan, label, level);
	}
}

static void begin(uint64_t seed)
{
	unsigned i;

	random_state = seed;
	for (i = 0; i < NIGHTS; i++) {
		sw_night_init(&nights[i], NULL);
		nights[i].from_seconds = FIRST_NIGHT + i * DAY;
	}
}

static void find(void)
{
	unsigned i;

	for (i = 0; i < NIGHTS; i++)
		ck_assert_int_eq(sw_night_settle(&nights[i]), 0);
	for (i = TODAY; i-- > 0;)
		ck_assert_int_eq(
			sw_trails_add(&trails, &nights[i], &nights[TODAY]), 0);
	sw_trails_settle(&trails);
	ck_assert_int_eq(sw_worse_find(&worses, &nights[TODAY], &trails), 0);
	sw_worses_fold(&worses);
}

static void end(void)
{
	unsigned i;

	sw_worses_fini(&worses);
	sw_trails_fini(&trails);
	for (i = 0; i < NIGHTS; i++)
		sw_night_fini(&nights[i]);
}

/* Beside others in which nothing changed. */
static void draw(const struct plan *plan, uint64_t seed)
{
	struct plan other = usual;
	char label[16];
	unsigned i;

	begin(seed);
	other.has_prints = plan->has_prints;
	for (i = 0; i < 5; i++) {
		snprintf(label, sizeof(label), "other%u", i);
		draw_group(&other, label);
	}
	draw_group(plan, "align");
	find();
}

/* Return 1 if exactly this was found, since that night. */
static unsigned is_found(const struct plan *plan, uint64_t seed,
			 const char *words, const char *beside)
{
	const struct sw_worse *row = worses.items;
	bool is_right = worses.count == 1 &&
			!strcmp(row->groups[0]->label, "align") &&
			row->since_seconds == nights[plan->since].from_seconds &&
			strstr(row->words, words) &&
			(!*beside || strstr(row->beside[0], beside)) &&
			(plan->node >= 0) == (*row->node != '\0');
	size_t i;

	for (i = 0; !is_right && i < worses.count; i++)
		printf("seed %llu: %s since night %d, not %u: %s; %s; %s\n",
		       (unsigned long long)seed, worses.items[i].groups[0]->label,
		       (int)((worses.items[i].since_seconds - FIRST_NIGHT) /
			     DAY),
		       plan->since, worses.items[i].words,
		       worses.items[i].node, worses.items[i].beside[0]);
	if (!is_right && !worses.count)
		printf("seed %llu: nothing was found\n",
		       (unsigned long long)seed);
	return is_right;
}

static void expect(const struct plan *plan, const char *words,
		   const char *beside)
{
	unsigned found = 0, i;

	for (i = 0; i < SEEDS; i++) {
		struct plan one = *plan;

		/* A node has few runs, so that one night is not enough. */
		one.since = TODAY - (unsigned)(first_seed() + i) % 5;
		if (one.node >= 0 && one.since > TODAY - 2)
			one.since = TODAY - 2;
		draw(&one, first_seed() * 100 + i);
		found += is_found(&one, first_seed() * 100 + i, words, beside);
		end();
	}
	printf("%s: %u of %d\n", words, found, SEEDS);
	ck_assert_uint_ge(found, SEEDS - 1);
}

START_TEST(slower)
{
	struct plan plan = usual;

	plan.slower = 1.5;
	expect(&plan, "the run took", "");
	plan.has_prints = true;
	expect(&plan, "took", "");
}
END_TEST

START_TEST(needs_more_memory)
{
	struct plan plan = usual;

	plan.hungrier = 2;
	expect(&plan, "the run needed", "");
}
END_TEST

START_TEST(fails)
{
	struct plan plan = usual;

	plan.failures = 0.8;
	plan.runs = 12;
	expect(&plan, "the job failed in", "");
}
END_TEST

START_TEST(lacks_a_program)
{
	struct plan plan = usual;

	plan.lacks_program = plan.has_prints = true;
	expect(&plan, "samtools did not run in", "");
}
END_TEST

START_TEST(slower_on_one_node_only)
{
	struct plan plan = usual;

	plan.slower = 1.5;
	plan.node = 2;
	plan.has_prints = true;
	plan.runs = 48;
	expect(&plan, "took", "");
}
END_TEST

START_TEST(a_new_kernel_coincides)
{
	struct plan plan = usual;

	plan.slower = 1.5;
	plan.kernel = "6.12.0";
	plan.has_prints = true;
	expect(&plan, "took", "another kernel (6.12.0, not 6.1.0)");
}
END_TEST

START_TEST(one_row_for_a_kernel)
{
	struct plan plan = usual;

	plan.slower = 1.5;
	plan.kernel = "6.12.0";
	plan.has_prints = true;
	plan.since = TODAY - 3;
	draw(&plan, first_seed());
	end();
	begin(first_seed());
	draw_group(&plan, "align");
	draw_group(&plan, "sort");
	draw_group(&usual, "other");
	find();
	ck_assert_uint_eq(worses.count, 1);
	ck_assert_uint_eq(worses.items[0].count, 2);
	ck_assert_uint_eq(worses.items[0].jobs, 2 * plan.runs);
	end();
}
END_TEST

START_TEST(without_a_place_in_common_there_are_two_causes)
{
	struct plan plan = usual;

	plan.slower = 1.5;
	plan.since = TODAY - 3;
	begin(first_seed());
	draw_group(&plan, "align");
	draw_group(&plan, "sort");
	find();
	ck_assert_uint_eq(worses.count, 2);
	end();
}
END_TEST

/* Print what was found, which is wrong. */
static unsigned count_wrong(const char *what, uint64_t seed)
{
	size_t i;

	for (i = 0; i < worses.count; i++)
		printf("%s, seed %llu: %s, %s: %s\n", what,
		       (unsigned long long)seed,
		       worses.items[i].groups[0]->label, worses.items[i].node,
		       worses.items[i].words);
	return worses.count > 0;
}

static unsigned try_healthy(const char *what, const struct plan *plan,
			    unsigned seeds)
{
	unsigned wrong = 0, i;

	for (i = 0; i < seeds; i++) {
		draw(plan, first_seed() * 1000 + i);
		wrong += count_wrong(what, first_seed() * 1000 + i);
		end();
	}
	printf("%s: %u of %u wrong\n", what, wrong, seeds);
	return wrong;
}

START_TEST(where_nothing_changed_nothing_is_told)
{
	struct plan plan = usual;
	unsigned i;

	ck_assert_uint_eq(try_healthy("healthy", &plan, HEALTHY_SEEDS), 0);
	plan.has_prints = true;
	plan.runs = 24;
	ck_assert_uint_eq(try_healthy("on nodes", &plan, SEEDS), 0);
	plan = usual;
	plan.noise = 0.5;
	plan.drift = 0.3;
	ck_assert_uint_eq(try_healthy("noisy", &plan, HEALTHY_SEEDS), 0);
	for (i = 1; i <= 2; i++) {
		plan = usual;
		plan.weekend = i == 1 ? 2 : 0.5;
		ck_assert_uint_eq(try_healthy("weekend", &plan, 20), 0);
	}
	/* Faster, and less memory. */
	plan = usual;
	plan.slower = plan.hungrier = 0.5;
	plan.since = TODAY - 2;
	ck_assert_uint_eq(try_healthy("better", &plan, SEEDS), 0);
	/* It was worse, and is as before. */
	plan = usual;
	plan.failures = 0;
	plan.runs = 4;
	plan.since = TODAY;
	plan.slower = 3;
	ck_assert_uint_eq(try_healthy("four runs", &plan, SEEDS), 0);
}
END_TEST

/* Weekends are slower, and the last night is of a weekend. */
START_TEST(a_weekend_is_like_the_last_one)
{
	unsigned night, i, seed;

	for (seed = 0; seed < 20; seed++) {
		begin(first_seed() * 1000 + seed);
		for (night = 0; night < NIGHTS; night++) {
			/* The last night is the second of its weekend. */
			double level = (night + 7) % 7 == TODAY % 7 ||
				       (night + 1) % 7 == TODAY % 7 ? 2 : 1;

			for (i = 0; i < 8; i++)
				draw_run(night, i, &usual, "align", level);
		}
		find();
		ck_assert_uint_eq(count_wrong("weekend", seed), 0);
		end();
	}
}
END_TEST

START_TEST(few_runs_are_not_evaluated)
{
	struct plan plan = usual;
	unsigned night;

	begin(first_seed());
	plan.slower = 3;
	plan.since = TODAY;
	for (night = 0; night < 4; night++)
		draw_run(night, 0, &plan, "align", 1);
	draw_run(TODAY, 0, &plan, "align", 1);
	find();
	ck_assert_uint_eq(worses.evaluated, 0);
	ck_assert_uint_eq(worses.count, 0);
	end();
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("worse");

	printf("seed %llu\n", (unsigned long long)first_seed());
	tcase_set_timeout(tests, 600);
	tcase_add_test(tests, slower);
	tcase_add_test(tests, needs_more_memory);
	tcase_add_test(tests, fails);
	tcase_add_test(tests, lacks_a_program);
	tcase_add_test(tests, slower_on_one_node_only);
	tcase_add_test(tests, a_new_kernel_coincides);
	tcase_add_test(tests, one_row_for_a_kernel);
	tcase_add_test(tests, without_a_place_in_common_there_are_two_causes);
	tcase_add_test(tests, where_nothing_changed_nothing_is_told);
	tcase_add_test(tests, a_weekend_is_like_the_last_one);
	tcase_add_test(tests, few_runs_are_not_evaluated);
	return run_tests("worse", tests, NULL);
}
