/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text form of profiles: its short forms, and what is refused where. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profiles/reader.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

#define PLAIN \
	"table series.cpu step cgroup.v2\ncolumn time_usec usec time\n" \
	"column step - key\ncolumn usage_usec usec counter\n"
#define SHORT \
	"table series.cpu step cgroup.v2\ncolumns time_usec step usage_usec\n"
#define TEXTS \
	"table events step recorder\ncolumn step - key\n" \
	"column detail - text\n"

static char text_path[] = "/tmp/check_text_profile.XXXXXX";
static char other_path[sizeof(text_path) + 8];
static struct sw_error error;

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

/* Without its short forms, the text is this one. */
static void check_plain(const char *text, const char *expected)
{
	char *plain = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&plain, &size);

	ck_assert_ptr_nonnull(out);
	put(text_path, text);
	ck_assert_msg(text_profile_print(text_path, out, &error) == 0, "%s",
		      error.text);
	fclose(out);
	ck_assert_str_eq(plain, expected);
	free(plain);
}

START_TEST(columns_are_those_of_the_recorder)
{
	check_plain(SHORT, PLAIN);
	check_plain("table steps step recorder\n"
		    "columns requested_cpus_milli backend # comment\n"
		    "column other - state\ncolumns step\n",
		    "table steps step recorder\n"
		    "column requested_cpus_milli cpu/1000 gauge\n"
		    "column backend - text\ncolumn other - state\n"
		    "column step - key\n");
	/* "step" is a key in series, and what the manual page says elsewhere. */
	check_plain("table programs program bpf\ncolumns step\n",
		    "table programs program bpf\ncolumn step - state\n");
}
END_TEST

START_TEST(rows_in_steps)
{
	check_plain(SHORT "rows 3 1000+10 7 50-25\nrow 1 2 3\nrows 1 5+9 - 0\n",
		    PLAIN "row 1000 7 50\nrow 1010 7 25\nrow 1020 7 0\n"
		    "row 1 2 3\nrow 5 - 0\n");
	/* The largest number. */
	check_plain(SHORT "rows 2 0 0 18446744073709551614+1\n",
		    PLAIN "row 0 0 18446744073709551614\n"
		    "row 0 0 18446744073709551615\n");
}
END_TEST

START_TEST(rows_alternate)
{
	check_plain(SHORT "rows 2 0+5 1 0\nand 1+5 2 9-1\nand 2+5 3 -\n"
		    "rows 2 20+1 1 1\n",
		    PLAIN "row 0 1 0\nrow 1 2 9\nrow 2 3 -\n"
		    "row 5 1 0\nrow 6 2 8\nrow 7 3 -\n"
		    "row 20 1 1\nrow 21 1 1\n");
}
END_TEST

START_TEST(texts_have_no_steps)
{
	check_plain(TEXTS "rows 2 0+1 \"0-3\"\nrows 1 5 r0-3\nrow 6 0-3\n",
		    TEXTS "row 0 \"0-3\"\nrow 1 \"0-3\"\nrow 5 r0-3\n"
		    "row 6 0-3\n");
	check_plain(TEXTS "rows 2 0 rank.0+1\nrows 1 0 0+1x\n",
		    TEXTS "row 0 rank.0+1\nrow 0 rank.0+1\nrow 0 0+1x\n");
	check_plain(TEXTS "rows 2 0 1+1\n", TEXTS "row 0 1\nrow 0 2\n");
	/* As read again. */
	check_plain(TEXTS "row 0 \"a \\\"b\\\" \\\\ \\n \\x1b\"\nrow 0 \"-\"\n",
		    TEXTS "row 0 \"a \\x22b\\x22 \\x5c \\x0a \x1b\"\n"
		    "row 0 \"-\"\n");
}
END_TEST

START_TEST(rows_end_with_their_file)
{
	const char *name = strrchr(other_path, '/') + 1;
	char text[256];

	put(other_path, SHORT "rows 2 1+1 0 0");
	snprintf(text, sizeof(text), "include %s\nrow 5 0 0\n", name);
	check_plain(text, PLAIN "row 1 0 0\nrow 2 0 0\nrow 5 0 0\n");
}
END_TEST

START_TEST(profile_has_all_rows)
{
	struct sw_reader *reader;

	put(text_path, SHORT "rows 300 1000+10 0 0+7\nand 1005+10 1 0\n");
	ck_assert_msg(text_profile_write(text_path, other_path, true,
					 &error) == 0, "%s", error.text);
	reader = sw_reader_open(other_path, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_uint_eq(sw_reader_find(reader, "series.cpu")->row_count, 600);
	sw_reader_close(reader);
}
END_TEST

static const struct {
	const char *text, *expected;	/* "LINE: what" */
} wrongs[] = {
	{ SHORT "rows\n", "3: expected: rows COUNT" },
	{ SHORT "rows 0 1 2 3\n", "3: expected: rows COUNT" },
	{ SHORT "rows -1 1 2 3\n", "3: expected: rows COUNT" },
	{ SHORT "rows 2x 1 2 3\n", "3: expected: rows COUNT" },
	{ SHORT "rows 1000001 1 2 3\n", "3: expected: rows COUNT" },
	{ SHORT "rows 2 1+1 2\n\n\n", "3: expected: row, one value" },
	{ SHORT "row 0 0 0\nrows 2 1 2 3\nand 2 3\n", "5: expected: row, one" },
	{ SHORT "rows 2 1 2 3\nand\n", "4: expected: row, one value" },
	{ SHORT "rows 3 0 0 1-1\nrow 0 0 0\n", "3: a step leads below 0" },
	{ SHORT "rows 2 0 0 18446744073709551615+1\n", "3: a step leads" },
	{ SHORT "rows 3 0 0 0+18446744073709551615\n", "3: a step leads" },
	{ SHORT "rows 2 0 0 0\nand 0+1 1+1 99999999999999999999+1\n",
	  "4: a step leads" },
	{ SHORT "rows 2 0+1 0 0+\n", "3: not a number" },
	{ SHORT "rows 2 0+1 0 0+1+1\n", "3: not a number" },
	{ SHORT "row 0+1 0 0\n", "3: not a number" },
	{ SHORT "rows 2 0+1 0 \"0\n", "3: bad quotes" },
	{ SHORT "and 1 2 3\n", "3: expected include, table" },
	{ SHORT "row 1 2 3\nand 1 2 3\n", "4: expected include, table" },
	{ SHORT "rows 2 1 2 3\n# comment\nand 1 2 3\n", "5: expected include" },
	{ SHORT "columns usage\n", "3: the recorder writes no usage in" },
	{ SHORT "columns\n", "3: expected: columns NAME" },
	{ SHORT "rows 2 1 2 3\ncolumns user_usec\n", "4: expected: column" },
	{ "columns step\n", "1: the recorder writes no step in" },
	{ "rows 2 1 2 3\n", "1: expected: row, one value" },
};

START_TEST(is_refused)
{
	const char *expected = wrongs[_i].expected, *found;

	put(text_path, wrongs[_i].text);
	ck_assert_int_eq(text_profile_write(text_path, other_path, true,
					    &error), -1);
	found = strstr(error.text, expected);
	ck_assert_msg(found && found[-1] == ':' &&
		      !strncmp(error.text, text_path, strlen(text_path)),
		      "\"%s\", expected \"%s\"", error.text, expected);
	ck_assert_int_eq(text_profile_write_text(wrongs[_i].text, other_path,
						 true, &error), -1);
	ck_assert_msg(!strncmp(error.text, "text:", 5) &&
		      !strncmp(error.text + 5, expected, strlen(expected)),
		      "\"%s\", expected \"%s\"", error.text, expected);
}
END_TEST

/* The longest line fits once, not five times. */
START_TEST(too_many_alternate)
{
	char *text = calloc(1, 100000);
	size_t i;

	strcpy(text, TEXTS "rows 2 0 a\n");
	for (i = 0; i < 5; i++) {
		strcat(text, "and 0 ");
		memset(text + strlen(text), 'x', 16000);
		strcat(text, "\n");
	}
	put(text_path, text);
	ck_assert_int_eq(text_profile_write(text_path, other_path, true,
					    &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ":9: too many rows alternate"));
	free(text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("text");
	int fd = mkstemp(text_path), status;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	snprintf(other_path, sizeof(other_path), "%s.other", text_path);
	tcase_add_test(tests, columns_are_those_of_the_recorder);
	tcase_add_test(tests, rows_in_steps);
	tcase_add_test(tests, rows_alternate);
	tcase_add_test(tests, texts_have_no_steps);
	tcase_add_test(tests, rows_end_with_their_file);
	tcase_add_test(tests, profile_has_all_rows);
	tcase_add_loop_test(tests, is_refused, 0,
			    sizeof(wrongs) / sizeof(wrongs[0]));
	tcase_add_test(tests, too_many_alternate);
	status = run_tests("text_profile", tests, NULL);
	unlink(text_path);
	unlink(other_path);
	return status;
}
