/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history's file: its path, and the handling of locked, damaged, foreign or
 * unwritable ones.
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

#include "analyzer/history/history_internal.h"
#include "analyzer/history/history_prints.h"
#include "test/unit/analyzer/history/history_kit.h"

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

	write_file(kit_path, text, sizeof(text));
	ck_assert_ptr_null(sw_history_open(kit_path, false, &error));
	ck_assert_int_eq(errno, EUCLEAN);
	history = kit_open();
	ck_assert(sw_history_was_damaged(history));
	sw_history_close(history);
	snprintf(aside, sizeof(aside), "%s.damaged-1", kit_path);
	file = fopen(aside, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fread(back, 1, sizeof(back), file), sizeof(back));
	ck_assert_mem_eq(back, text, sizeof(text));
	fclose(file);
	history = kit_open();
	ck_assert(!sw_history_was_damaged(history));
	sw_history_close(history);
}
END_TEST

START_TEST(test_empty_file)
{
	struct sw_error error;

	write_file(kit_path, "", 0);
	ck_assert_ptr_null(sw_history_open(kit_path, false, &error));
	ck_assert_int_eq(errno, ENOENT);
	sw_history_close(kit_open());
	ck_assert_ptr_nonnull(strstr(error.text, kit_path));
}
END_TEST

/* Damage that the file's header does not show. */
START_TEST(test_damaged_inside)
{
	struct sw_history *history = kit_open();
	char garbage[4096], job[16];
	struct sw_history_run run;
	struct sw_error error;
	struct stat status;
	int i, fd, rc = 0;

	sw_history_begin(history, &error);
	for (i = 0; i < 2000; i++) {
		snprintf(job, sizeof(job), "%d", i);
		run = kit_run_of(job, 1e9 + i);
		kit_add(history, &run);
	}
	ck_assert_int_eq(sw_history_commit(history, &error), 0);
	sw_history_close(history);
	ck_assert_int_eq(stat(kit_path, &status), 0);
	memset(garbage, 0x5a, sizeof(garbage));
	fd = open(kit_path, O_WRONLY);
	for (i = 4; i < (int)(status.st_size / 4096); i++)
		ck_assert_int_eq(pwrite(fd, garbage, 4096, i * 4096L), 4096);
	close(fd);
	history = kit_open();
	run = kit_run_of("1999", 1e9);
	rc = sw_history_add(history, &run, &error);
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(errno, EUCLEAN);
	ck_assert_ptr_nonnull(strstr(error.text, kit_path));
	sw_history_close(history);
}
END_TEST

static void execute(const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(kit_path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* A view in which each run is the sum of endless rows. */
START_TEST(test_endless_view)
{
	struct sw_error error;

	sw_history_close(kit_open());
	execute("ALTER TABLE runs RENAME TO rows;"
		"CREATE VIEW runs AS WITH RECURSIVE n (i) AS (SELECT 1 UNION "
		"ALL SELECT i + 1 FROM n) SELECT rows.* FROM n, rows");
	ck_assert_ptr_null(sw_history_open(kit_path, false, &error));
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_ptr_nonnull(strstr(error.text, "views"));
	ck_assert_ptr_null(sw_history_open(kit_path, true, &error));
}
END_TEST

START_TEST(test_computed_column)
{
	struct sw_error error;

	sw_history_close(kit_open());
	execute("ALTER TABLE runs ADD COLUMN more AS (hex(zeroblob(9)))");
	ck_assert_ptr_null(sw_history_open(kit_path, false, &error));
	ck_assert_int_eq(errno, ENOTSUP);
}
END_TEST

START_TEST(test_not_ours)
{
	struct sw_error error;

	execute("CREATE TABLE recipes (name TEXT)");
	ck_assert_ptr_null(sw_history_open(kit_path, true, &error));
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_ptr_nonnull(strstr(error.text, "another program"));
	execute("INSERT INTO recipes VALUES ('soup')");	/* untouched */
}
END_TEST

START_TEST(test_newer)
{
	struct sw_error error;

	sw_history_close(kit_open());
	execute("PRAGMA user_version = 1000");
	ck_assert_ptr_null(sw_history_open(kit_path, true, &error));
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_ptr_nonnull(strstr(error.text, "newer stepwell"));
}
END_TEST

/* A file that cannot be written to is not migrated, but read as it is. */
START_TEST(test_older)
{
	struct sw_history_prints prints;
	struct sw_history_run run = kit_run_of("7", 1000);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	struct sw_error error;

	run.run.need_bytes = 5e9;
	run.run.open_bytes = 1e9;
	kit_add(history, &run);
	sw_history_close(history);
	execute("ALTER TABLE runs DROP COLUMN fingerprint;"
		"ALTER TABLE runs DROP COLUMN open_bytes;"
		"ALTER TABLE runs DROP COLUMN memory_per;"
		"ALTER TABLE runs DROP COLUMN waiting_share;"
		"DROP INDEX runs_by_name;"
		"ALTER TABLE runs DROP COLUMN exit_code;"
		"ALTER TABLE runs DROP COLUMN submit_seconds;"
		"ALTER TABLE runs DROP COLUMN has_slurm_state;"
		"PRAGMA user_version = 1");
	history = sw_history_open(kit_path, false, &error);
	ck_assert_msg(history != NULL, "%s", error.text);
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 1);
	ck_assert(runs.runs[0].need_bytes == 5e9);
	ck_assert(isnan(runs.runs[0].open_bytes));
	sw_history_runs_fini(&runs);
	ck_assert_int_eq(sw_history_prints(history, "alice/align", INFINITY, 9,
					   &prints, &error), 0);
	ck_assert_uint_eq(prints.count, 0);
	sw_history_close(history);
	/* Written to, it has the new columns. */
	history = kit_open();
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_REPLACED);
	runs = kit_runs(history, "alice/align", 10);
	ck_assert(runs.runs[0].open_bytes == 1e9);
	sw_history_runs_fini(&runs);
	sw_history_close(history);
}
END_TEST

static void add_print(struct sw_history *history, const char *job, double end,
		      const void *bytes, size_t size)
{
	struct sw_history_run run = kit_run_of(job, end);

	run.fingerprint = bytes;
	run.fingerprint_size = size;
	kit_add(history, &run);
}

static size_t count_prints(struct sw_history *history, double before,
			   struct sw_history_prints *prints)
{
	struct sw_error error;

	ck_assert_int_eq(sw_history_prints(history, "alice/align", before, 9,
					   prints, &error), 0);
	return prints->count;
}

/* Of untrusted bytes, only fingerprints are read. */
START_TEST(test_prints)
{
	static const uint8_t newer[] = { 99 }, damaged[] = { 1, 0xff };
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	struct sw_history_run poorer = kit_run_of("7", 1000);
	struct sw_history *history = kit_open();
	struct sw_history_prints prints;
	struct sw_fingerprint print;
	size_t size;

	sw_fingerprint_init(&print);
	sw_fingerprint_program_init(&print.programs[print.program_count++],
				    "align");
	size = sw_fingerprint_encode(&print, bytes);
	add_print(history, "7", 1000, bytes, size);
	add_print(history, "8", 2000, newer, sizeof(newer));
	add_print(history, "9", 3000, damaged, sizeof(damaged));
	add_print(history, "10", 4000, bytes, size);
	/* A poorer record has none, and the scheduler's state. */
	poorer.source = SW_HISTORY_SACCT;
	poorer.run.state = SW_RUN_TIMEOUT;
	kit_add(history, &poorer);
	ck_assert_uint_eq(count_prints(history, INFINITY, &prints), 2);
	ck_assert_str_eq(prints.items[0].job, "7");
	ck_assert_str_eq(prints.items[0].print.programs[0].name, "align");
	ck_assert_int_eq(prints.items[0].print.state, SW_RUN_TIMEOUT);
	ck_assert_str_eq(prints.items[1].job, "10");
	sw_history_prints_fini(&prints);
	ck_assert_uint_eq(count_prints(history, 4000, &prints), 1);
	sw_history_prints_fini(&prints);
	sw_history_close(history);
}
END_TEST

START_TEST(test_missing)
{
	struct sw_error error;
	char *name = kit_path + strlen(kit_path);

	ck_assert_ptr_null(sw_history_open(kit_path, false, &error));
	ck_assert_int_eq(errno, ENOENT);
	/* The folder is created with it. */
	snprintf(name, sizeof(kit_path) - strlen(kit_path), ".d/deep/h.sqlite");
	sw_history_close(kit_open());
}
END_TEST

START_TEST(test_is_private)
{
	struct stat status;

	sw_history_close(kit_open());
	ck_assert_int_eq(stat(kit_path, &status), 0);
	ck_assert_int_eq(status.st_mode & 0007, 0);
}
END_TEST

START_TEST(test_locked)
{
	struct sw_history_run run = kit_run_of("1", 1e9);
	struct sw_history *history = kit_open();
	struct sw_history_runs runs;
	struct sw_error error;
	sqlite3 *db;

	kit_add(history, &run);
	ck_assert_int_eq(sqlite3_open(kit_path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_busy_timeout(history->db, 50);	/* not 5 s */
	run = kit_run_of("2", 1e9);
	ck_assert_int_eq(sw_history_add(history, &run, &error), -1);
	ck_assert_int_eq(errno, EBUSY);
	ck_assert_ptr_nonnull(strstr(error.text, "locked by another"));
	/* Readers are not locked out. */
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 1);
	sw_history_runs_fini(&runs);
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(db);
	ck_assert_int_eq(kit_add(history, &run), SW_HISTORY_NEW);
	sw_history_close(history);
}
END_TEST

/* Let another connection create the tables while this one counts them. */
static int create_beside(unsigned int event, void *is_done, void *statement,
			 void *sql)
{
	bool *is_created = is_done;

	(void)event;
	(void)statement;
	if (!*is_created && strstr(sql, "sqlite_master")) {
		*is_created = true;
		sw_history_close(kit_open());
	}
	return 0;
}

static bool is_created_beside;

static int watch_statements(sqlite3 *db, const char **message,
			    const struct sqlite3_api_routines *routines)
{
	(void)message;
	(void)routines;
	return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, create_beside,
				&is_created_beside);
}

START_TEST(test_created_by_two)
{
	sqlite3_auto_extension((void (*)(void))watch_statements);
	sw_history_close(kit_open());
	sqlite3_reset_auto_extension();
	ck_assert(is_created_beside);
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
			history = sw_history_open(kit_path, true, &error);
			if (!history)
				_exit(1);
			/* Half of the rows are common to all writers. */
			snprintf(job, sizeof(job), "%d_%d",
				 j % 2 ? i : WRITERS, j);
			run = kit_run_of(job, 1e9);
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
	history = kit_open();
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, EACH / 2 * (WRITERS + 1));
	sw_history_close(history);
}
END_TEST

START_TEST(test_path)
{
	struct sw_error error;
	char chosen[256], site[128];

	setenv("XDG_STATE_HOME", kit_folder, 1);
	unsetenv("STEPWELL_HISTORY");
	snprintf(site, sizeof(site), "%s/own", kit_folder);
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
	setenv("STEPWELL_HISTORY", kit_path, 1);
	ck_assert_int_eq(sw_history_path(site, true, chosen, sizeof(chosen),
					 &error), 0);
	ck_assert_str_eq(chosen, kit_path);
	ck_assert_int_eq(sw_history_path(site, true, chosen, 5, &error), -1);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_case("history files");

	tcase_add_test(tcase, test_no_database);
	tcase_add_test(tcase, test_empty_file);
	tcase_add_test(tcase, test_damaged_inside);
	tcase_add_test(tcase, test_endless_view);
	tcase_add_test(tcase, test_computed_column);
	tcase_add_test(tcase, test_not_ours);
	tcase_add_test(tcase, test_newer);
	tcase_add_test(tcase, test_older);
	tcase_add_test(tcase, test_prints);
	tcase_add_test(tcase, test_missing);
	tcase_add_test(tcase, test_is_private);
	tcase_add_test(tcase, test_locked);
	tcase_add_test(tcase, test_created_by_two);
	tcase_add_test(tcase, test_many_writers);
	tcase_add_test(tcase, test_path);
	return kit_run(tcase);
}
