/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interpretation of a record of one run, and of what it repeats. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/retries/lineage.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/retries/job_kit.h"

enum { OOM_SIGNAL = 125 };

static struct sw_job_record failed(uint64_t id, uint64_t submit, uint64_t ended)
{
	return kit_exit(kit_job(id, submit, ended, SW_JOB_FAILED), 3);
}

START_TEST(what_ran)
{
	struct sw_job_record job = failed(1, 0, 110);

	ck_assert(sw_attempt_is_one(&job));
	job.end_seconds = job.start_seconds;
	ck_assert(sw_attempt_is_one(&job));
	job.end_seconds = job.start_seconds - 1;
	ck_assert(!sw_attempt_is_one(&job));
	job.end_seconds = SW_MISSING;
	ck_assert(!sw_attempt_is_one(&job));
	job.start_seconds = SW_MISSING;
	ck_assert(!sw_attempt_is_one(&job));
	job.end_seconds = 110;
	ck_assert(!sw_attempt_is_one(&job));
	job = failed(1, 0, 110);
	job.is_rest_of_array = true;
	ck_assert(!sw_attempt_is_one(&job));
}
END_TEST

static struct sw_step_record step(const char *id, const char *name,
				  enum sw_job_state state, uint64_t ended)
{
	struct sw_step_record one = {
		.name = name,
		.end = { state, SW_MISSING, 1, 0 },
		.end_seconds = ended,
	};

	snprintf(one.id.step, sizeof(one.id.step), "%s", id);
	return one;
}

static const char *failed_step(struct sw_step_record first,
			       struct sw_step_record second)
{
	struct sw_step_record steps[] = { first, second };
	struct sw_job_record job = failed(1, 0, 110);
	const struct sw_step_record *found;

	job.steps = steps;
	job.step_count = 2;
	found = sw_record_failed_step(&job);
	return found ? found->name : "";
}

START_TEST(the_step_that_failed_first)
{
	const struct sw_step_record a = step("0", "a", SW_JOB_FAILED, 50);
	const struct sw_step_record b =
		step("1", "b", SW_JOB_OUT_OF_MEMORY, 40);
	const struct sw_step_record batch =
		step("batch", "batch", SW_JOB_FAILED, 50);

	ck_assert_str_eq(failed_step(a, b), "b");
	ck_assert_str_eq(failed_step(b, a), "b");
	/* The script returns a step's status, perhaps within a second. */
	ck_assert_str_eq(failed_step(a, batch), "a");
	ck_assert_str_eq(failed_step(batch, a), "a");
	ck_assert_str_eq(failed_step(step("0", "a", SW_JOB_COMPLETED, 30),
				     step("1", "b", SW_JOB_CANCELLED, 40)),
			 "");
	ck_assert_str_eq(
		failed_step(step("extern", "extern", SW_JOB_FAILED, 10), a),
		"a");
}
END_TEST

START_TEST(out_of_memory_by_record)
{
	struct sw_step_record killed = step("0", "a", SW_JOB_OUT_OF_MEMORY, 50);
	struct sw_step_record other = step("0", "a", SW_JOB_FAILED, 50);
	struct sw_job_record job = failed(1, 0, 110);

	ck_assert(!sw_job_record_is_out_of_memory(&job));
	job.steps = &other;
	job.step_count = 1;
	ck_assert(!sw_job_record_is_out_of_memory(&job));
	job.end.signal = OOM_SIGNAL;
	ck_assert(sw_job_record_is_out_of_memory(&job));
	/* The signal of a job that ended otherwise does not imply this. */
	job.end.state = SW_JOB_CANCELLED;
	ck_assert(!sw_job_record_is_out_of_memory(&job));
	job.steps = &killed;
	ck_assert(sw_job_record_is_out_of_memory(&job));
	/* Its script continued without the step. */
	job.end.state = SW_JOB_COMPLETED;
	ck_assert(!sw_job_record_is_out_of_memory(&job));
}
END_TEST

START_TEST(what_it_had)
{
	struct sw_job_record job = failed(1, 0, 110);

	ck_assert_uint_eq(sw_job_record_core_seconds(&job), 400);
	job.elapsed_seconds = SW_MISSING;
	ck_assert_uint_eq(sw_job_record_core_seconds(&job), 400);
	/* Nothing is known to be 0. */
	job.allocated.cpus = job.requested.cpus = SW_MISSING;
	job.elapsed_seconds = 0;
	ck_assert(sw_is_missing(sw_job_record_core_seconds(&job)));
	job.allocated.cpus = 0;
	job.elapsed_seconds = job.end_seconds = SW_MISSING;
	ck_assert(sw_is_missing(sw_job_record_core_seconds(&job)));
	job = failed(1, 0, 110);
	job.elapsed_seconds = job.start_seconds = SW_MISSING;
	ck_assert(sw_is_missing(sw_job_record_core_seconds(&job)));
	job.elapsed_seconds = 50;
	ck_assert_uint_eq(sw_job_record_core_seconds(&job), 200);
}
END_TEST

static void refuse_texts(const char *texts, size_t size)
{
	const struct sw_attempt_numbers numbers = { .job_id = 1 };

	errno = 0;
	ck_assert_ptr_null(sw_attempt_make(&numbers, texts, size));
	ck_assert_int_eq(errno, EINVAL);
}

/* Two texts, each with its end, and nothing after them. */
START_TEST(no_texts)
{
	const struct sw_attempt_numbers numbers = { .job_id = 1 };
	struct sw_attempt *attempt = sw_attempt_make(&numbers, "a\0b", 4);

	ck_assert_ptr_nonnull(attempt);
	ck_assert_str_eq(attempt->request, "a");
	ck_assert_str_eq(attempt->step, "b");
	free(attempt);
	refuse_texts("abc", 3);
	refuse_texts("a", 2);
	refuse_texts("a\0b", 3);
	refuse_texts("a\0b\0c", 5);
	refuse_texts("a\0b\0c", 6);
}
END_TEST

static int compare(const struct sw_attempt_numbers *a, const char *a_texts,
		   const struct sw_attempt_numbers *b, const char *b_texts)
{
	struct sw_attempt *one =
		sw_attempt_make(a, a_texts, strlen(a_texts) + 2);
	struct sw_attempt *two =
		sw_attempt_make(b, b_texts, strlen(b_texts) + 2);
	int order;

	ck_assert_ptr_nonnull(one);
	ck_assert_ptr_nonnull(two);
	order = sw_attempt_compare(one, two);
	free(one);
	free(two);
	return order;
}

/* By their numbers, and not by the bytes of these. */
START_TEST(order_of_attempts)
{
	static const struct sw_attempt_numbers rows[] = {
		{ .end_seconds = 255, .start_seconds = 9, .job_id = 9 },
		{ .end_seconds = 256, .start_seconds = 255, .job_id = 300 },
		{ .end_seconds = 256, .start_seconds = 256, .job_id = 255 },
		{ .end_seconds = 256, .start_seconds = 256, .job_id = 256 },
	};
	struct sw_attempt_numbers other = rows[3];
	size_t i;

	for (i = 0; i + 1 < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_int_lt(compare(&rows[i], "r\0", &rows[i + 1], "r\0"),
				 0);
	ck_assert_int_lt(compare(&rows[3], "z\0", &rows[3], "aa\0"), 0);
	ck_assert_int_lt(compare(&rows[3], "a\0", &rows[3], "b\0"), 0);
	other.is_crowded = 1;
	ck_assert_int_eq(compare(&rows[3], "r\0", &other, "r\0"), 0);
	other.cpus = 1;
	ck_assert_int_ne(compare(&rows[3], "r\0", &other, "r\0"), 0);
}
END_TEST

static void refuse_key(const char *key, size_t size)
{
	errno = 0;
	ck_assert_ptr_null(sw_lineage_new(key, size));
	ck_assert_int_eq(errno, EINVAL);
}

START_TEST(no_keys)
{
	static const char key[] = "c\0alice\0/x\0align\0\0";
	struct sw_lineage *lineage = sw_lineage_new(key, sizeof(key));

	ck_assert_ptr_nonnull(lineage);
	ck_assert_str_eq(sw_lineage_names(lineage).name, "align");
	sw_lineage_free(lineage);
	refuse_key(key, sizeof(key) - 1);
	refuse_key("c\0a\0f\0n\0c\0e\0x", 14);
	refuse_key("c\0a\0f\0n\0c\0\0x", 12);
	refuse_key("", 0);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("attempt");

	tcase_add_test(tcase, what_ran);
	tcase_add_test(tcase, the_step_that_failed_first);
	tcase_add_test(tcase, out_of_memory_by_record);
	tcase_add_test(tcase, what_it_had);
	tcase_add_test(tcase, no_texts);
	tcase_add_test(tcase, order_of_attempts);
	tcase_add_test(tcase, no_keys);
	return run_tests("attempt", tcase, NULL);
}
