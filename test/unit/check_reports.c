/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports against golden files: test/reports/<case>.txt is the profile,
 * <case>.<variant> what must be printed.  UPDATE_GOLDEN=1 rewrites them, to
 * be read before they are committed.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/loaded.h"
#include "analyzer/paragraph.h"
#include "analyzer/picture.h"
#include "test/golden.h"
#include "test/text_profile.h"

struct variant {
	const char *name, *format;
	struct sw_report_style style;
};

static const struct variant variants[] = {
	{ "text.80", "text", { 80, false, true } },
	{ "text.40", "text", { 40, false, true } },
	{ "text.ascii", "text", { 80, false, false } },
	{ "text.color", "text", { 100, true, true } },
	{ "brief", "brief", { 80, false, true } },
	{ "brief.ascii", "brief", { 80, false, false } },
	{ "json", "json", { 80, false, true } },
};

static const char *const cases[] = {
	"story", "sparse", "oom", "hostile", "nearby",
};

enum {
	VARIANTS = sizeof(variants) / sizeof(variants[0]),
	CASES = sizeof(cases) / sizeof(cases[0]),
};

static char profile[] = "/tmp/check_reports.XXXXXX";

static const char *golden_path(const char *name, const char *variant)
{
	static char path[1024];
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, sizeof(path), "%s/test/reports/%s.%s", top ? top : ".",
		 name, variant);
	return path;
}

/* The report as text; the caller frees it. */
static char *print(const char *name, const struct variant *variant)
{
	const char *path = profile;
	struct sw_loaded loaded;
	struct sw_error error;
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	ck_assert_msg(text_profile_write(golden_path(name, "txt"), profile,
					 true, &error) == 0, "%s", error.text);
	ck_assert_msg(sw_loaded_init(&loaded, &path, 1, NULL, NULL, &error) == 0,
		      "%s", error.text);
	out = open_memstream(&text, &size);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(golden_format(variant->format)->write(
				 out, &loaded.result, &variant->style), 0);
	fclose(out);
	sw_loaded_fini(&loaded);
	return text;
}

START_TEST(is_as_golden)
{
	const struct variant *variant = &variants[_i % VARIANTS];
	const char *name = cases[_i / VARIANTS];
	char *text = print(name, variant), file[64];

	snprintf(file, sizeof(file), "%s.%s", name, variant->name);
	golden_compare(file, text, !strcmp(variant->format, "json"));
	free(text);
}
END_TEST

/* Nothing but printable characters and newlines leaves, colours apart. */
START_TEST(is_safe_to_show)
{
	const struct variant *variant = &variants[_i % VARIANTS];
	char *text = print(cases[_i / VARIANTS], variant);
	const unsigned char *p = (const unsigned char *)text;

	for (; *p; p++) {
		if (*p == 0x1b && variant->style.has_color && p[1] == '[')
			continue;
		ck_assert_msg(*p == '\n' || *p >= 0x20, "byte %#x", *p);
		ck_assert_msg(*p < 0x80 || variant->style.is_utf8,
			      "byte %#x in ASCII", *p);
		ck_assert_uint_ne(*p, 0x7f);
	}
	ck_assert_msg(!strstr(text, "nan") && !strstr(text, "18446744073709"),
		      "%s", text);
	free(text);
}
END_TEST

/* Lines fit the width, but for a word that is longer than all of it. */
START_TEST(fits_its_width)
{
	const struct variant *variant = &variants[_i % VARIANTS];
	char *text = print(cases[_i / VARIANTS], variant), *line, *rest = NULL;

	if (strcmp(variant->format, "text") != 0) {
		free(text);
		return;
	}
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *word = line + strspn(line, " ");

		ck_assert_msg(sw_text_columns(line) <= variant->style.width ||
			      !strchr(word, ' '), "%s: \"%s\"",
			      variant->name, line);
	}
	free(text);
}
END_TEST

START_TEST(brief_is_ten_lines_at_most)
{
	char *text = print(cases[_i], &variants[4]), *p;
	unsigned lines = 0;

	for (p = text; *p; p++)
		lines += *p == '\n';
	ck_assert_uint_ge(lines, 1);
	ck_assert_uint_le(lines, 10);
	free(text);
}
END_TEST

START_TEST(gauges_are_honest)
{
	const struct sw_report_style style = { 80, false, false };
	char bar[SW_PICTURE_SIZE(10)];

	ck_assert_str_eq(sw_gauge(bar, 10, 0, &style), "..........");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.0 / 0.0, &style), "..........");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.0001, &style), "#.........");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.5, &style), "#####.....");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.999, &style), "#########.");
	ck_assert_str_eq(sw_gauge(bar, 10, 1, &style), "##########");
	ck_assert_str_eq(sw_gauge(bar, 10, 7, &style), "##########");
	ck_assert_str_eq(sw_gauge(bar, 10, -1, &style), "..........");
}
END_TEST

START_TEST(sparks_show_height_and_holes)
{
	const struct sw_report_style style = { 80, false, false };
	uint64_t start[] = { 0, 10, 20, 30 }, end[] = { 10, 20, 30, 40 };
	double value[] = { 0, 7, 0.0 / 0.0, 3.5 };
	struct sw_curve curve = {
		.count = 4, .start_usec = start, .end_usec = end,
		.value = value, .min = 0, .max = 7, .mean = 3.5,
	};
	char text[SW_PICTURE_SIZE(8)];

	ck_assert_str_eq(sw_spark(text, 8, &curve, &style), "_# =");
	ck_assert_str_eq(sw_spark(text, 2, &curve, &style), "==");
	curve.count = 0;
	ck_assert_str_eq(sw_spark(text, 8, &curve, &style), "");
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_loop_test(tcase, is_as_golden, 0, CASES * VARIANTS);
	tcase_add_loop_test(tcase, is_safe_to_show, 0, CASES * VARIANTS);
	tcase_add_loop_test(tcase, fits_its_width, 0, CASES * VARIANTS);
	tcase_add_loop_test(tcase, brief_is_ten_lines_at_most, 0, CASES);
	tcase_add_test(tcase, gauges_are_honest);
	tcase_add_test(tcase, sparks_show_height_and_holes);
}

static int run_suite(void)
{
	Suite *suite = suite_create("reports");
	TCase *tcase = tcase_create("golden");
	SRunner *runner = srunner_create(suite);
	int failed;

	add_tests(tcase);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed;
}

int main(void)
{
	int fd = mkstemp(profile), failed;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	setenv("TZ", "UTC", 1);
	failed = run_suite();
	unlink(profile);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
