/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a night, returned by job: the same as a search of all rows, sorted as
 * a whole.
 */
#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/sweep/night/night_rows.h"
#include "common/units.h"
#include "profiles/writer.h"
#include "test/run_tests.h"

enum {
	JOBS = 3000,
	NODES = 5,
	FROM = 1000000,
	HOURS = 6,
	UNTIL = FROM + HOURS * 3600,
	ROWS_MAX = 8 * JOBS,
};

static const struct sw_column columns[] = {
	{ "cluster", "", SW_KIND_TEXT, "" },
	{ "step_id", "", SW_KIND_TEXT, "" },
	{ "final_source", "", SW_KIND_TEXT, "" },
	{ "job_id", "", SW_KIND_STATE, "" },
	{ "restart_count", "", SW_KIND_STATE, "" },
	{ "start_realtime_usec", "usec", SW_KIND_STATE, "" },
	{ "end_realtime_usec", "usec", SW_KIND_STATE, "" },
	{ "usage_usec", "usec", SW_KIND_COUNTER, "" },
	{ "wait_status", "", SW_KIND_STATE, "" },
};

static const struct sw_table table = {
	.name = "step_summaries",
	.scope = SW_SCOPE_JOB,
	.source = "slurm",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
};

static char folder[] = "/tmp/check_night_rows.XXXXXX";
static int folder_fd;
static struct sw_error error;
static struct sw_writer *writers[NODES];
static struct sw_night_rows *rows;
static struct sw_step_summaries all;
static bool is_handed_out[ROWS_MAX];
static uint64_t draws = 1;

static uint64_t draw(uint64_t below)
{
	draws = draws * 6364136223846793005u + 1442695040888963407u;
	return (draws >> 33) % below;
}

static void write_row(unsigned node, const char *cluster, const char *step,
		      uint64_t job_id, uint64_t restart, uint64_t start,
		      uint64_t end, bool is_late)
{
	const union sw_value values[] = {
		{ .text = cluster },
		{ .text = step },
		{ .text = is_late ? "late" : "step" },
		{ .number = job_id },
		{ .number = restart },
		{ .number = start * SW_USEC_PER_SEC },
		{ .number = end * SW_USEC_PER_SEC },
		{ .number = draw(1000000) },
		{ .number = is_late ? 256 : 0 },
	};
	int number = sw_writer_table(writers[node], &table, &error);

	ck_assert_int_ge(number, 0);
	ck_assert_int_eq(sw_writer_row(writers[node], number, values,
				       end * SW_USEC_PER_SEC),
			 0);
}

/* A run of a job: its steps on up to three nodes, some of them twice. */
static void write_run(const struct sw_job_record *job, uint64_t restart)
{
	static const char *const steps[] = { "batch", "0", "1", "extern" };
	uint64_t start = job->start_seconds, end = job->end_seconds, mid;
	unsigned node = (unsigned)draw(NODES), i, j;

	for (i = 0; i < 1 + draw(4); i++) {
		mid = start + draw(end - start + 1);
		for (j = 0; j < 1 + draw(3); j++)
			write_row((node + j) % NODES, job->cluster, steps[i],
				  job->key.job_id, restart,
				  i == 0 ? start : mid, end, false);
		if (draw(10) == 0)
			write_row(node, job->cluster, steps[i], job->key.job_id,
				  restart, i == 0 ? start : mid, end, true);
	}
}

/* Job i; the last of its runs ends in the night. */
static struct sw_job_record drawn(uint64_t i, unsigned run)
{
	struct sw_job_record job = { .key = SW_JOB_KEY_MISSING };
	uint64_t seed = draws;

	draws = i * 2654435761u + 1;
	job.key.job_id = 70000 + i / 2;
	job.cluster = i % 2 ? "a" : "b";
	job.end_seconds = FROM + draw(UNTIL - FROM);
	job.start_seconds = job.end_seconds - draw(draw(5) ? 3000 : 40000);
	if (run == 0) {
		job.end_seconds = job.start_seconds - 200;
		job.start_seconds -= 1000;
	}
	draws = seed;
	return job;
}

static bool is_requeued(uint64_t i)
{
	return i % 7 == 0;
}

static void file_name(char *name, size_t size, unsigned node)
{
	snprintf(name, size, "2026-11-22.n%u.stepwell", node);
}

/* The file is removed afterwards. */
static struct sw_reader *finish_and_open(unsigned node)
{
	struct sw_reader *reader;
	char name[64], path[128];

	ck_assert_int_eq(sw_writer_finish(writers[node], UNTIL, &error), 0);
	sw_writer_destroy(writers[node]);
	writers[node] = NULL;
	file_name(name, sizeof(name), node);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	reader = sw_reader_open(path, &error);
	ck_assert_ptr_nonnull(reader);
	unlink(path);
	return reader;
}

static void add_written(unsigned node)
{
	struct sw_reader *reader = finish_and_open(node);
	char name[64];
	size_t unnamed = 0;

	file_name(name, sizeof(name), node);
	ck_assert_int_eq(sw_step_summaries_add(&all, reader, name, &unnamed),
			 0);
	ck_assert_int_eq(
		sw_night_rows_add(rows, reader, name, false, &unnamed, &error),
		0);
	ck_assert_uint_eq(unnamed, 0);
	sw_reader_close(reader);
}

static void begin(void)
{
	char name[64];
	unsigned i;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (i = 0; i < NODES; i++) {
		file_name(name, sizeof(name), i);
		writers[i] = sw_writer_create(folder_fd, name, true, &error);
		ck_assert_ptr_nonnull(writers[i]);
	}
	rows = sw_night_rows_new(FROM, UNTIL);
	ck_assert_ptr_nonnull(rows);
}

static void read_all(void)
{
	unsigned i;

	for (i = 0; i < NODES; i++)
		add_written(i);
	sw_step_summaries_settle(&all);
	ck_assert_uint_le(all.count, ROWS_MAX);
}

static void end(void)
{
	unsigned i;

	for (i = 0; i < NODES; i++) {
		if (writers[i])
			sw_reader_close(finish_and_open(i));
	}
	sw_night_rows_free(rows);
	sw_step_summaries_fini(&all);
	close(folder_fd);
	ck_assert_int_eq(rmdir(folder), 0);
}

static double first_start(const struct sw_step_summary *run, size_t count)
{
	double start = run->start;

	while (count-- > 1)
		start = fmin(start, (++run)->start);
	return start;
}

/* Reference: the first run among all rows that fits and was not returned. */
static const struct sw_step_summary *find(const struct sw_job_record *job,
					  size_t *count)
{
	size_t i, of_job;

	for (i = 0; i < all.count; i += of_job) {
		const struct sw_step_summary *run = &all.items[i];
		double start;

		of_job = sw_step_summaries_of_job(run, all.count - i);
		start = first_start(run, of_job);
		if (run->job.job_id != job->key.job_id ||
		    strcmp(run->cluster, job->cluster) != 0 ||
		    is_handed_out[i] ||
		    start < (double)job->start_seconds - 60 ||
		    start > (double)job->end_seconds + 60)
			continue;
		is_handed_out[i] = true;
		*count = of_job;
		return run;
	}
	*count = 0;
	return NULL;
}

static void compare(const struct sw_job_record *job)
{
	const struct sw_step_summary *found, *wanted;
	size_t count, wanted_count, i;

	wanted = find(job, &wanted_count);
	ck_assert_int_eq(sw_night_rows_of(rows, job, &found, &count, &error),
			 0);
	ck_assert_uint_eq(count, wanted_count);
	for (i = 0; i < count; i++) {
		ck_assert_str_eq(found[i].step, wanted[i].step);
		ck_assert_str_eq(found[i].node, wanted[i].node);
		ck_assert_str_eq(found[i].cluster, wanted[i].cluster);
		ck_assert_uint_eq(found[i].wait_status, wanted[i].wait_status);
		ck_assert(found[i].start == wanted[i].start);
		ck_assert(found[i].used == wanted[i].used);
	}
}

/* Records come by window, and unsorted within it. */
static void compare_jobs(bool (*has_record)(uint64_t i))
{
	uint64_t hour, i;
	unsigned run;

	for (hour = FROM; hour < UNTIL; hour += 3600) {
		for (i = 0; i < JOBS; i++) {
			for (run = is_requeued(i) ? 0 : 1; run < 2; run++) {
				struct sw_job_record job = drawn(i, run);

				if (job.end_seconds >= hour &&
				    job.end_seconds < hour + 3600 &&
				    has_record(i))
					compare(&job);
			}
		}
	}
}

static void write_jobs(bool (*has_rows)(uint64_t i))
{
	uint64_t i;
	unsigned run;

	for (i = 0; i < JOBS; i++) {
		for (run = is_requeued(i) ? 0 : 1; run < 2; run++) {
			struct sw_job_record job = drawn(i, run);

			if (has_rows(i))
				write_run(&job, run);
		}
	}
	read_all();
}

static bool always(uint64_t i)
{
	(void)i;
	return true;
}

static bool mostly(uint64_t i)
{
	return i % 5 != 3;
}

START_TEST(as_among_all)
{
	write_jobs(always);
	ck_assert_uint_gt(all.count, 4 * JOBS);
	compare_jobs(always);
}
END_TEST

START_TEST(some_without)
{
	write_jobs(mostly);
	compare_jobs(always);
}
END_TEST

/* Rows put aside in a file come back unchanged: more than one chunk. */
START_TEST(handed_out_once)
{
	const struct sw_step_summary *found;
	struct sw_job_record job = drawn(4, 1);
	size_t count;

	write_jobs(always);
	ck_assert_int_eq(sw_night_rows_of(rows, &job, &found, &count, &error),
			 0);
	ck_assert_uint_gt(count, 0);
	ck_assert_int_eq(sw_night_rows_of(rows, &job, &found, &count, &error),
			 0);
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(unknown)
{
	struct sw_job_record job = { .key = SW_JOB_KEY_MISSING };
	uint64_t jobs = 0;

	job.key.job_id = 1;
	job.cluster = "a";
	job.start_seconds = FROM + 100;
	job.end_seconds = FROM + 200;
	write_row(0, "a", "extern", 1, 0, FROM + 100, FROM + 200, false);
	write_row(0, "a", "extern", 2, 0, FROM + 100, FROM + 200, false);
	write_row(1, "a", "extern", 2, 0, FROM + 100, FROM + 200, false);
	write_row(0, "b", "extern", 1, 0, FROM + 100, FROM + 200, false);
	write_row(0, "b", "extern", 3, 0, FROM + 100, UNTIL + 200, false);
	write_row(0, "b", "batch", 4, 0, FROM + 100, FROM + 200, false);
	read_all();
	compare(&job);
	ck_assert_int_eq(sw_night_rows_unknown(rows, &jobs, &error), 0);
	ck_assert_uint_eq(jobs, 2);
}
END_TEST

START_TEST(only_known)
{
	const struct sw_step_summary *found;
	struct sw_job_record job = { .key = SW_JOB_KEY_MISSING };
	struct sw_reader *reader;
	size_t count, unnamed = 0;

	job.key.job_id = 1;
	job.cluster = "a";
	job.start_seconds = FROM - 900;
	job.end_seconds = FROM + 200;
	write_row(0, "a", "extern", 1, 0, FROM - 900, FROM + 200, false);
	write_row(1, "a", "0", 1, 0, FROM - 800, FROM - 700, false);
	write_row(1, "a", "0", 9, 0, FROM - 800, FROM - 700, false);
	reader = finish_and_open(1);
	add_written(0);
	ck_assert_int_eq(
		sw_night_rows_add(rows, reader, "n1", true, &unnamed, &error),
		0);
	sw_reader_close(reader);
	ck_assert_uint_eq(sw_night_rows_earliest_usec(rows),
			  (FROM - 900) * SW_USEC_PER_SEC);
	ck_assert_int_eq(sw_night_rows_of(rows, &job, &found, &count, &error),
			 0);
	ck_assert_uint_eq(count, 2);
	job.key.job_id = 9;
	ck_assert_int_eq(sw_night_rows_of(rows, &job, &found, &count, &error),
			 0);
	ck_assert_uint_eq(count, 0);
}
END_TEST

/* A missing folder is named. */
START_TEST(no_folder)
{
	struct sw_reader *reader;
	size_t unnamed = 0;
	unsigned i;

	setenv("TMPDIR", "/nowhere/at/all", 1);
	sw_night_rows_free(rows);
	rows = sw_night_rows_new(FROM, UNTIL);
	unsetenv("TMPDIR");
	for (i = 0; i < 1000; i++)
		write_row(0, "a", "0", i, 0, FROM, FROM + 1, false);
	reader = finish_and_open(0);
	ck_assert_int_eq(
		sw_night_rows_add(rows, reader, "n0", false, &unnamed, &error),
		-1);
	ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/at/all"));
	sw_reader_close(reader);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("night_rows");

	tcase_set_timeout(tcase, 0);
	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, as_among_all);
	tcase_add_test(tcase, some_without);
	tcase_add_test(tcase, handed_out_once);
	tcase_add_test(tcase, unknown);
	tcase_add_test(tcase, only_known);
	tcase_add_test(tcase, no_folder);
	return run_tests("night_rows", tcase, NULL);
}
