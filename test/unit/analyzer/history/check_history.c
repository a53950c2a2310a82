/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history: round trips, precedence of rows, and groups. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/history/history_beside.h"
#include "analyzer/history/history_internal.h"
#include "test/unit/analyzer/history/history_kit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Every number its own value, so that no two columns are mixed up. */
START_TEST(test_all_numbers)
{
	struct sw_history_run run = kit_run_of("1", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	size_t i;

	for (i = 0; i < sw_history_column_count; i++)
		*sw_history_value(&run.run, &sw_history_columns[i]) =
			(double)(i + 1) / 64;
	run.run.need_upper_bytes = 3000;
	run.run.attempt = 3;
	run.run.is_lower_bound = true;
	run.run.state = SW_RUN_OUT_OF_MEMORY;
	run.run.has_busy = true;
	for (i = 0; i < SW_BUSY_LEVELS; i++)
		run.run.busy_seconds[i] = (double)i * 1.25;
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	sw_history_close(history);
	history = kit_open();
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert_str_eq(runs.jobs[0], "1");
	for (i = 0; i < sw_history_column_count; i++)
		ck_assert_double_eq(*sw_history_value(&runs.runs[0],
					&sw_history_columns[i]),
				    *sw_history_value(&run.run,
					&sw_history_columns[i]));
	ck_assert_uint_eq(runs.runs[0].attempt, 3);
	ck_assert(runs.runs[0].is_lower_bound);
	ck_assert_int_eq(runs.runs[0].state, SW_RUN_OUT_OF_MEMORY);
	ck_assert(runs.runs[0].has_busy);
	ck_assert_mem_eq(runs.runs[0].busy_seconds, run.run.busy_seconds,
			 sizeof(run.run.busy_seconds));
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_unknown_is_not_zero)
{
	struct sw_history_run run = kit_run_of("1", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	size_t i;

	run.run = sw_run_unknown;
	kit_add(history, &run);
	runs = kit_runs(history, "alice/align", 10);
	for (i = 0; i < sw_history_column_count; i++)
		ck_assert(isnan(*sw_history_value(&runs.runs[0],
						  &sw_history_columns[i])));
	ck_assert(!runs.runs[0].has_busy);
	ck_assert_int_eq(runs.runs[0].state, SW_RUN_UNKNOWN);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_impossible_values)
{
	struct sw_run run = sw_run_unknown;

	run.need_bytes = -1;
	run.elapsed_seconds = INFINITY;
	run.requested_bytes = 1e300;
	run.gpu_busy_ratio = 1.5;
	run.is_lower_bound = true;
	run.used_core_seconds = 0;
	run.requested_seconds = 0;
	ck_assert_uint_eq(sw_history_clean(&run), 4);
	ck_assert(isnan(run.need_bytes));
	ck_assert(!run.is_lower_bound);
	ck_assert(isnan(run.elapsed_seconds));
	ck_assert(isnan(run.requested_bytes));
	ck_assert(isnan(run.gpu_busy_ratio));
	ck_assert(isnan(run.requested_seconds));
	ck_assert_double_eq(run.used_core_seconds, 0);
	run.need_bytes = 10;
	run.need_upper_bytes = 5;
	ck_assert_uint_eq(sw_history_clean(&run), 0);
	ck_assert_double_eq(run.need_upper_bytes, 10);
}
END_TEST

START_TEST(test_newest_oldest_first)
{
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	struct sw_history_run run;
	char job[16];
	int i;

	for (i = 0; i < 200; i++) {
		snprintf(job, sizeof(job), "%d", i);
		/* 7 is coprime to 200: each end once, out of order */
		run = kit_run_of(job, 1e6 + i * 7 % 200 * 1000);
		kit_add(history, &run);
	}
	runs = kit_runs(history, "alice/align", 150);
	ck_assert_uint_eq(runs.count, 150);
	for (i = 0; i < 150; i++)
		ck_assert_double_eq(runs.runs[i].end_seconds,
				    1e6 + (i + 50) * 1000);
	ck_assert_int_eq(atoi(runs.jobs[0]) * 7 % 200, 50);
	sw_history_runs_fini(&runs);
	runs = kit_runs(history, "alice/nothing", 150);
	ck_assert_uint_eq(runs.count, 0);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* A run that is not there yet is inserted by its end, once. */
START_TEST(test_put)
{
	struct sw_history_run run = kit_run_of("1", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;

	kit_add(history, &run);
	run = kit_run_of("2", 2e9);
	kit_add(history, &run);
	runs = kit_runs(history, "alice/align", 10);
	run = kit_run_of("3", 1.5e9);
	run.run.need_bytes = -1;
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	run = kit_run_of("2", 2e9 + 10);	/* another clock */
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	ck_assert_uint_eq(runs.count, 3);
	ck_assert_str_eq(runs.jobs[1], "3");
	ck_assert(isnan(runs.runs[1].need_bytes));
	ck_assert_double_eq(runs.runs[2].end_seconds, 2e9);
	run = kit_run_of("2", 3e9);	/* the same id, years later */
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	ck_assert_uint_eq(runs.count, 4);
	ck_assert_double_eq(runs.runs[3].end_seconds, 3e9);
	sw_history_runs_fini(&runs);
	run = kit_run_of("4", NAN);
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	ck_assert_uint_eq(runs.count, 1);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_sources)
{
	struct sw_history_run profile = kit_run_of("7", 1e9);
	struct sw_history_run sacct = kit_run_of("7", 1e9 + 2);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;

	sacct.source = SW_HISTORY_SACCT;
	sacct.run.need_bytes = 3e9;
	sacct.run.is_lower_bound = true;
	sacct.run.requested_seconds = 3600;
	sacct.run.state = SW_RUN_TIMEOUT;
	profile.run.state = SW_RUN_FAILED;
	ck_assert_int_eq(kit_add(history, &sacct), SW_HISTORY_NEW);
	ck_assert_int_eq(kit_add(history, &profile), SW_HISTORY_REPLACED);
	ck_assert_int_eq(kit_add(history, &sacct), SW_HISTORY_COMPLETED);
	ck_assert_int_eq(kit_add(history, &profile), SW_HISTORY_REPLACED);
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert_double_eq(runs.runs[0].need_bytes, 5e9);
	ck_assert(!runs.runs[0].is_lower_bound);
	ck_assert_double_eq(runs.runs[0].requested_seconds, 3600);
	ck_assert_int_eq(runs.runs[0].state, SW_RUN_TIMEOUT);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/*
 * Imported again, from an output with fewer columns: missing values are kept,
 * and so is the group derived from them.
 */
static int count_in_main(void *context, const struct sw_history_run *run)
{
	ck_assert_str_eq(run->partition, "main");
	++*(size_t *)context;
	return 0;
}

static void expect_in_main(struct sw_history *history)
{
	struct sw_error error;
	size_t count = 0;

	ck_assert_int_eq(sw_history_each_run(history, count_in_main, &count,
					     &error),
			 0);
	ck_assert_uint_ge(count, 1);
}

START_TEST(test_knows_less)
{
	const enum sw_history_source source =
		_i ? SW_HISTORY_PROFILE : SW_HISTORY_SACCT;
	struct sw_history_run full = kit_run_of("7", 1e9);
	struct sw_history_run poor = {
		.run = sw_run_unknown,
		.job = "7",
		.group = "?",
		.source = source,
	};
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	char *group;
	struct sw_error error;

	full.source = source;
	full.restart = 2;
	full.partition = "main";
	full.lineage = "c1:7";
	full.run.requested_bytes = 8e9;
	poor.run.start_seconds = full.run.start_seconds;
	ck_assert_int_eq(kit_add(history, &full), SW_HISTORY_NEW);
	ck_assert_int_eq(kit_add(history, &poor), SW_HISTORY_REPLACED);
	/* The restart count is known, too, and sufficient to find it. */
	full.run.start_seconds = NAN;
	ck_assert_int_ge(kit_add(history, &full), SW_HISTORY_REPLACED);
	ck_assert_int_eq(sw_history_find_group(history, "7", &group, &error),
			 0);
	ck_assert_str_eq(group, "alice/align");
	runs = kit_runs(history, group, 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert_double_eq(runs.runs[0].need_bytes, 5e9);
	ck_assert_double_eq(runs.runs[0].requested_bytes, 8e9);
	expect_in_main(history);
	free(group);
	sw_history_runs_fini(&runs);
	/* No empty group remains. */
	ck_assert_int_eq(sw_history_find_group(history, "?", &group, &error),
			 -1);
	sw_history_close(history);
}
END_TEST

/* A recording has no partition, and may precede or follow accounting data. */
START_TEST(test_partition)
{
	struct sw_history_run profile = kit_run_of("7", 1e9);
	struct sw_history_run sacct = kit_run_of("7", 1e9);
	struct sw_history *history = kit_open();

	sacct.source = SW_HISTORY_SACCT;
	sacct.partition = "main";
	kit_add(history, _i ? &sacct : &profile);
	kit_add(history, _i ? &profile : &sacct);
	expect_in_main(history);
	sw_history_close(history);
}
END_TEST

/* A recording of one of two nodes, after that of both or with sacct's data. */
START_TEST(test_need_in_part)
{
	static const enum sw_history_source others[] = {
		SW_HISTORY_SACCT,
		SW_HISTORY_SUMMARY,
		SW_HISTORY_PROFILE,
	};
	struct sw_history_run part = kit_run_of("7", 1e9);
	struct sw_history_run whole = kit_run_of("7", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	int order;

	whole.source = others[_i];
	part.run.need_bytes = 1e9;
	part.run.is_lower_bound = true;
	for (order = 0; order < 2; order++) {
		part.job = whole.job = order ? "8" : "7";
		kit_add(history, order ? &part : &whole);
		kit_add(history, order ? &whole : &part);
		kit_add(history, &part);
	}
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 2);
	for (order = 0; order < 2; order++) {
		ck_assert_double_eq(runs.runs[order].need_bytes, 5e9);
		ck_assert(runs.runs[order].is_lower_bound ==
			  (whole.source != SW_HISTORY_PROFILE));
	}
	sw_history_runs_fini(&runs);
	/* A whole recording replaces a lower bound. */
	part.run.need_bytes = 9e9;
	kit_add(history, &part);
	kit_add(history, &whole);
	runs = kit_runs(history, "alice/align", 1);
	ck_assert_double_eq(runs.runs[0].need_bytes,
			    whole.source == SW_HISTORY_PROFILE ? 5e9 : 9e9);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* Whatever its script did with signals, and however often it is imported. */
START_TEST(test_slurms_state_stays)
{
	static const struct {
		enum sw_run_state seen, slurms, kept;
	} states[] = {
		{ SW_RUN_COMPLETED, SW_RUN_TIMEOUT, SW_RUN_TIMEOUT },
		{ SW_RUN_CANCELLED, SW_RUN_COMPLETED, SW_RUN_COMPLETED },
		{ SW_RUN_TIMEOUT, SW_RUN_FAILED, SW_RUN_FAILED },
		{ SW_RUN_COMPLETED, SW_RUN_OUT_OF_MEMORY,
		  SW_RUN_OUT_OF_MEMORY },
		/* The kernel's own evidence takes precedence. */
		{ SW_RUN_OUT_OF_MEMORY, SW_RUN_COMPLETED,
		  SW_RUN_OUT_OF_MEMORY },
		{ SW_RUN_COMPLETED, SW_RUN_UNKNOWN, SW_RUN_COMPLETED },
	};
	struct sw_history_run profile = kit_run_of("7", 1e9);
	struct sw_history_run sacct = kit_run_of("7", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	int order;

	profile.source = SW_HISTORY_PROFILE;
	sacct.source = SW_HISTORY_SACCT;
	profile.run.state = states[_i].seen;
	sacct.run.state = states[_i].slurms;
	for (order = 0; order < 2; order++) {
		profile.job = sacct.job = order ? "8" : "7";
		kit_add(history, order ? &sacct : &profile);
		kit_add(history, order ? &profile : &sacct);
		kit_add(history, &profile);
	}
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 2);
	for (order = 0; order < 2; order++) {
		ck_assert_int_eq(runs.runs[order].state, states[_i].kept);
		ck_assert(runs.runs[order].is_lower_bound ==
			  (states[_i].kept == SW_RUN_OUT_OF_MEMORY));
	}
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* A recording has the signal, and accounting its sender. */
START_TEST(test_completes_only)
{
	struct sw_history_run profile = kit_run_of("7", 1e9);
	struct sw_history_run sacct = kit_run_of("8", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	struct sw_error error;
	char *ids;

	profile.run.state = SW_RUN_CANCELLED;
	profile.run.requested_seconds = NAN;
	profile.source = SW_HISTORY_PROFILE;
	sacct.source = SW_HISTORY_SACCT;
	sacct.run.requested_seconds = 3600;
	sacct.run.state = SW_RUN_TIMEOUT;
	sacct.completes_only = true;
	ck_assert_int_eq(kit_add(history, &profile), SW_HISTORY_NEW);
	profile.job = "20261122-1";	/* not Slurm's */
	ck_assert_int_eq(kit_add(history, &profile), SW_HISTORY_NEW);
	ck_assert_int_eq(sw_history_without_record(history, 9, &ids, &error),
			 0);
	ck_assert_str_eq(ids, "7");
	free(ids);
	ck_assert_int_eq(kit_add(history, &sacct), SW_HISTORY_LEFT_OUT);
	sacct.job = "7";
	ck_assert_int_eq(kit_add(history, &sacct), SW_HISTORY_COMPLETED);
	ck_assert_int_eq(sw_history_without_record(history, 9, &ids, &error),
			 0);
	ck_assert_str_eq(ids, "");
	free(ids);
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 2);
	ck_assert_int_eq(runs.runs[0].state == SW_RUN_TIMEOUT ||
			 runs.runs[1].state == SW_RUN_TIMEOUT, true);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* The same id for another run: requeued, another cluster, years later. */
START_TEST(test_not_the_same)
{
	struct sw_history_run run = kit_run_of("7", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;

	kit_add(history, &run);
	run.run.start_seconds += 500;
	run.restart = 1;
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	run.cluster = "c2";
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	run.cluster = "";
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_REPLACED);
	run.step = "0";
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	run.run.start_seconds = NAN;
	run.restart = 5;
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_REPLACED);
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 5);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

static void is_group(struct sw_history *history, const char *what,
		     const char *group)
{
	struct sw_error error = { "" };
	char *found = NULL;
	int rc = sw_history_find_group(history, what, &found, &error);

	if (!group) {
		ck_assert_int_eq(rc, -1);
		ck_assert_ptr_null(found);
		return;
	}
	ck_assert_msg(rc == 0, "%s: %s", what, error.text);
	ck_assert_str_eq(found, group);
	free(found);
}

START_TEST(test_find_group)
{
	struct sw_history_run run = kit_run_of("12_3", 1e9);
	struct sw_history *history = kit_open();

	kit_add(history, &run);
	run = kit_run_of("9", 1e9);
	run.group = "alice/sort.v2";
	run.label = "sort.v2";
	kit_add(history, &run);
	run.step = "0";
	run.group = "alice/sort.v2:samtools";
	run.label = "sort.v2:samtools";
	kit_add(history, &run);
	run = kit_run_of("10", 1e9);
	run.user = "bob";
	run.group = "bob/align";
	kit_add(history, &run);
	run = kit_run_of("13", 1e9);
	run.group = "bob/prep_#";
	run.label = "prep_#";
	kit_add(history, &run);
	run = kit_run_of("14", 1e9);
	run.group = "bob/#";
	run.label = "#";
	kit_add(history, &run);
	run = kit_run_of("11", 1e9);
	run.group = "bob/x' OR 1=1 --";
	run.label = "x' OR 1=1 --";
	kit_add(history, &run);
	is_group(history, "12_3", "alice/align");
	is_group(history, "12", "alice/align");
	is_group(history, "1", NULL);
	is_group(history, "9", "alice/sort.v2");
	is_group(history, "9.0", "alice/sort.v2:samtools");
	is_group(history, "9.1", NULL);
	is_group(history, "sort.v2", "alice/sort.v2");
	is_group(history, "prep_0042", "bob/prep_#");
	is_group(history, "bob/prep_2026-11-21", "bob/prep_#");
	is_group(history, "4711", NULL);	/* an id, and not "#" */
	is_group(history, "bob/align", "bob/align");
	is_group(history, "x' OR 1=1 --", "bob/x' OR 1=1 --");
	is_group(history, "y' OR 1=1 --", NULL);
	is_group(history, "align", NULL);	/* ambiguous */
	ck_assert_int_eq(errno, ENOTUNIQ);
	is_group(history, "never", NULL);
	ck_assert_int_eq(errno, ENOENT);
	sw_history_close(history);
}
END_TEST

static int list_groups(void *context, const char *group, size_t runs)
{
	char *text = context;

	sprintf(text + strlen(text), "%s=%zu ", group, runs);
	return 0;
}

/* However they come, so that a group is read from few places. */
/* Whichever source tells of an attempt, the job is the same one. */
START_TEST(test_lineage_of_job)
{
	static const struct {
		const char *job;
		const char *cluster; /* NULL: one of 120 letters */
		double end, first_bytes; /* NAN: no attempt before is known */
		enum sw_history_source source;
		unsigned restart;
		bool is_start_exact;
	} rows[] = {
		{ "7", NULL, 1000, NAN, SW_HISTORY_SACCT, 0, false },
		{ "7", "c2", 2000, NAN, SW_HISTORY_PROFILE, 1, false },
		{ "7", NULL, 3000, 1e9, SW_HISTORY_PROFILE, 1, false },
		{ "7_1", NULL, 4000, NAN, SW_HISTORY_SUMMARY, 1, false },
		{ "lsf:7", "c2", 5000, NAN, SW_HISTORY_SACCT, 0, false },
		{ "lsf:7", NULL, 6000, 5e9, SW_HISTORY_PROFILE, 1, false },
		{ "aa", NULL, 7000, NAN, SW_HISTORY_PROFILE, 0, true },
		{ "aa", NULL, 8000, NAN, SW_HISTORY_PROFILE, 1, true },
	};
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	char cluster[121];
	size_t i;

	memset(cluster, 'c', sizeof(cluster) - 1);
	cluster[sizeof(cluster) - 1] = '\0';
	for (i = 0; i < COUNT_OF(rows); i++) {
		struct sw_history_run run = kit_run_of(rows[i].job,
						       rows[i].end);

		run.cluster = rows[i].cluster ? rows[i].cluster : cluster;
		run.source = rows[i].source;
		run.restart = rows[i].restart;
		run.is_start_exact = rows[i].is_start_exact;
		run.run.attempt = run.restart + 1;
		run.run.requested_bytes = (double)(i + 1) * 1e9;
		ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	}
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, COUNT_OF(rows));
	for (i = 0; i < COUNT_OF(rows); i++) {
		double first = runs.runs[i].first_requested_bytes;

		if (isnan(rows[i].first_bytes))
			ck_assert_double_nan(first);
		else
			ck_assert_double_eq(first, rows[i].first_bytes);
	}
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* What the first attempt at it asked for; of what else, nobody knows. */
START_TEST(test_first_attempts)
{
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	struct sw_history_run run;
	char job[16], lineage[16];
	int i;

	for (i = 0; i < 6; i++) {
		snprintf(job, sizeof(job), "%d", i);
		snprintf(lineage, sizeof(lineage), "w:t%d", i % 3);
		run = kit_run_of(job, 1e6 + i * 1000);
		run.lineage = lineage;
		run.run.attempt = i < 2 ? 1 : 2;
		run.run.requested_bytes = (i + 1) * 1e9;
		kit_add(history, &run);
	}
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_double_nan(runs.runs[0].first_requested_bytes);
	ck_assert_double_nan(runs.runs[1].first_requested_bytes);
	ck_assert_double_nan(runs.runs[2].first_requested_bytes);
	ck_assert_double_eq(runs.runs[3].first_requested_bytes, 1e9);
	ck_assert_double_eq(runs.runs[4].first_requested_bytes, 2e9);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_groups_lie_together)
{
	static const char *const groups[] = { "alice/a", "bob/b" };
	struct sw_history *history = kit_open();
	struct sw_history_run run;
	sqlite3_stmt *statement;
	char job[16];
	size_t i;

	for (i = 0; i < 10; i++) {
		snprintf(job, sizeof(job), "%zu", i);
		run = kit_run_of(job, 1e9 + (double)i);
		run.group = run.label = groups[i % 2];
		kit_add(history, &run);
	}
	ck_assert_int_eq(sqlite3_prepare_v2(history->db,
		"SELECT group_concat(job, '') FROM "
		"(SELECT job FROM runs NOT INDEXED ORDER BY id)", -1,
		&statement, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
	ck_assert_str_eq((const char *)sqlite3_column_text(statement, 0),
			 "0246813579");
	sqlite3_finalize(statement);
	sw_history_close(history);
}
END_TEST

START_TEST(test_each_group)
{
	struct sw_history *history = kit_open();
	char text[256] = "", job[8];
	struct sw_history_run run;
	struct sw_error error;
	int i;

	for (i = 0; i < 6; i++) {
		snprintf(job, sizeof(job), "%d", i);
		run = kit_run_of(job, 1e9);
		run.group = i < 2 ? "a" : "b";
		kit_add(history, &run);
		run.step = "batch";
		run.group = "c:x";
		kit_add(history, &run);
	}
	ck_assert_int_eq(sw_history_each_group(history, false, list_groups,
					       text, &error), 0);
	ck_assert_str_eq(text, "b=4 a=2 ");
	text[0] = '\0';
	ck_assert_int_eq(sw_history_each_group(history, true, list_groups,
					       text, &error), 0);
	ck_assert_str_eq(text, "c:x=6 ");
	sw_history_close(history);
}
END_TEST

START_TEST(test_rolled_back)
{
	struct sw_history_run run = kit_run_of("1", 1e9);
	struct sw_history *history = kit_open();
	struct sw_error error;
	size_t count;

	ck_assert_int_eq(sw_history_begin(history, &error), 0);
	kit_add(history, &run);
	sw_history_rollback(history);
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(sw_history_begin(history, &error), 0);
	kit_add(history, &run);
	ck_assert_int_eq(sw_history_commit(history, &error), 0);
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 1);
	sw_history_close(history);
}
END_TEST

START_TEST(test_hostile_texts)
{
	struct sw_history_run run = kit_run_of("1", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;

	run.job = "'); DROP TABLE runs; --";
	run.name = "\xff\xfe\x1b[31m";
	run.group = run.name;
	run.label = NULL;
	kit_add(history, &run);
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_REPLACED);
	runs = kit_runs(history, run.group, 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert_str_eq(runs.jobs[0], run.job);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_case("history");

	tcase_add_test(tcase, test_all_numbers);
	tcase_add_test(tcase, test_unknown_is_not_zero);
	tcase_add_test(tcase, test_impossible_values);
	tcase_add_test(tcase, test_newest_oldest_first);
	tcase_add_test(tcase, test_put);
	tcase_add_test(tcase, test_sources);
	tcase_add_loop_test(tcase, test_slurms_state_stays, 0, 6);
	tcase_add_loop_test(tcase, test_knows_less, 0, 2);
	tcase_add_loop_test(tcase, test_partition, 0, 2);
	tcase_add_loop_test(tcase, test_need_in_part, 0, 3);
	tcase_add_test(tcase, test_completes_only);
	tcase_add_test(tcase, test_not_the_same);
	tcase_add_test(tcase, test_find_group);
	tcase_add_test(tcase, test_first_attempts);
	tcase_add_test(tcase, test_lineage_of_job);
	tcase_add_test(tcase, test_groups_lie_together);
	tcase_add_test(tcase, test_each_group);
	tcase_add_test(tcase, test_rolled_back);
	tcase_add_test(tcase, test_hostile_texts);
	return kit_run(tcase);
}
