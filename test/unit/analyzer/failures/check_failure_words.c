/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts about failures and retries, for people and in JSON. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/failures/failure_words.h"
#include "analyzer/print/json.h"
#include "common/units.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/retries/job_kit.h"

static char text[SW_FAILURE_WORDS_SIZE];

static struct sw_failure_row row_of(enum sw_failure_class class)
{
	return (struct sw_failure_row){
		.cluster = "c",
		.group = "align",
		.user = "alice",
		.users = 1,
		.program = "",
		.message = "",
		.class = class,
		.exit_code = 3,
		.signal = 11,
		.count = 7,
		.group_jobs = 60,
		.core_seconds = 7200,
		.mib_seconds = 2048,
		.example_job_id = 12,
		.first_end_seconds = 1,
		.last_end_seconds = 2,
	};
}

START_TEST(causes)
{
	static const struct {
		enum sw_failure_class class;
		const char *words;
	} cases[] = {
		{ SW_FAILURE_EXIT, "ended with exit code 3" },
		{ SW_FAILURE_NOT_FOUND,
		  "ended with exit code 127 (a program was not found)" },
		{ SW_FAILURE_NOT_EXECUTABLE,
		  "ended with exit code 126 (a program could not be "
		  "executed)" },
		{ SW_FAILURE_SIGNAL, "was killed by SIGSEGV" },
		{ SW_FAILURE_OUT_OF_MEMORY, "ran out of memory" },
		{ SW_FAILURE_TIME_LIMIT, "hit the time limit" },
		{ SW_FAILURE_NODE, "ended when the node failed" },
	};
	struct sw_failure_row row;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		row = row_of(cases[i].class);
		ck_assert_str_eq(
			sw_failure_cause_words(text, sizeof(text), &row),
			cases[i].words);
	}
}
END_TEST

START_TEST(a_row)
{
	struct sw_failure_row row = row_of(SW_FAILURE_EXIT);

	ck_assert_str_eq(sw_failure_words(text, sizeof(text), &row),
			 "7 of 60 jobs of align of alice ended with exit "
			 "code 3.");
	row.user = NULL;
	row.users = 3;
	row.program = "STAR";
	row.message = "no space left on device";
	row.node = (struct sw_failure_node){
		.name = "n17",
		.failures = 7,
		.jobs = 9,
		.other_jobs = 51,
		.chance = 0.0001,
	};
	ck_assert_str_eq(sw_failure_words(text, sizeof(text), &row),
			 "7 of 60 jobs of align of 3 users: STAR ended with "
			 "exit code 3: no space left on device, on node n17 "
			 "only (7 of 9 there, 0 of 51 on other nodes; the "
			 "chance of that is 1 in 10,000).");
	row.count = 8;
	row.node.other_failures = 1;
	row.node.chance = 1e-12;
	ck_assert_ptr_nonnull(strstr(sw_failure_words(text, sizeof(text), &row),
				     ", mostly on node n17 (7 of 9 there, 1 "
				     "of 51 on other nodes; the chance of "
				     "that is less than 1 in 1.00 million)."));
}
END_TEST

static struct sw_retries retries;

static void add(struct sw_job_record job)
{
	ck_assert_int_eq(sw_retries_add(&retries, &job), 0);
}

static void words_of_chain(void)
{
	struct sw_retry_chains chains;

	ck_assert_int_eq(sw_retries_chains(&retries, 100000, &chains), 0);
	ck_assert_uint_eq(chains.count, 1);
	sw_retry_words(text, sizeof(text), &chains.items[0]);
	sw_retry_chains_fini(&chains);
}

static void begin(void)
{
	sw_retries_init(&retries, NULL);
}

static void end(void)
{
	sw_retries_fini(&retries);
}

static void plant_memory(void)
{
	add(kit_with_gib(kit_job(1, 0, 1010, SW_JOB_OUT_OF_MEMORY), 4));
	add(kit_with_gib(kit_job(2, 1500, 2510, SW_JOB_OUT_OF_MEMORY), 8));
	add(kit_with_gib(kit_job(3, 3000, 4010, SW_JOB_COMPLETED), 16));
}

START_TEST(memory)
{
	plant_memory();
	words_of_chain();
	ck_assert_str_eq(text,
			 "align of alice ran out of memory with 4.0 GiB, "
			 "8.0 GiB, and completed with 16.0 GiB (jobs 1, 2, 3). "
			 "The runs that did not complete had 2.22 core-hours "
			 "and 3.33 GiB-hours.");
}
END_TEST

START_TEST(repeats)
{
	add(kit_exit(kit_job(1, 0, 110, SW_JOB_FAILED), 3));
	add(kit_exit(kit_job(2, 115, 225, SW_JOB_FAILED), 3));
	add(kit_exit(kit_job(3, 230, 340, SW_JOB_FAILED), 3));
	words_of_chain();
	ck_assert_str_eq(text,
			 "align of alice ended with exit code 3, and 2 "
			 "more times with the same request, and has not "
			 "completed yet (jobs 1, 2, 3). The runs that did not "
			 "complete had 0.333 core-hours and 0.333 GiB-hours.");
}
END_TEST

START_TEST(requeues)
{
	struct sw_job_record job = kit_job(1, 0, 3000, SW_JOB_COMPLETED);

	job.start_seconds = 1500;
	add(kit_element(kit_job(1, 0, 1010, SW_JOB_NODE_FAIL), 1, 5));
	add(kit_element(job, 1, 5));
	words_of_chain();
	ck_assert_str_eq(text,
			 "align, element 5 of alice was requeued 1 time, "
			 "and completed (job 1). The runs that did not "
			 "complete had 1.11 core-hours and 1.11 GiB-hours.");
}
END_TEST

static void ck_assert_json(struct json_object *object, const char *wanted)
{
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	sw_json_print_line(out, object);
	fclose(out);
	ck_assert_str_eq(printed, wanted);
	free(printed);
}

START_TEST(json_of_a_row)
{
	struct json_object *object = sw_json_new();
	struct sw_failure_row row = row_of(SW_FAILURE_EXIT);

	row.node = (struct sw_failure_node){
		.name = "n17",
		.failures = 7,
		.jobs = 9,
		.other_jobs = 51,
		.chance = 0.5,
	};
	sw_failure_json(object, &row);
	ck_assert_json(object, "{\"cluster\":\"c\",\"group\":\"align\","
		       "\"user\":\"alice\",\"users\":1,"
			       "\"cause\":\"exit\",\"exit_code\":3,\"jobs\":7,"
			       "\"of_jobs\":60,\"core_seconds\":7200,"
			       "\"gib_seconds\":2,\"example_job_id\":12,"
			       "\"first_end\":1,\"last_end\":2,\"node\":{"
			       "\"name\":\"n17\",\"failures\":7,\"jobs\":9,"
			       "\"other_failures\":0,\"other_jobs\":51,"
			       "\"chance\":0.5}}\n");
}
END_TEST

START_TEST(json_of_a_chain)
{
	struct json_object *object = sw_json_new();
	struct sw_retry_chains chains;

	add(kit_with_gib(kit_job(1, 0, 1010, SW_JOB_OUT_OF_MEMORY), 4));
	add(kit_with_gib(kit_job(2, 1500, 2510, SW_JOB_COMPLETED), 8));
	ck_assert_int_eq(sw_retries_chains(&retries, 100000, &chains), 0);
	sw_retry_json(object, &chains.items[0]);
	sw_retry_chains_fini(&chains);
	ck_assert_json(object,
		       "{\"cluster\":\"c\",\"user\":\"alice\","
		       "\"name\":\"align\",\"folder\":\"/home/alice\","
		       "\"outcome\":\"completed\",\"requeued\":0,"
		       "\"more_memory\":1,\"more_time\":0,\"repeated\":0,"
		       "\"lost\":{\"core_seconds\":4000,"
		       "\"gib_seconds\":4000},"
		       "\"enough_memory_bytes\":8589934592,\"attempts\":["
		       "{\"job_id\":1,\"start\":10,\"end\":1010,"
		       "\"state\":\"OUT_OF_MEMORY\",\"exit_code\":0,"
		       "\"signal\":0,\"memory_bytes\":4294967296,"
		       "\"limit_seconds\":36000},"
		       "{\"job_id\":2,\"start\":1510,\"end\":2510,"
		       "\"state\":\"COMPLETED\",\"exit_code\":0,"
		       "\"signal\":0,\"memory_bytes\":8589934592,"
		       "\"limit_seconds\":36000}]}\n");
}
END_TEST

/* However long the names are. */
START_TEST(long_names)
{
	static char name[4000];
	struct sw_failure_row row = row_of(SW_FAILURE_EXIT);
	struct sw_job_record job;

	memset(name, 'x', sizeof(name) - 1);
	row.group = row.user = row.program = row.message = name;
	ck_assert_uint_lt(strlen(sw_failure_words(text, sizeof(text), &row)),
			  sizeof(text));
	job = kit_with_gib(kit_job(1, 0, 1010, SW_JOB_OUT_OF_MEMORY), 4);
	job.name = job.user = name;
	add(job);
	job = kit_with_gib(kit_job(2, 1500, 2510, SW_JOB_COMPLETED), 8);
	job.name = job.user = name;
	add(job);
	words_of_chain();
	ck_assert_ptr_nonnull(strstr(text, "completed with 8.0 GiB"));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("failure_words");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, causes);
	tcase_add_test(tcase, a_row);
	tcase_add_test(tcase, memory);
	tcase_add_test(tcase, repeats);
	tcase_add_test(tcase, requeues);
	tcase_add_test(tcase, json_of_a_row);
	tcase_add_test(tcase, json_of_a_chain);
	tcase_add_test(tcase, long_names);
	return run_tests("failure_words", tcase, NULL);
}
