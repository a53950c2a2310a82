/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history: what is put in comes out, whose row wins, and what becomes of
 * locked, damaged, foreign and unwritable files.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/history_internal.h"

static char folder[] = "/tmp/check_history.XXXXXX";
static char path[64];

static void setup(void)
{
	snprintf(folder, sizeof(folder), "/tmp/check_history.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/h.sqlite", folder);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static struct sw_history *open_it(void)
{
	struct sw_error error = { "" };
	struct sw_history *history = sw_history_open(path, true, &error);

	ck_assert_msg(history != NULL, "%s", error.text);
	return history;
}

static struct sw_history_run make_run(const char *job, double end)
{
	struct sw_history_run run = {
		.run = sw_run_unknown,
		.cluster = "c1", .job = job, .user = "alice", .name = "align",
		.group = "alice/align", .label = "align",
		.source = SW_HISTORY_PROFILE,
	};

	run.run.state = SW_RUN_COMPLETED;
	run.run.start_seconds = end - 100;
	run.run.end_seconds = end;
	run.run.need_bytes = 5e9;
	return run;
}

static int add(struct sw_history *history, const struct sw_history_run *run)
{
	struct sw_error error = { "" };
	int added = sw_history_add(history, run, &error);

	ck_assert_msg(added >= 0, "%s", error.text);
	return added;
}

static struct sw_history_runs runs_of(struct sw_history *history,
				      const char *group, size_t limit)
{
	struct sw_error error = { "" };
	struct sw_history_runs runs;

	ck_assert_msg(sw_history_runs(history, group, limit, &runs,
				      &error) == 0, "%s", error.text);
	return runs;
}

/* Every number its own value, so that no two columns are mixed up. */
START_TEST(test_all_numbers)
{
	struct sw_history_run run = make_run("1", 1e9);
	struct sw_history *history = open_it();
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
	ck_assert_int_eq(add(history, &run), SW_HISTORY_NEW);
	sw_history_close(history);
	history = open_it();
	runs = runs_of(history, "alice/align", 10);
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
	struct sw_history_run run = make_run("1", 1e9);
	struct sw_history *history = open_it();
	struct sw_history_runs runs;
	size_t i;

	run.run = sw_run_unknown;
	add(history, &run);
	runs = runs_of(history, "alice/align", 10);
	for (i = 0; i < sw_history_column_count; i++)
		ck_assert(isnan(*sw_history_value(&runs.runs[0],
						  &sw_history_columns[i])));
	ck_assert(!runs.runs[0].has_busy);
	ck_assert_int_eq(runs.runs[0].state, SW_RUN_UNKNOWN);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_absurd_values)
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
	struct sw_history *history = open_it();
	struct sw_history_runs runs;
	struct sw_history_run run;
	char job[16];
	int i;

	for (i = 0; i < 200; i++) {
		snprintf(job, sizeof(job), "%d", i);
		/* 7 is coprime to 200: each end once, out of order */
		run = make_run(job, 1e6 + i * 7 % 200 * 1000);
		add(history, &run);
	}
	runs = runs_of(history, "alice/align", 150);
	ck_assert_uint_eq(runs.count, 150);
	for (i = 0; i < 150; i++)
		ck_assert_double_eq(runs.runs[i].end_seconds,
				    1e6 + (i + 50) * 1000);
	ck_assert_int_eq(atoi(runs.jobs[0]) * 7 % 200, 50);
	sw_history_runs_fini(&runs);
	runs = runs_of(history, "alice/nothing", 150);
	ck_assert_uint_eq(runs.count, 0);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* A run that is not there yet goes where its end belongs, once. */
START_TEST(test_put)
{
	struct sw_history_run run = make_run("1", 1e9);
	struct sw_history *history = open_it();
	struct sw_history_runs runs;

	add(history, &run);
	run = make_run("2", 2e9);
	add(history, &run);
	runs = runs_of(history, "alice/align", 10);
	run = make_run("3", 1.5e9);
	run.run.need_bytes = -1;
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	run = make_run("2", 2e9 + 10);	/* another clock */
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	ck_assert_uint_eq(runs.count, 3);
	ck_assert_str_eq(runs.jobs[1], "3");
	ck_assert(isnan(runs.runs[1].need_bytes));
	ck_assert_double_eq(runs.runs[2].end_seconds, 2e9);
	run = make_run("2", 3e9);	/* the same id, years later */
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	ck_assert_uint_eq(runs.count, 4);
	ck_assert_double_eq(runs.runs[3].end_seconds, 3e9);
	sw_history_runs_fini(&runs);
	run = make_run("4", NAN);
	ck_assert_int_eq(sw_history_runs_put(&runs, &run), 0);
	ck_assert_uint_eq(runs.count, 1);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_sources)
{
	struct sw_history_run profile = make_run("7", 1e9);
	struct sw_history_run sacct = make_run("7", 1e9 + 2);
	struct sw_history *history = open_it();
	struct sw_history_runs runs;

	sacct.source = SW_HISTORY_SACCT;
	sacct.run.need_bytes = 3e9;
	sacct.run.is_lower_bound = true;
	sacct.run.requested_seconds = 3600;
	sacct.run.state = SW_RUN_TIMEOUT;
	profile.run.state = SW_RUN_FAILED;
	ck_assert_int_eq(add(history, &sacct), SW_HISTORY_NEW);
	ck_assert_int_eq(add(history, &profile), SW_HISTORY_REPLACED);
	ck_assert_int_eq(add(history, &sacct), SW_HISTORY_COMPLETED);
	ck_assert_int_eq(add(history, &profile), SW_HISTORY_REPLACED);
	runs = runs_of(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert_double_eq(runs.runs[0].need_bytes, 5e9);
	ck_assert(!runs.runs[0].is_lower_bound);
	ck_assert_double_eq(runs.runs[0].requested_seconds, 3600);
	ck_assert_int_eq(runs.runs[0].state, SW_RUN_TIMEOUT);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* A recording sees a signal, and accounting who sent it. */
START_TEST(test_completes_only)
{
	struct sw_history_run profile = make_run("7", 1e9);
	struct sw_history_run sacct = make_run("8", 1e9);
	struct sw_history *history = open_it();
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
	ck_assert_int_eq(add(history, &profile), SW_HISTORY_NEW);
	profile.job = "20261122-1";	/* not Slurm's */
	ck_assert_int_eq(add(history, &profile), SW_HISTORY_NEW);
	ck_assert_int_eq(sw_history_without_limit(history, 9, &ids, &error), 0);
	ck_assert_str_eq(ids, "7");
	free(ids);
	ck_assert_int_eq(add(history, &sacct), SW_HISTORY_LEFT_OUT);
	sacct.job = "7";
	ck_assert_int_eq(add(history, &sacct), SW_HISTORY_COMPLETED);
	ck_assert_int_eq(sw_history_without_limit(history, 9, &ids, &error), 0);
	ck_assert_str_eq(ids, "");
	free(ids);
	runs = runs_of(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 2);
	ck_assert_int_eq(runs.runs[0].state == SW_RUN_TIMEOUT ||
			 runs.runs[1].state == SW_RUN_TIMEOUT, true);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

/* The same id is another run: requeued, another cluster, years later. */
START_TEST(test_not_the_same)
{
	struct sw_history_run run = make_run("7", 1e9);
	struct sw_history *history = open_it();
	struct sw_history_runs runs;

	add(history, &run);
	run.run.start_seconds += 500;
	run.restart = 1;
	ck_assert_int_eq(add(history, &run), SW_HISTORY_NEW);
	run.cluster = "c2";
	ck_assert_int_eq(add(history, &run), SW_HISTORY_NEW);
	run.cluster = "";
	ck_assert_int_eq(add(history, &run), SW_HISTORY_REPLACED);
	run.step = "0";
	ck_assert_int_eq(add(history, &run), SW_HISTORY_NEW);
	run.run.start_seconds = NAN;
	run.restart = 5;
	ck_assert_int_eq(add(history, &run), SW_HISTORY_NEW);
	ck_assert_int_eq(add(history, &run), SW_HISTORY_REPLACED);
	runs = runs_of(history, "alice/align", 10);
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
	struct sw_history_run run = make_run("12_3", 1e9);
	struct sw_history *history = open_it();

	add(history, &run);
	run = make_run("9", 1e9);
	run.group = "alice/sort.v2";
	run.label = "sort.v2";
	add(history, &run);
	run.step = "0";
	run.group = "alice/sort.v2:samtools";
	run.label = "sort.v2:samtools";
	add(history, &run);
	run = make_run("10", 1e9);
	run.user = "bob";
	run.group = "bob/align";
	add(history, &run);
	run = make_run("13", 1e9);
	run.group = "bob/prep_#";
	run.label = "prep_#";
	add(history, &run);
	run = make_run("14", 1e9);
	run.group = "bob/#";
	run.label = "#";
	add(history, &run);
	run = make_run("11", 1e9);
	run.group = "bob/x' OR 1=1 --";
	run.label = "x' OR 1=1 --";
	add(history, &run);
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
	is_group(history, "align", NULL);	/* whose? */
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
START_TEST(test_groups_lie_together)
{
	static const char *const groups[] = { "alice/a", "bob/b" };
	struct sw_history *history = open_it();
	struct sw_history_run run;
	sqlite3_stmt *statement;
	char job[16];
	size_t i;

	for (i = 0; i < 10; i++) {
		snprintf(job, sizeof(job), "%zu", i);
		run = make_run(job, 1e9 + (double)i);
		run.group = run.label = groups[i % 2];
		add(history, &run);
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
	struct sw_history *history = open_it();
	char text[256] = "", job[8];
	struct sw_history_run run;
	struct sw_error error;
	int i;

	for (i = 0; i < 6; i++) {
		snprintf(job, sizeof(job), "%d", i);
		run = make_run(job, 1e9);
		run.group = i < 2 ? "a" : "b";
		add(history, &run);
		run.step = "batch";
		run.group = "c:x";
		add(history, &run);
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
	struct sw_history_run run = make_run("1", 1e9);
	struct sw_history *history = open_it();
	struct sw_error error;
	size_t count;

	ck_assert_int_eq(sw_history_begin(history, &error), 0);
	add(history, &run);
	sw_history_rollback(history);
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(sw_history_begin(history, &error), 0);
	add(history, &run);
	ck_assert_int_eq(sw_history_commit(history, &error), 0);
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 1);
	sw_history_close(history);
}
END_TEST

static void write_file(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

START_TEST(test_no_database)
{
	static const char text[] = "this is no database, however long it is: "
		"a hundred bytes are the head of one and must be there for it";
	char aside[128], back[sizeof(text)];
	struct sw_history *history;
	struct sw_error error;
	FILE *file;

	write_file(path, text, sizeof(text));
	ck_assert_ptr_null(sw_history_open(path, false, &error));
	ck_assert_int_eq(errno, EUCLEAN);
	history = open_it();
	ck_assert(sw_history_was_damaged(history));
	sw_history_close(history);
	snprintf(aside, sizeof(aside), "%s.damaged-1", path);
	file = fopen(aside, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fread(back, 1, sizeof(back), file), sizeof(back));
	ck_assert_mem_eq(back, text, sizeof(text));
	fclose(file);
	history = open_it();
	ck_assert(!sw_history_was_damaged(history));
	sw_history_close(history);
}
END_TEST

START_TEST(test_empty_file)
{
	struct sw_error error;

	write_file(path, "", 0);
	ck_assert_ptr_null(sw_history_open(path, false, &error));
	ck_assert_int_eq(errno, ENOENT);
	sw_history_close(open_it());
	ck_assert_ptr_nonnull(strstr(error.text, path));
}
END_TEST

/* Damage that the head does not show. */
START_TEST(test_damaged_inside)
{
	struct sw_history *history = open_it();
	char garbage[4096], job[16];
	struct sw_history_run run;
	struct sw_error error;
	struct stat status;
	int i, fd, rc = 0;

	sw_history_begin(history, &error);
	for (i = 0; i < 2000; i++) {
		snprintf(job, sizeof(job), "%d", i);
		run = make_run(job, 1e9 + i);
		add(history, &run);
	}
	ck_assert_int_eq(sw_history_commit(history, &error), 0);
	sw_history_close(history);
	ck_assert_int_eq(stat(path, &status), 0);
	memset(garbage, 0x5a, sizeof(garbage));
	fd = open(path, O_WRONLY);
	for (i = 4; i < (int)(status.st_size / 4096); i++)
		ck_assert_int_eq(pwrite(fd, garbage, 4096, i * 4096L), 4096);
	close(fd);
	history = open_it();
	run = make_run("1999", 1e9);
	rc = sw_history_add(history, &run, &error);
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(errno, EUCLEAN);
	ck_assert_ptr_nonnull(strstr(error.text, path));
	sw_history_close(history);
}
END_TEST

static void execute(const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

START_TEST(test_not_ours)
{
	struct sw_error error;

	execute("CREATE TABLE recipes (name TEXT)");
	ck_assert_ptr_null(sw_history_open(path, true, &error));
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_ptr_nonnull(strstr(error.text, "another program"));
	execute("INSERT INTO recipes VALUES ('soup')");	/* untouched */
}
END_TEST

START_TEST(test_newer)
{
	struct sw_error error;

	sw_history_close(open_it());
	execute("PRAGMA user_version = 1000");
	ck_assert_ptr_null(sw_history_open(path, true, &error));
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_ptr_nonnull(strstr(error.text, "newer stepwell"));
}
END_TEST

START_TEST(test_missing)
{
	struct sw_error error;
	char *name = path + strlen(path);

	ck_assert_ptr_null(sw_history_open(path, false, &error));
	ck_assert_int_eq(errno, ENOENT);
	/* The folder is made with it. */
	snprintf(name, sizeof(path) - strlen(path), ".d/deep/h.sqlite");
	sw_history_close(open_it());
}
END_TEST

START_TEST(test_is_private)
{
	struct stat status;

	sw_history_close(open_it());
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_int_eq(status.st_mode & 0007, 0);
}
END_TEST

START_TEST(test_locked)
{
	struct sw_history_run run = make_run("1", 1e9);
	struct sw_history *history = open_it();
	struct sw_history_runs runs;
	struct sw_error error;
	sqlite3 *db;

	add(history, &run);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_busy_timeout(history->db, 50);	/* not 5 s */
	run = make_run("2", 1e9);
	ck_assert_int_eq(sw_history_add(history, &run, &error), -1);
	ck_assert_int_eq(errno, EBUSY);
	ck_assert_ptr_nonnull(strstr(error.text, "locked by another"));
	/* Who reads is not kept out. */
	runs = runs_of(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 1);
	sw_history_runs_fini(&runs);
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(db);
	ck_assert_int_eq(add(history, &run), SW_HISTORY_NEW);
	sw_history_close(history);
}
END_TEST

START_TEST(test_many_writers)
{
	enum { WRITERS = 4, EACH = 50 };
	struct sw_history *history;
	struct sw_history_run run;
	struct sw_error error;
	char job[32];
	size_t count;
	int i, j, status;

	for (i = 0; i < WRITERS; i++) {
		if (fork() != 0)
			continue;
		for (j = 0; j < EACH; j++) {
			history = sw_history_open(path, true, &error);
			if (!history)
				_exit(1);
			/* Half of them all writers have. */
			snprintf(job, sizeof(job), "%d_%d",
				 j % 2 ? i : WRITERS, j);
			run = make_run(job, 1e9);
			if (sw_history_add(history, &run, &error) < 0)
				_exit(2);
			sw_history_close(history);
		}
		_exit(0);
	}
	for (i = 0; i < WRITERS; i++) {
		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	history = open_it();
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, EACH / 2 * (WRITERS + 1));
	sw_history_close(history);
}
END_TEST

START_TEST(test_hostile_texts)
{
	struct sw_history_run run = make_run("1", 1e9);
	struct sw_history *history = open_it();
	struct sw_history_runs runs;

	run.job = "'); DROP TABLE runs; --";
	run.name = "\xff\xfe\x1b[31m";
	run.group = run.name;
	run.label = NULL;
	add(history, &run);
	ck_assert_int_eq(add(history, &run), SW_HISTORY_REPLACED);
	runs = runs_of(history, run.group, 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert_str_eq(runs.jobs[0], run.job);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

START_TEST(test_path)
{
	struct sw_error error;
	char chosen[256], site[128];

	setenv("XDG_STATE_HOME", folder, 1);
	unsetenv("STEPWELL_HISTORY");
	snprintf(site, sizeof(site), "%s/own", folder);
	ck_assert_int_eq(sw_history_path(NULL, true, chosen, sizeof(chosen),
					 &error), 0);
	ck_assert_ptr_nonnull(strstr(chosen, "/stepwell/history.sqlite"));
	/* Nothing there to be read. */
	ck_assert_int_eq(sw_history_path(site, false, chosen, sizeof(chosen),
					 &error), 0);
	ck_assert_ptr_nonnull(strstr(chosen, "/stepwell/history.sqlite"));
	ck_assert_int_eq(sw_history_path(site, true, chosen, sizeof(chosen),
					 &error), 0);
	ck_assert_str_eq(chosen, site);
	setenv("STEPWELL_HISTORY", path, 1);
	ck_assert_int_eq(sw_history_path(site, true, chosen, sizeof(chosen),
					 &error), 0);
	ck_assert_str_eq(chosen, path);
	ck_assert_int_eq(sw_history_path(site, true, chosen, 5, &error), -1);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("history");
	Suite *suite = suite_create("history");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_all_numbers);
	tcase_add_test(tcase, test_unknown_is_not_zero);
	tcase_add_test(tcase, test_absurd_values);
	tcase_add_test(tcase, test_newest_oldest_first);
	tcase_add_test(tcase, test_put);
	tcase_add_test(tcase, test_sources);
	tcase_add_test(tcase, test_completes_only);
	tcase_add_test(tcase, test_not_the_same);
	tcase_add_test(tcase, test_find_group);
	tcase_add_test(tcase, test_groups_lie_together);
	tcase_add_test(tcase, test_each_group);
	tcase_add_test(tcase, test_rolled_back);
	tcase_add_test(tcase, test_no_database);
	tcase_add_test(tcase, test_empty_file);
	tcase_add_test(tcase, test_damaged_inside);
	tcase_add_test(tcase, test_not_ours);
	tcase_add_test(tcase, test_newer);
	tcase_add_test(tcase, test_missing);
	tcase_add_test(tcase, test_is_private);
	tcase_add_test(tcase, test_locked);
	tcase_add_test(tcase, test_many_writers);
	tcase_add_test(tcase, test_hostile_texts);
	tcase_add_test(tcase, test_path);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
