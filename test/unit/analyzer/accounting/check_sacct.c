/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Valid and hostile output of sacct, and timeouts. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/accounting/sacct.h"
#include "common/text.h"
#include "test/run_tests.h"

static struct sw_acct acct;
static struct sw_error error;

#define JOB \
	"123|COMPLETED|0:0|1780000000|1780000100|100|60|8|2||4096M|05:20.500||" \
	"c1|alice|n[1-2]\n"
#define BATCH \
	"123.batch|COMPLETED|0:0|1780000000|1780000100|100||4|1|1||00:00.100|" \
	"2048K|c1||n1\n"
#define STEP(id) \
	"123." id "|FAILED|1:0|1780000010|1780000060|50||8|2|8||05:20.400|" \
	"1048576K|c1||n[1-2]\n"

/* Lines as they were asked for, with the last six fields empty. */
static char *whole_lines(const char *text)
{
	size_t size = 7 * strlen(text) + 1;
	char *made = calloc(size, 1);
	const char *end;

	ck_assert_ptr_nonnull(made);
	for (; (end = strchr(text, '\n')); text = end + 1)
		sw_text_add(made, size, "%.*s||||||\n", (int)(end - text),
			    text);
	sw_text_add(made, size, "%s", text);
	return made;
}

static int parse(const char *text, const char *id)
{
	struct sw_jobid jobid;
	char *copy = whole_lines(text);

	ck_assert_ptr_nonnull(copy);
	ck_assert_int_eq(sw_jobid_parse(id, &jobid), 0);
	errno = 0;
	return sw_acct_parse(&acct, copy, &jobid, &error);
}

START_TEST(reads_a_job_and_its_steps)
{
	const struct sw_job_record *row;

	ck_assert_int_eq(parse(JOB STEP("10") STEP("2") BATCH, "123"), 0);
	ck_assert_uint_eq(acct.count, 4);
	ck_assert_uint_eq(acct.skipped, 0);
	row = &acct.rows[0];
	ck_assert_str_eq(row->id.step, "");
	ck_assert_str_eq(row->end.text, "COMPLETED");
	ck_assert_str_eq(row->node_list, "n[1-2]");
	ck_assert_uint_eq(row->end.exit_code, 0);
	ck_assert_uint_eq(sw_record_end_signal(&row->end), SW_MISSING);
	ck_assert_uint_eq(row->limit_seconds, 3600);
	ck_assert_uint_eq(row->requested_bytes, (uint64_t)4 << 30);
	ck_assert_uint_eq(row->used.cpu_usec, 320500000);
	ck_assert_uint_eq(row->task_count, SW_MISSING);
	ck_assert_uint_eq(row->used.task_rss_bytes, SW_MISSING);
	ck_assert_str_eq(acct.rows[1].id.step, "batch");
	ck_assert_str_eq(acct.rows[2].id.step, "2");
	ck_assert_str_eq(acct.rows[3].id.step, "10");
	ck_assert_uint_eq(acct.rows[3].end.exit_code, 1);
	ck_assert_uint_eq(acct.rows[3].used.task_rss_bytes, (uint64_t)1 << 30);
	sw_acct_fini(&acct);
}
END_TEST

/* 125 is Slurm's mark of an OOM kill (SIG_OOM), not a signal. */
START_TEST(marks_are_no_signals)
{
	ck_assert_int_eq(parse("123|OUT_OF_MEMORY|0:125|1|2|1||1|1||||||u|n\n",
			       "123"), 0);
	ck_assert_uint_eq(sw_record_end_signal(&acct.rows[0].end), SW_MISSING);
	ck_assert_uint_eq(acct.rows[0].end.exit_code, 0);
	sw_acct_fini(&acct);
	ck_assert_int_eq(parse("123|CANCELLED by 5|0:15|1|2|1||1|1||||||u|n\n",
			       "123"), 0);
	ck_assert_uint_eq(sw_record_end_signal(&acct.rows[0].end), 15);
	sw_acct_fini(&acct);
}
END_TEST

/* Two runs of 123 and one of another job, as printed with --duplicates. */
START_TEST(finds_the_run)
{
	static const char runs[] =
		"123|NODE_FAIL|0:0|1000|1100|100||1|1||||||u|n\n"
		"123.batch|CANCELLED|0:15|1000|1100|100||1|1|||||c1|u|n\n"
		"123_7|FAILED|1:0|1000|1100|100||1|1|||||c1|u|n\n"
		"123|TIMEOUT|0:0|1150|1250|100||1|1|||||c1|u|n\n"
		"123.batch|CANCELLED|0:15|1150|1250|100||1|1|||||c1|u|n\n"
		"123.0|COMPLETED|0:0|1150|1250|100||1|1|||||c1|u|n\n"
		"124|RUNNING|0:0|1150|Unknown|100||1|1|||||c1|u|n\n";
	static const struct {
		const char *id, *cluster;
		uint64_t seconds;
		const char *state;
	} rows[] = {
		{ "123", "c1", 1050, "NODE_FAIL" },
		{ "123", "c1", 1200, "TIMEOUT" },
		{ "123", "", 1200, "TIMEOUT" },
		{ "123", "c1", SW_MISSING, "TIMEOUT" },
		{ "123", "c1", 900000, NULL },
		{ "123", "c2", 1200, NULL },
		{ "123_7", "c1", 1050, "FAILED" },
		{ "123_8", "c1", 1050, NULL },
		{ "124", "c1", 900000, "RUNNING" },
		{ "125", "c1", 1050, NULL },
	};
	const struct sw_job_record *row;
	struct sw_jobid id;
	char *copy = whole_lines(runs);
	size_t i;

	ck_assert_int_eq(sw_acct_parse_runs(&acct, copy, &error), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_int_eq(sw_jobid_parse(rows[i].id, &id), 0);
		row = sw_acct_find(&acct, &id, rows[i].cluster,
				   rows[i].seconds);
		ck_assert_msg(row ? rows[i].state && !strcmp(row->end.text,
							     rows[i].state) :
				    !rows[i].state, "row %zu: %s", i,
			      row ? row->end.text : "none");
	}
	ck_assert(!sw_acct_is_final(row = &acct.rows[6]));
	ck_assert(sw_acct_is_final(&acct.rows[0]));
	ck_assert_ptr_null(sw_acct_find_step(&acct, &acct.rows[0], "0"));
	row = sw_acct_find_step(&acct, &acct.rows[3], "0");
	ck_assert_ptr_eq(row, &acct.rows[5]);
	sw_acct_fini(&acct);
}
END_TEST

START_TEST(one_step_is_enough)
{
	ck_assert_int_eq(parse(JOB BATCH STEP("0"), "123.batch"), 0);
	ck_assert_uint_eq(acct.count, 2);
	sw_acct_fini(&acct);
	ck_assert_int_eq(parse(JOB BATCH STEP("0"), "123.7"), -1);
	ck_assert_int_eq(errno, ESRCH);
}
END_TEST

/* Contents of each number's field, and values that stay missing. */
START_TEST(numbers)
{
	static const struct {
		const char *cpu, *memory;
		uint64_t usec, bytes;
		bool is_of_cpu;
	} rows[] = {
		{ "1-02:03:04", "4Gn", 93784000000, (uint64_t)4 << 30, false },
		{ "02:03:04", "2000Mc", 7384000000, (uint64_t)2000 << 20,
		  true },
		{ "00:00.001", "1.50G", 1000, (uint64_t)1536 << 20, false },
		{ "00:00:00", "0", SW_MISSING, SW_MISSING, false },
		{ "", "", SW_MISSING, SW_MISSING, false },
		{ "INVALID", "?", SW_MISSING, SW_MISSING, false },
		{ "-1:00", "-4G", SW_MISSING, SW_MISSING, false },
		{ "1:2:3:4", "4GG", SW_MISSING, SW_MISSING, false },
		{ "1-2-3:00", "4G ", SW_MISSING, SW_MISSING, false },
		{ "nan", "nan", SW_MISSING, SW_MISSING, false },
		{ "::", "inf", SW_MISSING, SW_MISSING, false },
		{ "99999999999999999999:00", "99999999999P", SW_MISSING,
		  SW_MISSING, false },
	};
	char text[512];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "123|X|0:0|Unknown|None|99999|"
			 "UNLIMITED|1|1|1|%s|%s||c|u|n\n", rows[i].memory,
			 rows[i].cpu);
		ck_assert_int_eq(parse(text, "123"), 0);
		ck_assert_msg(acct.rows[0].used.cpu_usec == rows[i].usec,
			      "%s: %llu", rows[i].cpu, (unsigned long long)
			      acct.rows[0].used.cpu_usec);
		ck_assert_msg(acct.rows[0].requested_bytes == rows[i].bytes,
			      "%s", rows[i].memory);
		ck_assert_int_eq(acct.rows[0].requested_of ==
				 SW_ACCT_OF_CPU, rows[i].is_of_cpu);
		ck_assert_uint_eq(acct.rows[0].start_seconds, SW_MISSING);
		ck_assert_uint_eq(acct.rows[0].limit_seconds, SW_MISSING);
		sw_acct_fini(&acct);
	}
}
END_TEST

START_TEST(other_lines_are_left_out)
{
	ck_assert_int_eq(parse(
		"sacct: some warning\n"
		"124|COMPLETED|0:0|1|2|1||1|1||||||u|n\n"
		"123|short\n"
		"123|too|many|a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p\n"
		"123_[5-10%2]|PENDING|0:0|||0||1|1||||||u|n\n"
		"\x1b[2J|X|0:0|||0||1|1||||||u|n\n" JOB, "123"), 0);
	ck_assert_uint_eq(acct.count, 1);
	ck_assert_uint_eq(acct.skipped, 6);
	sw_acct_fini(&acct);
}
END_TEST

START_TEST(several_jobs_have_to_be_told_apart)
{
	static const char text[] =
		"123_1|COMPLETED|0:0|1|2|1||1|1||||||u|n\n"
		"123_2|FAILED|1:0|1|2|1||1|1||||||u|n\n"
		"123_2.batch|FAILED|1:0|1|2|1||1|1||||||u|n\n";

	ck_assert_int_eq(parse(text, "123"), -1);
	ck_assert_int_eq(errno, ENOTUNIQ);
	ck_assert_ptr_nonnull(strstr(error.text, "\"123_1\""));
	ck_assert_int_eq(parse(text, "123_2"), 0);
	ck_assert_uint_eq(acct.count, 2);
	sw_acct_fini(&acct);
	ck_assert_int_eq(parse("", "123"), -1);
	ck_assert_int_eq(errno, ESRCH);
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_test(tcase, reads_a_job_and_its_steps);
	tcase_add_test(tcase, marks_are_no_signals);
	tcase_add_test(tcase, finds_the_run);
	tcase_add_test(tcase, one_step_is_enough);
	tcase_add_test(tcase, numbers);
	tcase_add_test(tcase, other_lines_are_left_out);
	tcase_add_test(tcase, several_jobs_have_to_be_told_apart);
}

int main(void)
{
	TCase *tcase = tcase_create("output");

	add_tests(tcase);
	return run_tests("sacct", tcase, NULL);
}
