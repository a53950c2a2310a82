/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which field of sacct's is where.  The lines are constructed after sacct(1) of
 * 22.05 and 24.11; none was recorded from a slurmdbd.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/sacct/sacct_columns.h"
#include "test/run_tests.h"

static struct sw_sacct_columns columns;
static const char *field[SW_SACCT_FIELDS];
static char header[2000], line[2000];

static void read_header(const char *text)
{
	snprintf(header, sizeof(header), "%s", text);
	ck_assert_int_eq(sw_sacct_columns_read(&columns, header), 0);
}

static int split(const char *text)
{
	snprintf(line, sizeof(line), "%s", text);
	return sw_sacct_columns_split(&columns, line, field);
}

START_TEST(fields_are_found_by_the_header)
{
	read_header("jobidraw|JobID|STATE|Account|NCPUS");
	ck_assert_uint_eq(columns.count, 5);
	ck_assert(columns.has[SW_SACCT_JOB_ID]);
	ck_assert(!columns.has[SW_SACCT_JOB_NAME]);
	ck_assert_int_eq(split("7|5_2|CANCELLED by 1000||8"), 0);
	ck_assert_str_eq(field[SW_SACCT_JOB_ID], "5_2");
	ck_assert_str_eq(field[SW_SACCT_STATE], "CANCELLED by 1000");
	ck_assert_str_eq(field[SW_SACCT_CPUS], "8");
	ck_assert_str_eq(field[SW_SACCT_JOB_NAME], "");
}
END_TEST

START_TEST(a_control_character_separates)
{
	read_header("JobID\037State\037JobName");
	ck_assert_int_eq(split("5\037FAILED\037a|b"), 0);
	ck_assert_str_eq(field[SW_SACCT_STATE], "FAILED");
	ck_assert_str_eq(field[SW_SACCT_JOB_NAME], "a|b");
	ck_assert_int_eq(split("5|FAILED|a"), -1);
	/* Behind a "|" such a character is no separator. */
	ck_assert_int_eq(sw_sacct_separator("JobID|State\037"), '|');
	ck_assert_int_eq(sw_sacct_separator("jobid\tstate"), '\0');
	ck_assert_int_eq(sw_sacct_separator(""), '\0');
}
END_TEST

START_TEST(a_text_at_the_end_may_hold_anything)
{
	read_header("JobID|State|JobName");
	ck_assert_int_eq(split("5|FAILED|a|b||"), 0);
	ck_assert_str_eq(field[SW_SACCT_JOB_NAME], "a|b||");
	ck_assert_int_eq(split("5|FAILED|"), 0);
	ck_assert_str_eq(field[SW_SACCT_JOB_NAME], "");
	ck_assert_int_eq(split("rest of a name"), -1);
}
END_TEST

/* It cannot be told which of the two the separator is of. */
START_TEST(elsewhere_a_separator_is_refused)
{
	static const char *const headers[] = {
		"JobID|JobName|State", "JobName|JobID|Comment",
		"JobID|Constraints|JobName", "JobID|State|Constraints",
		"JobID|State|JobName|",
	};
	size_t i;

	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		read_header(headers[i]);
		ck_assert_int_eq(split("5|a|b|c|d"), -1);
		ck_assert_int_eq(split("5|a"), -1);
	}
	ck_assert_int_eq(split("5|FAILED|a|"), 0);
	ck_assert_str_eq(field[SW_SACCT_JOB_NAME], "a");
}
END_TEST

START_TEST(columns_are_limited)
{
	memset(header, '|', SW_SACCT_COLUMNS_MAX);
	header[SW_SACCT_COLUMNS_MAX - 1] = '\0';
	ck_assert_int_eq(sw_sacct_columns_read(&columns, header), 0);
	memset(header, '|', SW_SACCT_COLUMNS_MAX);
	header[SW_SACCT_COLUMNS_MAX] = '\0';
	ck_assert_int_eq(sw_sacct_columns_read(&columns, header), -1);
	read_header("");
	ck_assert_int_eq(split(""), 0);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("lines");

	tcase_add_test(tcase, fields_are_found_by_the_header);
	tcase_add_test(tcase, a_control_character_separates);
	tcase_add_test(tcase, a_text_at_the_end_may_hold_anything);
	tcase_add_test(tcase, elsewhere_a_separator_is_refused);
	tcase_add_test(tcase, columns_are_limited);
	return run_tests("sacct_columns", tcase, NULL);
}
