/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The HTML writer compared with expected bytes (test/reports/parts.html), with
 * hostile text in every place that accepts text.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/html/svg.h"
#include "test/golden.h"
#include "test/markup.h"
#include "test/run_tests.h"

/* Quotes, markup, control characters, a bidi mark, invalid UTF-8. */
static const char hostile[] = "<b onx='1'>\"&amp;\n\x1b[31m\xe2\x80\xae\xff"
			      "</b><script>alert(1)</script>";

struct page {
	struct sw_html *html;
	FILE *out;
	char *text;
	size_t size;
};

static struct sw_html *begin(struct page *page, const char *title)
{
	page->text = NULL;
	page->out = open_memstream(&page->text, &page->size);
	ck_assert_ptr_nonnull(page->out);
	page->html = sw_html_begin(page->out, title);
	ck_assert_ptr_nonnull(page->html);
	return page->html;
}

/* Return the output; the caller frees it. */
static char *end(struct page *page)
{
	ck_assert_int_eq(sw_html_end(page->html), 0);
	fclose(page->out);
	markup_body(page->text);
	return page->text;
}

static void write_blocks(struct sw_html *html, const char *text)
{
	static const struct sw_html_column columns[] = {
		{ "group", SW_HTML_HEAD }, { "core-hours", SW_HTML_NUMBER },
		{ "finding", SW_HTML_TEXT }, { "line", SW_HTML_CODE },
	};

	sw_html_heading(html, 1, text);
	sw_html_lead(html, text);
	sw_html_term(html, text, text);
	sw_html_term(html, "", text);
	sw_html_box(html, SW_HTML_CRITICAL, "X", text);
	sw_html_paragraph(html, text);
	sw_html_code(html, "#SBATCH --mem=2G");
	sw_html_code(html, text);
	sw_html_details(html, text, false);
	sw_html_table(html, text, columns, 4);
	sw_html_row(html, (const char *const[]){ text, "1.5", text, text });
	sw_html_row(html, (const char *const[]){ "b", NULL, "", NULL });
	sw_html_row_text(html, text, text);
	sw_html_row_text(html, "", NULL);
	sw_html_close(html);
	sw_html_close(html);
	sw_html_note(html, text);
}

static void write_pictures(struct sw_html *html, const char *text)
{
	const struct sw_svg_words words = { text, text };
	const struct sw_svg_part parts[] = {
		{ text, "60 %", 0.6, 3 }, { "CPU", "40 %", 0.4, 0 },
	};
	const double value[] = { 0, 1, 1, NAN, 4 };
	const double low[] = { 0, 1, 0.5, NAN, 3 };
	const double high[] = { 0, 1, 2, NAN, 5 };
	const struct sw_svg_line line = {
		value, low, high, 5, 4, 2, "4 GiB", { "0 s", text, 70 },
	};
	const char *const names[] = { text, "n2" };
	const double cells[] = { 0, 0, 0.5, 1, NAN, 1 };
	const struct sw_svg_map map = { cells, 2, 3, names,
					{ "0 s", text, 5400 } };
	const struct sw_svg_lane lane[] = {
		{ text, -1, 0.5, false }, { "short", 1, 1, true },
	};
	const struct sw_svg_lanes lanes = { lane, 2, { "0", text, NAN } };

	const double places[] = { 0, 0.5, 0.5, NAN, 1 };
	const struct sw_svg_mark marks[] = {
		{ text, "1 GiB", 0.25 }, { "suggested", text, NAN },
	};
	const struct sw_svg_strip strip = { places, 5, marks, 2, "0", text };

	sw_svg_bar(html, &words, text, 0.25, 0.5);
	sw_svg_strip(html, &words, &strip);
	sw_svg_parts(html, &words, parts, 2);
	sw_svg_line(html, &words, &line);
	sw_svg_map(html, &words, &map);
	sw_svg_lanes(html, &words, &lanes);
}

START_TEST(is_as_golden)
{
	struct page page;
	char *text;

	begin(&page, "A page");
	write_blocks(page.html, "text & \"more\"");
	write_pictures(page.html, "What was it?");
	text = end(&page);
	golden_compare("parts.html", text, false);
	free(text);
}
END_TEST

/* The number of elements does not depend on their contents. */
START_TEST(hostile_text_stays_text)
{
	struct page page;
	char *text;

	begin(&page, hostile);
	write_blocks(page.html, hostile);
	write_pictures(page.html, hostile);
	text = end(&page);
	ck_assert_ptr_null(strstr(text, "<script"));
	ck_assert_ptr_null(strstr(text, "<b onx"));
	ck_assert_ptr_nonnull(strstr(text, "<title>&lt;b onx=&#39;1&#39;&gt;"
		"&quot;&amp;amp;\\x0a\\x1b[31m\\xe2\\x80\\xae\\xff&lt;/b&gt;"));
	free(text);
}
END_TEST

/* Any order of calls gives a valid page: open elements are closed. */
START_TEST(any_order_is_well_formed)
{
	struct page page;
	unsigned i, j, number = (unsigned)_i;

	begin(&page, "x");
	for (i = 0; i < 200; i++) {
		number = number * 1103515245u + 12345u;
		j = number >> 16 & 7;
		if (j == 0)
			sw_html_close(page.html);
		else if (j == 1)
			sw_html_details(page.html, "d", true);
		else if (j == 2)
			sw_html_box(page.html, SW_HTML_INFO, "i", "b");
		else if (j == 3)
			sw_html_term(page.html, "", "t");
		else if (j == 4)
			sw_html_code(page.html, "c");
		else if (j == 5)
			write_pictures(page.html, "p");
		else if (j == 6)
			write_blocks(page.html, "b");
		else
			sw_html_row(page.html, NULL);
	}
	free(end(&page));
}
END_TEST

/* Missing values, and values beyond the axis. */
START_TEST(pictures_are_honest)
{
	const struct sw_svg_words words = { "t", "d" };
	const double value[] = { NAN, 9, -1 };
	const struct sw_svg_line line = { value, NULL, NULL, 3, 3, NAN,
					  "3", { "a", "b", NAN } };
	struct page page;
	char *text;

	begin(&page, "x");
	sw_svg_bar(page.html, &words, "none", NAN, NAN);
	sw_svg_bar(page.html, &words, "little", 1e-6, NAN);
	sw_svg_bar(page.html, &words, "more than all", 7, 9);
	sw_svg_line(page.html, &words, &line);
	text = end(&page);
	ck_assert_ptr_nonnull(strstr(text, "</desc>\n</svg><b>none"));
	ck_assert_ptr_nonnull(strstr(text, "width=\"10\" height=\"10\"/>"
					   "</svg><b>little"));
	ck_assert_ptr_nonnull(strstr(text, "width=\"1000\" height=\"10\"/>"
					   "</svg><b>more than all"));
	ck_assert_ptr_nonnull(strstr(text, "d=\"M1 0H2V1000H3\""));
	free(text);
}
END_TEST

/* A map of 128 rows and 240 columns that always change stays small. */
START_TEST(maps_are_small)
{
	static double cells[128 * 240];
	static const char *names[128];
	const struct sw_svg_words words = { "t", "d" };
	const struct sw_svg_map map = { cells, 128, 240, names,
					{ "a", "b", NAN } };
	struct page page;
	size_t i;

	for (i = 0; i < 128 * 240; i++)
		cells[i] = (double)(i / 9 % 7) / 7 + 0.01;
	for (i = 0; i < 128; i++)
		names[i] = "n";
	begin(&page, "x");
	sw_svg_map(page.html, &words, &map);
	free(end(&page));
	ck_assert_uint_lt(page.size, 60000);
}
END_TEST

START_TEST(failed_streams_are_told)
{
	FILE *full = fopen("/dev/full", "w");
	struct sw_html *html;

	ck_assert_ptr_nonnull(full);
	setvbuf(full, NULL, _IONBF, 0);
	html = sw_html_begin(full, "x");
	ck_assert_ptr_nonnull(html);
	ck_assert_int_eq(sw_html_end(html), -1);
	fclose(full);
}
END_TEST

/* The check itself detects each fault. */
START_TEST(faults_are_seen)
{
	static const char *const bad[] = {
		"<p>", "<!DOCTYPE html><p>", "<!DOCTYPE html><p></b></p>",
		"<!DOCTYPE html><p a=b></p>", "<!DOCTYPE html><p>&</p>",
		"<!DOCTYPE html><p>a < b</p>", "<!DOCTYPE html><p>\x1b</p>",
		"<!DOCTYPE html><p onclick=\"x\"></p>",
		"<!DOCTYPE html><script></script>",
		"<!DOCTYPE html><a href=\"x\"></a>",
		"<!DOCTYPE html><p style=\"b:url(x)\"></p>",
		"<!DOCTYPE html></p>",
	};

	ck_assert_ptr_nonnull(markup_fault(bad[_i]));
	ck_assert_ptr_null(markup_fault("<!DOCTYPE html><p a=\"b\">&lt;"
					"<br/></p>\n"));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("html");

	tcase_add_test(tcase, is_as_golden);
	tcase_add_test(tcase, hostile_text_stays_text);
	tcase_add_loop_test(tcase, any_order_is_well_formed, 0, 40);
	tcase_add_test(tcase, pictures_are_honest);
	tcase_add_test(tcase, maps_are_small);
	tcase_add_test(tcase, failed_streams_are_told);
	tcase_add_loop_test(tcase, faults_are_seen, 0, 12);
	return run_tests("html", tcase, NULL);
}
