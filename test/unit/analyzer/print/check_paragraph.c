/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrapping, truncating and escaping of text for people. */
#include "analyzer/print/paragraph.h"
#include "test/run_tests.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t size;

/* Destination of text; is() frees it. */
static FILE *begin(void)
{
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	return out;
}

static void is(FILE *out, const char *expected)
{
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void wraps(unsigned width, const char *paragraph, const char *expected)
{
	const struct sw_report_style style = { .width = width };
	FILE *out = begin();

	sw_paragraph_print(out, paragraph, "- ", "    ", &style);
	is(out, expected);
}

START_TEST(at_the_width)
{
	wraps(80, "one two three", "- one two three\n");
	wraps(15, "one two three", "- one two three\n");
	wraps(14, "one two three", "- one two\n    three\n");
	wraps(9, "one two three", "- one two\n    three\n");
	wraps(8, "one two three", "- one\n    two\n    three\n");
}
END_TEST

/* A word longer than the line gets a line of its own, complete. */
START_TEST(long_words)
{
	wraps(8, "a incomprehensibilities b",
	      "- a\n    incomprehensibilities\n    b\n");
	wraps(0, "a b", "- a\n    b\n");
	wraps(8, "", "- \n");
	wraps(8, "  a   b  ", "- a b\n");
}
END_TEST

START_TEST(counts_characters)
{
	const struct sw_report_style style = { .width = 9, .is_utf8 = true };
	FILE *out = begin();

	/* Two bytes each, one column. */
	sw_paragraph_print(out, "\u00e4\u00f6\u00fc \u00e4\u00f6\u00fc", "- ",
			   "", &style);
	is(out, "- \u00e4\u00f6\u00fc \u00e4\u00f6\u00fc\n");
	ck_assert_uint_eq(sw_text_columns("\033[1m\u00e4b\033[0m"), 2);
	ck_assert_uint_eq(sw_text_columns("a\033[1"), 1);
}
END_TEST

/* Text cannot move a terminal's cursor or begin a line. */
START_TEST(is_made_safe)
{
	wraps(80, "a\nb \033[31mred", "- a\\x0ab \\x1b[31mred\n");
}
END_TEST

START_TEST(paragraphs)
{
	const struct sw_report_style style = { .width = 7 };
	FILE *out = begin();

	sw_paragraphs_print(out, "one two three\n\nfour", &style);
	is(out, "one two\nthree\n\nfour\n");
}
END_TEST

static void cell(const char *content, unsigned width, const char *expected)
{
	const struct sw_report_style style = { .is_utf8 = true };
	FILE *out = begin();

	sw_text_print_cell(out, content, width, &style);
	is(out, expected);
}

START_TEST(cells)
{
	cell("abc", 5, "abc  ");
	cell("abc", 3, "abc");
	cell("abcd", 3, "ab~");
	cell("\u00e4\u00f6\u00fc\u00e4", 3, "\u00e4\u00f6~");
	cell("", 2, "  ");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("paragraph");

	tcase_add_test(tcase, at_the_width);
	tcase_add_test(tcase, long_words);
	tcase_add_test(tcase, counts_characters);
	tcase_add_test(tcase, is_made_safe);
	tcase_add_test(tcase, paragraphs);
	tcase_add_test(tcase, cells);
	return run_tests("paragraph", tcase, NULL);
}
