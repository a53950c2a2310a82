/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's job ids: parsing and formatting. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/job_key.h"
#include "common/jobid.h"
#include "test/run_tests.h"

#define NONE SW_MISSING

static const struct {
	const char *text;
	struct sw_jobid id;
} good[] = {
	{ "1", { 1, NONE, NONE, "" } },
	{ "123", { 123, NONE, NONE, "" } },
	{ "4294967295", { 4294967295, NONE, NONE, "" } },
	{ "123_4", { 123, 4, NONE, "" } },
	{ "123_0", { 123, 0, NONE, "" } },
	{ "123+1", { 123, NONE, 1, "" } },
	{ "123.batch", { 123, NONE, NONE, "batch" } },
	{ "123.extern", { 123, NONE, NONE, "extern" } },
	{ "123.interactive", { 123, NONE, NONE, "interactive" } },
	{ "123.0", { 123, NONE, NONE, "0" } },
	{ "123.12+1", { 123, NONE, NONE, "12+1" } },
	{ "123_4.batch", { 123, 4, NONE, "batch" } },
	{ "123+1.7", { 123, NONE, 1, "7" } },
	{ "123.4294967295+4294967295",
	  { 123, NONE, NONE, "4294967295+4294967295" } },
};

static const struct {
	const char *text;
	int number;
} bad[] = {
	{ "", EINVAL },		{ "0", EINVAL },
	{ "x", EINVAL },	{ "-1", EINVAL },
	{ " 1", EINVAL },	{ "1 ", EINVAL },
	{ "1.", EINVAL },	{ "1_", EINVAL },
	{ "1+", EINVAL },	{ "1_a", EINVAL },
	{ "1_2_3", EINVAL },	{ "1_2+3", EINVAL },
	{ "1+2_3", EINVAL },	{ "1.batch+1", EINVAL },
	{ "1.Batch", EINVAL },	{ "1.batchx", EINVAL },
	{ "1.0.1", EINVAL },	{ "1.0+", EINVAL },
	{ "1.0+1x", EINVAL },	{ "1.0x", EINVAL },
	{ "1.-1", EINVAL },	{ "+1", EINVAL },
	{ "1\n", EINVAL },	{ "0x10", EINVAL },
	{ "4294967296", ERANGE },
	{ "99999999999999999999999999", ERANGE },
	{ "1_4294967296", ERANGE },
	{ "1.4294967296", ERANGE },
};

START_TEST(reads_and_writes)
{
	char text[SW_JOBID_TEXT_SIZE];
	const struct sw_jobid *want = &good[_i].id;
	struct sw_jobid id;

	ck_assert_int_eq(sw_jobid_parse(good[_i].text, &id), 0);
	ck_assert_uint_eq(id.job, want->job);
	ck_assert_uint_eq(id.array_task, want->array_task);
	ck_assert_uint_eq(id.het_component, want->het_component);
	ck_assert_str_eq(id.step, want->step);
	ck_assert_str_eq(sw_jobid_format(text, sizeof(text), &id),
			 good[_i].text);
}
END_TEST

START_TEST(refuses)
{
	struct sw_jobid id = { 77, 78, 79, "kept" };

	errno = 0;
	ck_assert_int_eq(sw_jobid_parse(bad[_i].text, &id), -1);
	ck_assert_int_eq(errno, bad[_i].number);
	ck_assert_uint_eq(id.job, 77);
	ck_assert_uint_eq(id.array_task, 78);
	ck_assert_uint_eq(id.het_component, 79);
	ck_assert_str_eq(id.step, "kept");
}
END_TEST

START_TEST(cuts_to_the_buffer)
{
	struct sw_jobid id = { 123, 45, SW_MISSING, "batch" };
	char text[6] = "xxxxx";

	ck_assert_str_eq(sw_jobid_format(text, sizeof(text), &id), "123_4");
}
END_TEST

/* Each is before the next. */
static const struct sw_jobid sorted_jobs[] = {
	{ 9, NONE, NONE, "1" },	 { 123, 0, NONE, "" }, { 123, 4, NONE, "" },
	{ 123, NONE, 0, "" },	 { 123, NONE, 1, "" }, { 123, NONE, NONE, "" },
	{ 124, 0, NONE, "" },	 { NONE, NONE, NONE, "" },
};

START_TEST(jobs_have_an_order)
{
	int i, count = (int)(sizeof(sorted_jobs) / sizeof(sorted_jobs[0]));
	struct sw_jobid other;
	int order;

	for (i = 0; i < count; i++) {
		other = sorted_jobs[i];
		strcpy(other.step, "batch");
		order = sw_jobid_compare(&sorted_jobs[_i], &other);
		ck_assert_int_eq((order > 0) - (order < 0),
				 (_i > i) - (_i < i));
	}
}
END_TEST

static const struct {
	const char *wanted, *id;
	bool is_covered, is_part;	/* is_part: of wanted */
} covers[] = {
	{ "123", "123", true, false },	   { "123", "124", false, false },
	{ "123", "123_4", true, false },   { "123", "123+1", true, false },
	{ "123", "123.0", true, false },   { "123_4", "123_4", true, true },
	{ "123_4", "123_5", false, true }, { "123_4", "123", false, true },
	{ "123_4", "123+4", false, true }, { "123+1", "123+1", true, true },
	{ "123+1", "123+0", false, true }, { "123+0", "123", false, true },
	{ "123.0", "123", true, false },   { "123.0", "123.0", true, false },
	{ "123.0", "123.1", false, false },
	{ "123_4.batch", "123_4.batch", true, true },
	{ "123_4.batch", "123_4.extern", false, true },
};

START_TEST(what_is_left_out_may_be_anything)
{
	struct sw_jobid wanted, id;

	ck_assert_int_eq(sw_jobid_parse(covers[_i].wanted, &wanted), 0);
	ck_assert_int_eq(sw_jobid_parse(covers[_i].id, &id), 0);
	ck_assert(sw_jobid_covers(&wanted, &id) == covers[_i].is_covered);
	ck_assert(sw_jobid_is_part(&wanted) == covers[_i].is_part);
}
END_TEST

static int compare(const void *a, const void *b)
{
	return sw_stepid_compare(*(const char *const *)a,
				 *(const char *const *)b);
}

START_TEST(steps_have_an_order)
{
	const char *steps[] = { "10", "extern", "2+1", "9", "batch", "2+0",
				"what", "2", "interactive", "" };
	static const char *const sorted[] = { "batch", "interactive", "2",
					      "2+0", "2+1", "9", "10", "",
					      "what", "extern" };
	size_t i, count = sizeof(steps) / sizeof(steps[0]);

	qsort(steps, count, sizeof(steps[0]), compare);
	for (i = 0; i < count; i++)
		ck_assert_str_eq(steps[i], sorted[i]);
	ck_assert_int_eq(sw_stepid_compare("7", "7"), 0);
	ck_assert_int_eq(sw_stepid_compare("batch", "batch"), 0);
}
END_TEST

START_TEST(a_component_has_a_number_in_a_row)
{
	struct sw_job_key key = SW_JOB_KEY_MISSING;
	struct sw_jobid id;

	key.job_id = 556;
	key.het_job_id = 555;
	key.het_component = 1;
	id = sw_job_key_id(&key);
	ck_assert_uint_eq(id.job, 555);
	ck_assert_uint_eq(id.het_component, 1);
	/* The user controls the environment, which may contain anything. */
	key.job_id = 600;
	id = sw_job_key_id(&key);
	ck_assert_uint_eq(id.job, 600);
	ck_assert_uint_eq(id.het_component, SW_MISSING);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("jobid");

	tcase_add_loop_test(tests, reads_and_writes, 0,
			    (int)(sizeof(good) / sizeof(good[0])));
	tcase_add_loop_test(tests, refuses, 0,
			    (int)(sizeof(bad) / sizeof(bad[0])));
	tcase_add_test(tests, cuts_to_the_buffer);
	tcase_add_loop_test(tests, jobs_have_an_order, 0,
			    (int)(sizeof(sorted_jobs) /
				  sizeof(sorted_jobs[0])));
	tcase_add_loop_test(tests, what_is_left_out_may_be_anything, 0,
			    (int)(sizeof(covers) / sizeof(covers[0])));
	tcase_add_test(tests, steps_have_an_order);
	tcase_add_test(tests, a_component_has_a_number_in_a_row);
	return run_tests("jobid", tests, NULL);
}
