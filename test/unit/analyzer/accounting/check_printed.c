/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of sacct of two releases (test/fixtures/sacct/README). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_jobs.h"
#include "test/run_tests.h"

#define HOUR 1779998400ULL	/* its first quarter is the window */

static struct sw_record_fields fields;
static struct sw_records_sums sums;
static const char *wanted;	/* id of the job passed to check */
static void (*check)(const struct sw_job_record *job);
static bool is_found;

static int take_job(void *context, const struct sw_job_record *job)
{
	char text[SW_JOBID_TEXT_SIZE];

	(void)context;
	sw_jobid_format(text, sizeof(text), &job->id);
	if (is_found || strcmp(text, wanted) != 0)
		return 0;
	is_found = true;
	check(job);
	return 0;
}

static void complain(void *context, const char *text)
{
	(void)context;
	ck_abort_msg("%s", text);
}

/* The first line has the names: those of --helpformat without blanks. */
static char *read_names(char *text)
{
	struct sw_error error;
	char *body = strchr(text, '\n'), *end;

	*body = '\0';
	while ((end = strchr(text, '\x1f')))
		*end = ' ';
	ck_assert_int_eq(sw_record_fields_read(&fields, text, &error), 0);
	return body + 1;
}

static char *contents(const char *name)
{
	static char text[65536], path[4096];
	const char *top = getenv("abs_top_srcdir");
	FILE *in;

	ck_assert_ptr_nonnull(top);
	snprintf(path, sizeof(path), "%s/test/fixtures/sacct/%s", top, name);
	in = fopen(path, "r");
	ck_assert_ptr_nonnull(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

/* Read all of it, without a skipped line or an invalid value. */
static void read_printed(const char *name)
{
	static const struct sw_record_window window = { HOUR, HOUR + 901 };
	static const struct sw_records_taker taker = {
		.take_job = take_job, .complain = complain,
	};
	struct sw_record_lines lines = {
		.next = read_names(contents(name)), .delimiter = "\x1f",
		.fields = &fields,
	};
	struct sw_error error;

	ck_assert_int_eq(sw_record_jobs_take(&lines, NULL, &window, &taker,
					     &sums, &error), 0);
	ck_assert(is_found);
	ck_assert_uint_eq(sums.impossible, 0);
	ck_assert_uint_eq(sums.outside, 0);
}

static void check_preempted(const struct sw_job_record *job)
{
	const struct sw_step_record *step = &job->steps[0];

	ck_assert_int_eq(job->end.state, SW_JOB_PREEMPTED);
	ck_assert_int_eq(job->limit_kind, SW_TIME_LIMIT_UNLIMITED);
	ck_assert_uint_eq(job->requested.memory_bytes, 349 << 20);
	ck_assert_uint_eq(job->requested_bytes, 349 << 20);
	ck_assert_uint_eq(job->derived_signal, 113);
	ck_assert_str_eq(job->name, "\xc3\xa4\033[31m");
	ck_assert_uint_eq(step->end.cancelled_by_uid, 839);
	ck_assert_uint_eq(step->task_count, 186);
	ck_assert_uint_eq(step->allocated.memory_bytes, 1024 << 20);
	ck_assert_uint_eq(step->used.task_rss_bytes, 1536);
	ck_assert_uint_eq(step->used.written_bytes, 123);
	ck_assert_uint_eq(step->used.read_bytes, SW_MISSING);
	ck_assert_uint_eq(step->used.cpu_usec, 150861000000);
	ck_assert_str_eq(step->name, "a b|c");
}

START_TEST(release_22_05)
{
	wanted = "1269";
	check = check_preempted;
	read_printed("printed-22.05.txt");
	ck_assert_uint_eq(sums.jobs, 47);
	ck_assert_uint_eq(sums.steps, 73);
}
END_TEST

static void check_rest_of_array(const struct sw_job_record *job)
{
	ck_assert_uint_eq(job->key.job_id, 1037);
	ck_assert_uint_eq(job->key.array_job_id, 900);
	ck_assert(job->is_rest_of_array);
	ck_assert_uint_eq(job->key.restart_count, 2);
	ck_assert_uint_eq(job->requested.gpus, 1);
	ck_assert_uint_eq(job->limit_seconds, 2219 * 60);
	ck_assert_str_eq(job->comment, "tab\t");
	ck_assert_uint_eq(job->step_count, 3);
	ck_assert_uint_eq(job->steps[1].used.energy_joules, 31143);
}

START_TEST(release_24_11)
{
	wanted = "900";
	check = check_rest_of_array;
	read_printed("printed-24.11.txt");
	ck_assert_uint_eq(sums.jobs, 49);
	ck_assert_uint_eq(sums.steps, 66);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sacct");

	tcase_add_test(tcase, release_22_05);
	tcase_add_test(tcase, release_24_11);
	return run_tests("printed", tcase, NULL);
}
