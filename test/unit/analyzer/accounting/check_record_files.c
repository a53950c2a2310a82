/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of sacct's: which field is where, and which line is whose.  The lines are constructed after sacct(1) of
 * 22.05 and 24.11; none was recorded from a slurmdbd.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/accounting/record_lines.h"
#include "test/run_tests.h"

static struct sw_record_fields fields;
static const char *field[SW_RECORD_FIELDS];
static char header[2000], line[2000];

static const char *read_header(const char *text)
{
	snprintf(header, sizeof(header), "%s", text);
	return sw_record_fields_of_header(&fields, header);
}

/* 0, or -1: it is no line of such. */
static int split(const char *text)
{
	struct sw_record_lines lines = {
		.next = line, .delimiter = fields.delimiter,
		.fields = &fields,
	};

	snprintf(line, sizeof(line), "%s", text);
	return sw_record_lines_next(&lines, field) > 0 ? 0 : -1;
}

START_TEST(fields_are_found_by_the_header)
{
	ck_assert_ptr_null(read_header("jobidraw|JobID|STATE|Account|NCPUS|"
				       "elapsed"));
	ck_assert_uint_eq(fields.count, 6);
	ck_assert(fields.has[SW_RECORD_ID]);
	ck_assert(!fields.has[SW_RECORD_NAME]);
	ck_assert_int_eq(split("7|5_2|CANCELLED by 1000||8|"), 0);
	ck_assert_str_eq(field[SW_RECORD_ID], "5_2");
	ck_assert_str_eq(field[SW_RECORD_STATE], "CANCELLED by 1000");
	ck_assert_str_eq(field[SW_RECORD_ALLOC_CPUS], "8");
	ck_assert_str_eq(field[SW_RECORD_NAME], "");
}
END_TEST

START_TEST(a_control_character_separates)
{
	ck_assert_ptr_null(read_header("JobID\037State\037Elapsed\037JobName"));
	ck_assert_int_eq(split("5\037FAILED\0371\037a|b"), 0);
	ck_assert_str_eq(field[SW_RECORD_STATE], "FAILED");
	ck_assert_str_eq(field[SW_RECORD_NAME], "a|b");
	ck_assert_int_eq(split("5|FAILED|1|a"), -1);
	/* Behind a "|" such a character is no separator. */
	read_header("JobID|State\037");
	ck_assert_str_eq(fields.delimiter, "|");
	/* What tables of others have, where the names are sacct's. */
	ck_assert_ptr_nonnull(read_header("jobid\tstate"));
	ck_assert_ptr_null(read_header("jobid,state,elapsed"));
	ck_assert_int_eq(split("5,FAILED,1"), 0);
	ck_assert_ptr_null(read_header("jobid\tstate\telapsed"));
}
END_TEST

START_TEST(a_text_at_the_end_may_hold_anything)
{
	read_header("JobID|State|Elapsed|JobName");
	ck_assert_int_eq(split("5|FAILED|1|a|b||"), 0);
	ck_assert_str_eq(field[SW_RECORD_NAME], "a|b||");
	ck_assert_int_eq(split("5|FAILED|1|"), 0);
	ck_assert_str_eq(field[SW_RECORD_NAME], "");
	ck_assert_int_eq(split("rest of a name"), -1);
	ck_assert_int_eq(split("5|FAILED|1|a\nb\rc"), 0);
	ck_assert_str_eq(field[SW_RECORD_NAME], "a\nb\rc");
}
END_TEST

/* It cannot be told which of the two the separator is of. */
START_TEST(elsewhere_a_separator_is_refused)
{
	static const char *const headers[] = {
		"Elapsed|JobID|JobName|State", "JobName|JobID|State|Comment",
		"JobID|Constraints|Elapsed|JobName",
		"Elapsed|JobID|State|Constraints",
		"JobID|State|Elapsed|JobName|",
	};
	size_t i;

	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		read_header(headers[i]);
		ck_assert_int_eq(split("5|a|b|c|d|e"), -1);
		ck_assert_int_eq(split("5|a"), -1);
	}
	ck_assert_int_eq(split("5|FAILED|1|a|"), 0);
	ck_assert_str_eq(field[SW_RECORD_NAME], "a");
}
END_TEST

START_TEST(columns_are_limited)
{
	static const char too_many[] = "more columns than sacct has";

	memset(header, '|', SW_RECORD_COLUMNS_MAX);
	header[SW_RECORD_COLUMNS_MAX - 1] = '\0';
	ck_assert_str_ne(sw_record_fields_of_header(&fields, header), too_many);
	memset(header, '|', SW_RECORD_COLUMNS_MAX);
	header[SW_RECORD_COLUMNS_MAX] = '\0';
	ck_assert_str_eq(sw_record_fields_of_header(&fields, header), too_many);
	ck_assert_ptr_nonnull(read_header(""));
}
END_TEST

/* A file that went through another system. */
START_TEST(marks_and_returns_are_of_no_field)
{
	ck_assert_ptr_null(read_header("\xef\xbb\xbfJobIDRaw|State|ElapsedRaw|"
				       "User\r"));
	ck_assert_int_eq(split("\r\n7|COMPLETED|60|alice\r\n"), 0);
	ck_assert_str_eq(field[SW_RECORD_RAW_ID], "7");
	ck_assert_str_eq(field[SW_RECORD_USER], "alice");
	ck_assert_ptr_null(read_header("JobID|State|Elapsed|JobName"));
	ck_assert_int_eq(split("7|COMPLETED|60|a\r\n"), 0);
	ck_assert_str_eq(field[SW_RECORD_NAME], "a\r");
}
END_TEST

START_TEST(a_line_is_no_header)
{
	ck_assert(sw_record_is_without_header("5|FAILED|1:0|00:10:00"));
	ck_assert(sw_record_is_without_header("5_3|CANCELLED by 7|0:0"));
	ck_assert(!sw_record_is_without_header("JobID|State|Elapsed"));
	ck_assert(!sw_record_is_without_header("5,bwa,12.5"));
	ck_assert(!sw_record_is_without_header("5"));
}
END_TEST

/* A text is cut where a job begins, and not in the midst of one's steps. */
START_TEST(a_text_is_cut_between_jobs)
{
	static const char two[] =
		"1|COMPLETED|60|a\n1.batch|COMPLETED|60|batch\n"
		"2|COMPLETED|60|b\nof two lines\n2.0|COMPLETED|6";
	struct sw_record_lines lines = {
		.next = line, .delimiter = fields.delimiter,
		.fields = &fields,
	};

	ck_assert_ptr_null(read_header("JobID|State|Elapsed|JobName"));
	snprintf(line, sizeof(line), "%s", two);
	ck_assert_ptr_eq(sw_record_lines_cut(&lines), strstr(line, "2|"));
	lines.next = strstr(line, "2|");
	ck_assert_ptr_null(sw_record_lines_cut(&lines));
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
	tcase_add_test(tcase, marks_and_returns_are_of_no_field);
	tcase_add_test(tcase, a_line_is_no_header);
	tcase_add_test(tcase, a_text_is_cut_between_jobs);
	return run_tests("record_files", tcase, NULL);
}
