/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two histories read as one: precedence of rows, and ownership of files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/history/history_beside.h"
#include "test/unit/analyzer/history/history_kit.h"

static char file[128];

/* Owned by this user, in the folder of the own one. */
static struct sw_history *open_other(void)
{
	struct sw_error error = { "" };
	struct sw_history *other;

	snprintf(file, sizeof(file), "%s/%lu.sqlite", kit_folder,
		 (unsigned long)geteuid());
	other = sw_history_open(file, true, &error);
	ck_assert_msg(other != NULL, "%s", error.text);
	return other;
}

static void close_other(struct sw_history *other)
{
	sw_history_close(other);
	ck_assert_int_eq(chmod(file, 0400), 0);
}

/* As written by the sweep: from Slurm and, if is_recorded, from summaries. */
static void add_swept(struct sw_history *other, const char *job,
		      double end_seconds, bool is_recorded)
{
	struct sw_history_run run = kit_run_of(job, end_seconds);

	run.name = NULL;
	run.run.need_bytes = 4e9;
	run.run.requested_seconds = 3600;
	run.run.state = SW_RUN_TIMEOUT;
	run.source = SW_HISTORY_SACCT;
	kit_add(other, &run);
	run.source = SW_HISTORY_SUMMARY;
	if (is_recorded)
		kit_add(other, &run);
}

static struct sw_history *join(void)
{
	struct sw_error error = { "" };
	struct sw_history *history = sw_history_open_both(
		kit_path, kit_folder, &sw_history_patient, &error);

	ck_assert_msg(history != NULL, "%s", error.text);
	return history;
}

static void add_own(const char *job, double end_seconds,
		    enum sw_history_source source)
{
	struct sw_history_run run = kit_run_of(job, end_seconds);
	struct sw_history *own = kit_open();

	run.source = source;
	run.run.state = SW_RUN_CANCELLED;
	kit_add(own, &run);
	sw_history_close(own);
}

/* The only run of the group. */
static struct sw_run only_run(void)
{
	struct sw_history *history = join();
	struct sw_history_runs runs = kit_runs(history, "alice/align", 10);
	struct sw_error error;
	struct sw_run run;
	char *name;

	ck_assert_uint_eq(runs.count, 1);
	run = runs.runs[0];
	sw_history_runs_fini(&runs);
	ck_assert_int_eq(sw_history_name(history, "alice/align", &name, &error),
			 0);
	ck_assert_str_eq(name, "align");
	free(name);
	sw_history_close(history);
	return run;
}

static const struct {
	enum sw_history_source own;
	bool is_recorded;
	double need_bytes; /* the own one has 5e9 */
} better[] = {
	{ SW_HISTORY_PROFILE, true, 5e9 },  { SW_HISTORY_PROFILE, false, 5e9 },
	{ SW_HISTORY_SACCT, true, 4e9 },    { SW_HISTORY_SACCT, false, 4e9 },
	{ SW_HISTORY_NEXTFLOW, true, 4e9 }, { SW_HISTORY_NEXTFLOW, false, 5e9 },
};

/* Data known only to the other history is used, and so is Slurm's state. */
START_TEST(better_source_counts)
{
	struct sw_history *other = open_other();
	struct sw_run run;

	add_swept(other, "12", 1000, better[_i].is_recorded);
	close_other(other);
	add_own("12", 1010, better[_i].own);
	run = only_run();
	ck_assert_double_eq(run.need_bytes, better[_i].need_bytes);
	ck_assert_double_eq(run.requested_seconds, 3600);
	ck_assert_int_eq(run.state, SW_RUN_TIMEOUT);
}
END_TEST

START_TEST(runs_of_both)
{
	struct sw_history *other = open_other(), *history;
	struct sw_history_runs runs;
	struct sw_error error;
	struct stat before, after;
	size_t count;

	add_swept(other, "13", 3000, true);
	add_swept(other, "14_2", 2000, false);
	close_other(other);
	add_own("12", 1000, SW_HISTORY_PROFILE);
	ck_assert_int_eq(stat(kit_path, &before), 0);
	history = join();
	runs = kit_runs(history, "alice/align", 10);
	ck_assert_uint_eq(runs.count, 3);
	ck_assert_str_eq(runs.jobs[0], "12");
	ck_assert_str_eq(runs.jobs[1], "14_2");
	ck_assert_str_eq(runs.jobs[2], "13");
	sw_history_runs_fini(&runs);
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 3);
	sw_history_close(history);
	/* Reading writes nothing. */
	ck_assert_int_eq(stat(kit_path, &after), 0);
	ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	history = kit_open();
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 1);
	sw_history_close(history);
}
END_TEST

START_TEST(one_alone)
{
	struct sw_history *other = open_other(), *history;
	struct sw_error error;
	size_t count;

	add_swept(other, "13", 3000, true);
	close_other(other);
	history = join();
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 1);
	sw_history_close(history);
	ck_assert_int_eq(access(kit_path, F_OK), -1);
	unlink(file);
	errno = 0;
	ck_assert_ptr_null(sw_history_open_both(kit_path, kit_folder,
						&sw_history_patient, &error));
	ck_assert_int_eq(errno, ENOENT);
	add_own("12", 1000, SW_HISTORY_PROFILE);
	history = join();
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 1);
	sw_history_close(history);
}
END_TEST

static void open_folder(void)
{
	ck_assert_int_eq(chmod(kit_folder, 0777), 0);
}

static void open_file(void)
{
	ck_assert_int_eq(chmod(file, 0666), 0);
}

static void put_link(void)
{
	char target[160];

	snprintf(target, sizeof(target), "%s.1", file);
	ck_assert_int_eq(rename(file, target), 0);
	ck_assert_int_eq(symlink(target, file), 0);
}

static void put_pipe(void)
{
	ck_assert_int_eq(unlink(file), 0);
	ck_assert_int_eq(mkfifo(file, 0600), 0);
}

static void put_garbage(void)
{
	FILE *out;

	ck_assert_int_eq(unlink(file), 0);
	out = fopen(file, "w");
	fprintf(out, "SQLite format 3 it is not, but for its first words\n");
	fclose(out);
}

static void (*const spoilers[])(void) = {
	open_folder, open_file, put_link, put_pipe, put_garbage,
};

/* Only the own one is used, and nothing hangs. */
START_TEST(what_is_not_taken)
{
	struct sw_history *other = open_other(), *history;
	struct sw_error error;
	size_t count;

	add_swept(other, "13", 3000, true);
	close_other(other);
	add_own("12", 1000, SW_HISTORY_PROFILE);
	spoilers[_i]();
	history = join();
	ck_assert_int_eq(sw_history_count(history, &count, &error), 0);
	ck_assert_uint_eq(count, 1);
	sw_history_close(history);
}
END_TEST

START_TEST(trims)
{
	struct sw_history *history = open_other();
	struct sw_history_runs runs;
	struct sw_history_run run;
	struct sw_error error;
	char job[16], *group;
	int i;

	for (i = 1; i <= 9; i++) {
		snprintf(job, sizeof(job), "%d", i);
		add_swept(history, job, 1000 * i, true);
	}
	run = kit_run_of("77", 500);
	run.group = run.label = "alice/old";
	kit_add(history, &run);
	ck_assert_int_eq(sw_history_trim(history, 2500, 4, &error), 0);
	runs = kit_runs(history, "alice/align", 20);
	ck_assert_uint_eq(runs.count, 4);
	ck_assert_str_eq(runs.jobs[0], "6");
	sw_history_runs_fini(&runs);
	ck_assert_int_eq(
		sw_history_find_group(history, "alice/old", &group, &error),
		-1);
	ck_assert_int_eq(errno, ENOENT);
	sw_history_close(history);
}
END_TEST

int main(void)
{
	TCase *tests = kit_case("beside");

	tcase_add_loop_test(tests, better_source_counts, 0,
			    sizeof(better) / sizeof(better[0]));
	tcase_add_test(tests, runs_of_both);
	tcase_add_test(tests, one_alone);
	tcase_add_loop_test(tests, what_is_not_taken, 0,
			    sizeof(spoilers) / sizeof(spoilers[0]));
	tcase_add_test(tests, trims);
	return kit_run(tests);
}
