/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the history to all advice for a group: the request, the input and the
 * nodes it applies to.
 */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice/text.h"
#include "analyzer/requests/request.h"
#include "analyzer/settings/settings.h"
#include "analyzer/suggest/advice_words.h"
#include "test/run_tests.h"

enum { RUNS = 10 };

static char folder[64], path[96], yaml[96];
static struct sw_settings *settings;
static struct sw_history *history;

static void write_settings(const char *text)
{
	FILE *file = fopen(yaml, "w");
	struct sw_error error = { "" };

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	sw_settings_free(settings);
	settings = sw_settings_load(yaml, &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
}

/* Two of four cores were busy; each run took 100 s more than the one before. */
static void add_run(unsigned i)
{
	struct sw_error error = { "" };
	char job[16];
	struct sw_history_run run = {
		.run = sw_run_unknown,
		.cluster = "c1", .job = job, .user = "alice", .name = "align",
		.group = "alice/align", .label = "align", .partition = "old",
		.source = SW_HISTORY_PROFILE,
	};

	snprintf(job, sizeof(job), "10%u_%u", i, i % 2);
	run.run.state = SW_RUN_COMPLETED;
	run.run.start_seconds = 1e9 + 1e5 * i;
	run.run.elapsed_seconds = 1000 + 100 * (i % 3);
	run.run.end_seconds = run.run.start_seconds + run.run.elapsed_seconds;
	run.run.requested_bytes = 8e9 + i;
	run.run.requested_cores = 4;
	run.run.requested_seconds = 86400;
	run.run.peak_cores = 2;
	run.run.cpu_share = 1;
	run.run.nodes = run.run.tasks = 1;
	run.run.need_bytes = 1e9;
	run.run.input_bytes = 1e6 * (RUNS - i);
	ck_assert_msg(sw_history_add(history, &run, &error) >= 0, "%s",
		      error.text);
}

static void setup(void)
{
	struct sw_error error = { "" };
	unsigned i;

	snprintf(folder, sizeof(folder), "/tmp/check_advice.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/h.sqlite", folder);
	snprintf(yaml, sizeof(yaml), "%s/s.yaml", folder);
	write_settings("rules: {}\n");
	history = sw_history_open(path, true, &error);
	ck_assert_msg(history != NULL, "%s", error.text);
	for (i = 0; i < RUNS; i++)
		add_run(i);
}

static void teardown(void)
{
	char command[128];

	sw_history_close(history);
	sw_settings_free(settings);
	settings = NULL;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void ask(struct sw_advice *advice, const char *what,
		const struct sw_advice_options *options)
{
	struct sw_error error = { "" };

	ck_assert_msg(sw_advice_init(advice, history, what, settings, options,
				     &error) == 0, "%s", error.text);
}

START_TEST(test_group)
{
	struct sw_advice advice;
	const struct sw_suggestion *cores;

	ask(&advice, "align", NULL);
	ck_assert_str_eq(advice.group, "alice/align");
	ck_assert_uint_eq(advice.runs.count, RUNS);
	ck_assert_uint_gt(advice.count, 4);
	cores = sw_advice_find(&advice, SW_RESOURCE_CORES);
	ck_assert_double_eq(cores->current, 4);
	ck_assert_double_eq(cores->suggested, 2);
	ck_assert(!cores->is_withheld);
	ck_assert_double_ne(cores->suggested, cores->current);
	ck_assert_str_eq(advice.asked_by, "109_1");
	ck_assert_double_eq(advice.query.requested_bytes, 8e9 + 9);
	ck_assert_int_eq(advice.input_source, SW_INPUT_LARGEST);
	ck_assert_double_eq(advice.query.input_bytes, 10e6);
	ck_assert_double_eq(sw_advice_largest(&advice, SW_RESOURCE_TIME),
			    1200);
	ck_assert_double_eq(sw_advice_largest(&advice, SW_RESOURCE_MEMORY),
			    1e9);
	ck_assert(!advice.has_nodes);
	sw_advice_fini(&advice);
}
END_TEST

START_TEST(test_job)
{
	struct sw_advice advice;

	ask(&advice, "103_1", NULL);
	ck_assert_str_eq(advice.asked_by, "103_1");
	ck_assert_double_eq(advice.query.requested_bytes, 8e9 + 3);
	ck_assert_int_eq(advice.input_source, SW_INPUT_OF_RUN);
	ck_assert_double_eq(advice.query.input_bytes, 7e6);
	sw_advice_fini(&advice);
	/* An array: its elements are the same work, and none is selected. */
	ask(&advice, "103", NULL);
	ck_assert_str_eq(advice.asked_by, "109_1");
	ck_assert_int_eq(advice.input_source, SW_INPUT_LARGEST);
	sw_advice_fini(&advice);
}
END_TEST

START_TEST(test_request)
{
	struct sw_run request = sw_run_unknown;
	const struct sw_advice_options options = {
		.has_risk = true, .risk = SW_RISK_HIGH, .input_bytes = 42,
		.request = &request,
	};
	struct sw_advice advice;

	request.requested_cores = 16;
	request.requested_seconds = 1800;
	ask(&advice, "align", &options);
	ck_assert_double_eq(sw_advice_find(&advice,
					   SW_RESOURCE_CORES)->current, 16);
	ck_assert_double_eq(sw_advice_find(&advice,
					   SW_RESOURCE_TIME)->current, 1800);
	ck_assert_double_eq(advice.asked.requested_bytes, 8e9 + 9);
	ck_assert_str_eq(advice.asked_by, "");
	ck_assert_int_eq(advice.policy.risk, SW_RISK_HIGH);
	ck_assert_int_eq(advice.input_source, SW_INPUT_GIVEN);
	ck_assert_double_eq(advice.query.input_bytes, 42);
	sw_advice_fini(&advice);
}
END_TEST

static void add_group(const char *group)
{
	struct sw_history_run run = {
		.run = sw_run_unknown, .job = group, .group = group,
		.source = SW_HISTORY_CSV,
	};
	struct sw_error error = { "" };

	ck_assert_msg(sw_history_add(history, &run, &error) >= 0, "%s",
		      error.text);
}

/* Prefixes and suffixes of a name need not be typed. */
START_TEST(test_names)
{
	struct sw_error error = { "" };
	struct sw_advice advice;

	add_group("rnaseq:STAR");
	add_group("bob/run.sh:bwa");
	ask(&advice, "STAR", NULL);
	ck_assert_str_eq(advice.group, "rnaseq:STAR");
	sw_advice_fini(&advice);
	ask(&advice, "bob/run.sh", NULL);
	ck_assert_str_eq(advice.group, "bob/run.sh:bwa");
	sw_advice_fini(&advice);

	add_group("bob/run.sh:star");
	ck_assert_int_eq(sw_advice_init(&advice, history, "bob/run.sh",
					settings, NULL, &error), -1);
	ck_assert_int_eq(errno, ENOTUNIQ);
	ck_assert_ptr_nonnull(strstr(error.text, "bob/run.sh:bwa"));
}
END_TEST

struct sample {
	const char *user, *name, *programs;
	double cores;
};

/* A single run of a name. */
static void add_sample(struct sample sample)
{
	static unsigned count;
	struct sw_error error = { "" };
	char job[16], group[64];
	struct sw_history_run run = {
		.run = sw_run_unknown,
		.cluster = "c1",
		.job = job,
		.user = sample.user,
		.name = sample.name,
		.group = group,
		.label = sample.name,
		.programs = sample.programs,
		.source = SW_HISTORY_PROFILE,
	};

	snprintf(job, sizeof(job), "20%u", ++count);
	snprintf(group, sizeof(group), "%s/%s", sample.user, sample.name);
	run.run.state = SW_RUN_COMPLETED;
	run.run.start_seconds = 1.1e9 + 1e5 * count;
	run.run.elapsed_seconds = 1000;
	run.run.end_seconds = run.run.start_seconds + 1000;
	run.run.requested_bytes = 8e9;
	run.run.requested_cores = sample.cores;
	run.run.requested_seconds = 86400;
	run.run.nodes = run.run.tasks = 1;
	run.run.need_bytes = 1e9;
	ck_assert_msg(sw_history_add(history, &run, &error) >= 0, "%s",
		      error.text);
}

/* Twelve samples, and names that are not one more of them. */
static void add_samples(void)
{
	char name[24];
	unsigned i;

	for (i = 1; i <= 12; i++) {
		snprintf(name, sizeof(name), "kmers_s%u", i);
		/* The second program used a tenth, or a little less. */
		add_sample((struct sample){
			"alice", name, i % 2 ? "gzip+jellyfish" : "jellyfish",
			4 });
	}
	add_sample((struct sample){ "mallory", "kmers_s13", "jellyfish", 4 });
	add_sample((struct sample){ "alice", "kmers_s14", "jellyfish", 16 });
	add_sample((struct sample){ "alice", "kmers_s15", "", 4 });
	add_sample((struct sample){ "alice", "kmers_sort", "jellyfish", 4 });
}

static void check_family(const char *what, const char *family, size_t names,
			 size_t runs)
{
	struct sw_advice advice;

	ask(&advice, what, NULL);
	ck_assert_str_eq(advice.family, family);
	ck_assert_uint_eq(advice.family_names, names);
	ck_assert_uint_eq(advice.runs.count, runs);
	sw_advice_fini(&advice);
}

START_TEST(test_samples)
{
	const struct sw_advice_options exact = {
		.input_bytes = NAN,
		.is_exact = true,
	};
	struct sw_advice advice;

	add_samples();
	ask(&advice, "kmers_s3", NULL);
	ck_assert_str_eq(advice.group, "alice/kmers_s3");
	ck_assert_str_eq(advice.family, "alice/kmers_s*");
	ck_assert_uint_eq(advice.family_names, 12);
	ck_assert_uint_eq(advice.runs.count, 12);
	ck_assert(!sw_advice_find(&advice, SW_RESOURCE_MEMORY)->is_withheld);
	/* "Now" is the request of this name. */
	ck_assert_str_eq(advice.asked_by, advice.last_job);
	sw_advice_fini(&advice);
	ask(&advice, "kmers_s3", &exact);
	ck_assert_str_eq(advice.family, "");
	ck_assert_uint_eq(advice.runs.count, 1);
	sw_advice_fini(&advice);

	check_family("mallory/kmers_s13", "", 0, 1);
	check_family("kmers_s14", "", 0, 1);
	check_family("kmers_s15", "", 0, 1);
	check_family("kmers_sort", "", 0, 1);
	write_settings("advice:\n  folds_names: no\n");
	check_family("kmers_s3", "", 0, 1);
	write_settings("groups:\n  - name: kmers\n    group: \"x\"\n");
	check_family("kmers_s3", "", 0, 1);
}
END_TEST

/* A name that ran often enough is judged by its own runs. */
START_TEST(test_samples_of_many_runs)
{
	unsigned i;

	add_samples();
	for (i = 0; i < 2; i++)
		add_sample(
			(struct sample){ "alice", "kmers_s3", "jellyfish", 4 });
	check_family("kmers_s3", "", 0, 3);
	check_family("kmers_s4", "alice/kmers_s*", 12, 14);
}
END_TEST

/* The next sample has no run yet, and thus no programs to compare. */
START_TEST(test_sample_without_runs)
{
	struct sw_run request = sw_run_unknown;
	const struct sw_advice_options options = {
		.input_bytes = NAN,
		.request = &request,
	};
	struct sw_error error = { "" };
	struct sw_advice advice;

	add_samples();
	request.requested_cores = 4;
	ask(&advice, "alice/kmers_s99", &options);
	ck_assert_str_eq(advice.family, "alice/kmers_s*");
	ck_assert_uint_eq(advice.runs.count, 12);
	ck_assert(!advice.has_own_name);
	sw_advice_fini(&advice);
	request.requested_cores = 8;
	ck_assert_int_eq(sw_advice_init(&advice, history, "alice/kmers_s99",
					settings, &options, &error),
			 -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(sw_advice_init(&advice, history, "bob/kmers_s99",
					settings, NULL, &error),
			 -1);
	ck_assert_int_eq(errno, ENOENT);
	add_sample((struct sample){ "alice", "kmers_s16", "bwa", 4 });
	request.requested_cores = 4;
	ck_assert_int_eq(sw_advice_init(&advice, history, "alice/kmers_s99",
					settings, &options, &error),
			 -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* Lists of which none contains another: each by its own runs. */
START_TEST(test_samples_of_other_programs)
{
	static const struct sample samples[] = {
		{ "alice", "pair_a1", "bwa+samtools", 4 },
		{ "alice", "pair_a2", "bwa+samtools", 4 },
		{ "alice", "pair_a3", "samtools", 4 },
		{ "alice", "pair_a4", "gatk", 4 },
		{ "alice", "pair_a5", "gatk", 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		add_sample(samples[i]);
	check_family("pair_a1", "alice/pair_a*", 2, 2);
	check_family("pair_a3", "", 0, 1);
	check_family("pair_a5", "alice/pair_a*", 2, 2);
}
END_TEST

/* Two tasks of a CPU each, one of them busy: tasks are given back. */
START_TEST(test_tasks_in_their_unit)
{
	struct sw_error error = { "" };
	struct sw_request request;
	struct sw_advice advice;
	char job[16];
	struct sw_history_run run = {
		.run = sw_run_unknown,
		.cluster = "c1",
		.job = job,
		.user = "alice",
		.name = "pair",
		.group = "alice/pair",
		.label = "pair",
		.source = SW_HISTORY_PROFILE,
	};
	unsigned i;

	for (i = 0; i < 4; i++) {
		snprintf(job, sizeof(job), "30%u", i);
		run.run.state = SW_RUN_COMPLETED;
		run.run.start_seconds = 1.2e9 + 1e5 * i;
		run.run.elapsed_seconds = 1000;
		run.run.end_seconds = run.run.start_seconds + 1000;
		run.run.requested_cores = run.run.tasks = 2;
		run.run.peak_cores = run.run.nodes = 1;
		run.run.cpu_share = 1;
		ck_assert_int_ge(sw_history_add(history, &run, &error), 0);
	}
	ask(&advice, "pair", NULL);
	sw_request_init(&request, &advice);
	ck_assert(!request.items[SW_RESOURCE_CORES].is_change);
	ck_assert(request.items[SW_RESOURCE_TASKS].is_change);
	ck_assert_uint_eq(request.items[SW_RESOURCE_TASKS].next, 1);
	sw_advice_fini(&advice);
}
END_TEST

START_TEST(test_nothing)
{
	struct sw_error error = { "" };
	struct sw_advice advice;

	ck_assert_int_eq(sw_advice_init(&advice, history, "nobody", settings,
					NULL, &error), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(error.text, "nobody"));
	ck_assert_uint_eq(advice.count, 0);
}
END_TEST

/* In the folder of the settings. */
static void write_catalogue(const char *rows)
{
	char csv[sizeof(yaml) + 8], text[sizeof(csv) + 32];
	FILE *file;

	snprintf(csv, sizeof(csv), "%s.csv", yaml);
	file = fopen(csv, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "node,cpus,memory_gib,price_per_hour,currency,as_of\n"
		"%s", rows);
	fclose(file);
	snprintf(text, sizeof(text), "node_catalogue: %s\n", csv);
	write_settings(text);
}

static const char *name_of(const struct sw_advice *advice, size_t choice)
{
	return advice->nodes.catalogue
		.kinds[advice->nodes.choices[choice].kind].name;
}

START_TEST(test_nodes)
{
	struct sw_advice advice;

	write_catalogue("dear,4,64,3,EUR,2026-01-08\n"
			"small,4,0.001,1,EUR,2026-01-08\n"
			"cheap,8,64,2,EUR,2026-01-08\n");
	ask(&advice, "align", NULL);
	ck_assert(advice.has_nodes);
	ck_assert_uint_eq(advice.nodes.count, 3);
	ck_assert_str_eq(name_of(&advice, 0), "cheap");
	/* two of eight CPUs */
	ck_assert_double_eq(advice.nodes.choices[0].share, 0.25);
	ck_assert_double_eq(advice.nodes.choices[0].hour_cost, 0.5);
	ck_assert_double_nan(advice.nodes.choices[0].seconds);
	ck_assert_str_eq(name_of(&advice, 1), "dear");
	ck_assert(!advice.nodes.choices[2].fits);
	sw_advice_fini(&advice);

	write_catalogue("bad,-4,64,3,EUR,2026-01-08\n");
	ask(&advice, "align", NULL);
	ck_assert(advice.has_nodes);
	ck_assert_uint_eq(advice.nodes.count, 0);
	ck_assert_ptr_nonnull(strstr(advice.nodes.why, ":2: cpus must be"));
	sw_advice_fini(&advice);
}
END_TEST

/* A run killed with 8 GB: "other" is another group's request. */
static void add_other(const char *cluster, double requested, bool is_killed)
{
	struct sw_error error = { "" };
	struct sw_history_run run = {
		.run = sw_run_unknown,
		.cluster = cluster, .job = is_killed ? "900" : "901",
		.user = "alice", .name = "sort",
		.group = is_killed ? "alice/sort" : "alice/other",
		.label = is_killed ? "sort" : "other", .partition = "old",
		.source = SW_HISTORY_PROFILE,
	};

	run.run.state = is_killed ? SW_RUN_OUT_OF_MEMORY : SW_RUN_COMPLETED;
	run.run.is_lower_bound = is_killed;
	run.run.start_seconds = 2e9;
	run.run.elapsed_seconds = 1000;
	run.run.end_seconds = 2e9 + 1000;
	run.run.requested_bytes = requested;
	run.run.need_bytes = is_killed ? requested : 1e9;
	ck_assert_msg(sw_history_add(history, &run, &error) >= 0, "%s",
		      error.text);
}

static void check_end(enum sw_retry_limit end, double last)
{
	struct sw_advice advice;
	const struct sw_suggestion *memory;

	ask(&advice, "sort", NULL);
	memory = sw_advice_find(&advice, SW_RESOURCE_MEMORY);
	ck_assert(memory->is_lower_bound);
	ck_assert_int_eq(memory->retry_limit, end);
	ck_assert_double_eq(memory->retry_count ?
			    memory->retries[memory->retry_count - 1] :
			    memory->suggested, last);
	sw_advice_fini(&advice);
}

/* After a kill the retries end at the size of the site's nodes, if known. */
START_TEST(test_retries_end)
{
	const double gib = 1 << 30;

	add_other("c2", 4 * gib, true);
	check_end(SW_RETRY_LIMIT_BEYOND, 8 * gib);
	/* Requests on another cluster do not show what this one has. */
	add_other("c3", 40 * gib, false);
	check_end(SW_RETRY_LIMIT_BEYOND, 8 * gib);
	add_other("c2", 40 * gib, false);
	check_end(SW_RETRY_LIMIT_KNOWN, 40 * gib);
	write_catalogue("slow,4,64,,,\n");
	check_end(SW_RETRY_LIMIT_NODE, 64 * gib);
	write_settings("advice:\n  cap_gib: 16\n");
	check_end(SW_RETRY_LIMIT_NODE, 16 * gib);
}
END_TEST

static const char *saved_words(double gib_hours)
{
	static char words[SW_ADVICE_WORDS_SIZE];
	static struct sw_request request;
	static struct sw_advice advice;
	struct sw_suggestion memory;

	sw_suggestion_init(&memory, SW_RESOURCE_MEMORY, 1 << 30);
	memory.runs = memory.backtest.of = memory.backtest.fits = 3;
	memory.backtest.saved_gib_hours = gib_hours;
	request.advice = &advice;
	request.items[SW_RESOURCE_MEMORY] = (struct sw_request_item){
		.suggestion = &memory, .next = SW_MISSING,
	};
	return sw_suggestion_words(words, sizeof(words), &request,
				   SW_RESOURCE_MEMORY);
}

/* Numbers as people write them, and nothing for 0. */
START_TEST(test_savings)
{
	ck_assert_ptr_null(strstr(saved_words(9.7e-05), "saved"));
	ck_assert_ptr_null(strstr(saved_words(-0.0099), "cost"));
	ck_assert_ptr_nonnull(strstr(saved_words(0.0123),
				     "saved 0.01 GiB-hours;"));
	ck_assert_ptr_nonnull(strstr(saved_words(-0.5),
				     "cost 0.50 GiB-hours more;"));
	ck_assert_ptr_nonnull(strstr(saved_words(41.4),
				     "saved 41 GiB-hours;"));
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("advice");

	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_test(all, test_group);
	tcase_add_test(all, test_job);
	tcase_add_test(all, test_request);
	tcase_add_test(all, test_names);
	tcase_add_test(all, test_samples);
	tcase_add_test(all, test_samples_of_many_runs);
	tcase_add_test(all, test_sample_without_runs);
	tcase_add_test(all, test_samples_of_other_programs);
	tcase_add_test(all, test_tasks_in_their_unit);
	tcase_add_test(all, test_nothing);
	tcase_add_test(all, test_nodes);
	tcase_add_test(all, test_retries_end);
	tcase_add_test(all, test_savings);
	return run_tests("advice", all, NULL);
}
