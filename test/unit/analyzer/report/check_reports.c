/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports against golden files: test/reports/<case>.txt is the profile,
 * <case>.<variant> what must be printed.  "make golden" rewrites them; read
 * the difference before you commit it.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice/text.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/report/text/picture.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/units.h"
#include "test/golden.h"
#include "test/load.h"
#include "test/markup.h"
#include "test/node_profile.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

struct variant {
	const char *name, *format;
	struct sw_report_style style;
};

static const struct variant variants[] = {
	{ "text.80", "text", { 80, false, true, true } },
	{ "text.ascii", "text", { 80, false, false, true } },
	{ "text.color", "text", { 80, true, true, true } },
	{ "brief", "brief", { 80, false, true, true } },
	{ "brief.ascii", "brief", { 80, false, false, true } },
	{ "json", "json", { 80, false, true, true } },
};

static const struct variant page = { "html", "html", { 40, true, false, true } };

/* A larger page is a burden to mail and to open. */
enum { PAGE_BYTES_MAX = 100 * 1000 };

/* A suggestion as by an advisor. */
static struct sw_suggestion *
suggest(struct sw_advice *advice, const struct sw_advisor *advisor,
	double current, double suggested, const char *why)
{
	struct sw_suggestion *suggestion =
		&advice->suggestions[advice->count];

	sw_suggestion_init(suggestion, advisor->resource, current);
	suggestion->suggested = suggested;
	suggestion->runs = advice->runs.count;
	snprintf(suggestion->why, sizeof(suggestion->why), "%s", why);
	advice->advisors[advice->count++] = advisor;
	return suggestion;
}

static void refuse(struct sw_advice *advice, const struct sw_advisor *advisor,
		   double current, const char *why, const char *help)
{
	sw_suggestion_withhold(suggest(advice, advisor, current, NAN, why),
			       help, "%s", why);
}

enum { RUNS = 30 };

static const struct sw_advisor memory = {
	.resource = SW_RESOURCE_MEMORY, .name = "memory", .unit = "bytes",
};
static const struct sw_advisor wall_time = {
	.resource = SW_RESOURCE_TIME, .name = "time", .unit = "seconds",
};
static const struct sw_advisor cores = {
	.resource = SW_RESOURCE_CORES, .name = "cores", .unit = "cores",
};
static const struct sw_advisor gpus = {
	.resource = SW_RESOURCE_GPUS, .name = "gpus", .unit = "count",
};

static void make_runs(struct sw_advice *advice, size_t count)
{
	static struct sw_run runs[RUNS];
	size_t i;

	memset(advice, 0, sizeof(*advice));
	for (i = 0; i < RUNS; i++) {
		runs[i] = sw_run_unknown;
		runs[i].state = SW_RUN_COMPLETED;
		runs[i].need_bytes = (double)(1024 + (i * i) % 37 * 16) * 1e6;
		runs[i].elapsed_seconds = 500 + (double)(i % 7 * 40);
	}
	advice->group = (char *)(uintptr_t)"alice/align_#";
	advice->runs.runs = runs;
	advice->runs.count = count;
	advice->asked = sw_run_unknown;
	advice->policy = sw_policy_default;
}

static void make_advice(struct sw_advice *advice)
{
	struct sw_suggestion *suggestion;

	make_runs(advice, RUNS);
	suggestion = suggest(advice, &memory, 16.0 * SW_GIB, 2.0 * SW_GIB,
			     "of 30 runs none needed more than 1.5 GiB");
	suggestion->retries[0] = 4.0 * SW_GIB;
	suggestion->retries[1] = 16.0 * SW_GIB;
	suggestion->retry_count = 2;
	suggestion->risk = 0.015;
	suggestion->margin = 1.25;
	suggestion->backtest = (struct sw_backtest){
		.of = 27, .fits = 26, .saved_gib_hours = 64.4,
		.saved_core_hours = NAN, .saved_gpu_hours = NAN,
		.saved_cost = 3.21,
	};
	snprintf(advice->policy.currency, sizeof(advice->policy.currency),
		 "EUR");
	snprintf(suggestion->statistic, sizeof(suggestion->statistic),
		 "98th percentile + 4 %%");
	suggestion = suggest(advice, &wall_time, 3600, 3600,
			     "a shorter limit is not worth a changed script");
	suggestion->backtest.of = suggestion->backtest.fits = 27;
	refuse(advice, &cores, 8, "1 of 30 runs tells how many "
	       "cores it needed", "recordings of more runs");
	refuse(advice, &gpus, NAN, "no GPU is requested", "");
}

static void make_fitting(struct sw_advice *advice)
{
	make_runs(advice, RUNS);
	suggest(advice, &memory, 2.0 * SW_GIB, 2.0 * SW_GIB,
		"of 30 runs none needed more than 1.5 GiB");
	suggest(advice, &cores, NAN, 2, "no run had more than 2 busy");
}

static void make_refusals(struct sw_advice *advice)
{
	make_runs(advice, 1);
	advice->group = (char *)(uintptr_t)"al\033[31mice/<b>\xff";
	refuse(advice, &memory, 1e9, "1 run is known", "2 more that end well");
	refuse(advice, &wall_time, 600, "1 run is known",
	       "2 more that end well");
	refuse(advice, &cores, 4, "the runs drift", "to wait");
	refuse(advice, &gpus, NAN, "no GPU is requested", "");
}

static void make_step_up(struct sw_advice *advice)
{
	struct sw_suggestion *suggestion;

	make_runs(advice, 2);
	suggestion = suggest(advice, &memory, 1.0 * SW_GIB, 2.0 * SW_GIB,
			     "2 of 2 runs were killed for want of memory, so "
			     "that they need more than 1.0 GiB, nobody knows "
			     "how much");
	suggestion->is_lower_bound = true;
	suggestion->retries[0] = 4.0 * SW_GIB;
	suggestion->retry_count = 1;
	/* Only one of these runs had enough runs before it. */
	suggestion->backtest = (struct sw_backtest){
		.of = 1, .saved_gib_hours = NAN, .saved_core_hours = NAN,
		.saved_gpu_hours = NAN, .saved_cost = NAN,
	};
}

/*
 * With a case's own profile, or another's with advice.  Each has a file of its
 * text and brief report.  With job.json, the files of JSON and styles have each
 * path of JSON, and reach each line and branch of the printers, that those of
 * all cases would.
 */
static const struct {
	const char *name, *profile;
	void (*advise)(struct sw_advice *advice);
	bool has_page, has_json;
	bool has_styles;	/* ASCII and colour */
} cases[] = {
	{ .name = "story", .profile = "story" },
	{ .name = "sparse", .profile = "sparse", .has_page = true },
	{ .name = "unseen", .profile = "unseen" },
	{ .name = "sums", .profile = "sums", .has_json = true },
	{ .name = "oom", .profile = "oom" },
	{ .name = "hostile", .profile = "hostile", .has_page = true,
	  .has_json = true, .has_styles = true },
	{ .name = "nearby", .profile = "nearby", .has_json = true },
	{ .name = "ranks", .profile = "ranks", .has_page = true,
	  .has_json = true, .has_styles = true },
	{ .name = "advice", .profile = "story", .advise = make_advice,
	  .has_page = true, .has_json = true },
	{ .name = "advice-fits", .profile = "story", .advise = make_fitting },
	{ .name = "advice-none", .profile = "hostile", .advise = make_refusals },
	{ .name = "advice-oom", .profile = "oom", .advise = make_step_up },
};

enum {
	VARIANTS = sizeof(variants) / sizeof(variants[0]),
	CASES = sizeof(cases) / sizeof(cases[0]),
	WIDTHS = 4,
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

static void load(struct sw_loaded *loaded, const char *name)
{
	const char *path = profile;
	struct sw_error error;

	ck_assert_msg(text_profile_write(golden_path(name, "txt"), profile,
					 true, &error) == 0, "%s", error.text);
	ck_assert_msg(load_paths(loaded, &path, 1, NULL, &error) == 0,
		      "%s", error.text);
}

/* The report as text; the caller frees it. */
static char *print_of(size_t which, const struct variant *variant,
		      bool is_golden)
{
	struct sw_advice advice;
	struct sw_loaded loaded;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	load(&loaded, cases[which].profile);
	if (cases[which].advise)
		cases[which].advise(&advice);
	if (cases[which].advise)
		sw_result_advise(&loaded.result, &advice);
	if (is_golden)
		golden_keep_some_notes(&loaded.result);
	ck_assert_int_eq(golden_format(variant->format)->write(
				 out, &loaded.result, &variant->style), 0);
	fclose(out);
	loaded.result.advice = NULL;	/* owned by this function */
	sw_loaded_fini(&loaded);
	return text;
}

static char *print(size_t which, const struct variant *variant)
{
	return print_of(which, variant, false);
}

static bool has_file(size_t which, const struct variant *variant)
{
	if (!strcmp(variant->format, "json"))
		return cases[which].has_json;
	return cases[which].has_styles ||
	       (variant->style.is_utf8 && !variant->style.has_color);
}

START_TEST(is_as_golden)
{
	const struct variant *variant = &variants[_i % VARIANTS];
	char *text, file[64];

	if (!has_file((size_t)_i / VARIANTS, variant))
		return;
	text = print_of((size_t)_i / VARIANTS, variant, true);
	snprintf(file, sizeof(file), "%s.%s", cases[_i / VARIANTS].name,
		 variant->name);
	golden_compare(file, text, !strcmp(variant->format, "json"));
	free(text);
}
END_TEST

/* Without the style sheet, which check_html covers. */
START_TEST(page_is_as_golden)
{
	char *text = print_of((size_t)_i, &page, true), file[64];

	const char *body = markup_body(text);

	ck_assert_uint_le(strlen(text), PAGE_BYTES_MAX);
	ck_assert(!strstr(body, "nan") && !strstr(body, "18446744073709"));
	snprintf(file, sizeof(file), "%s.html", cases[_i].name);
	if (cases[_i].has_page)
		golden_compare(file, body, false);
	free(text);
}
END_TEST

/* The paragraph of a report, and the reason of each finding. */
static void print_notes(FILE *out, const char *name,
			const struct sw_result *result)
{
	const struct sw_page text = {
		.out = out, .result = result, .style = &variants[0].style,
	};
	size_t i;

	fprintf(out, "%s:\n", name);
	sw_text_report_not_evaluated(&text);
	for (i = 0; i < result->not_evaluated_count; i++)
		fprintf(out, "\t%s: %s\n", result->not_evaluated[i].id,
			result->not_evaluated[i].because);
	fputc('\n', out);
}

static void print_notes_of_job(FILE *out)
{
	char second[sizeof(profile) + 2];
	const char *paths[] = { profile, second };
	struct sw_loaded loaded;
	struct sw_error error;
	unsigned i;

	snprintf(second, sizeof(second), "%s.2", profile);
	for (i = 0; i < 2; i++) {
		struct node_profile node = node_profile_of(123, i);

		ck_assert_msg(node_profile_write(&node, paths[i], true,
						 &error) == 0,
			      "%s", error.text);
	}
	ck_assert_msg(load_paths(&loaded, paths, 2, NULL, &error) == 0, "%s",
		      error.text);
	print_notes(out, "job", &loaded.result);
	sw_loaded_fini(&loaded);
	unlink(second);
}

/* The one golden that a new finding changes. */
START_TEST(notes_are_as_golden)
{
	struct sw_loaded loaded;
	char *text = NULL;
	size_t i, size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	for (i = 0; i < CASES; i++) {
		if (cases[i].advise)
			continue;	/* the profile of another case */
		load(&loaded, cases[i].profile);
		print_notes(out, cases[i].name, &loaded.result);
		sw_loaded_fini(&loaded);
	}
	print_notes_of_job(out);
	fclose(out);
	golden_compare("not_evaluated", text, false);
	free(text);
}
END_TEST

/* Nothing but printable characters and newlines leaves, colours apart. */
START_TEST(is_safe_to_show)
{
	const struct variant *variant = &variants[_i % VARIANTS];
	char *text = print((size_t)_i / VARIANTS, variant);
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

static void drop_colors(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == 0x1b)
			text += strcspn(text, "m");
		else
			*to++ = *text;
	}
	*to = '\0';
}

START_TEST(colors_change_no_word)
{
	char *plain = print((size_t)_i, &variants[0]);
	char *colored = print((size_t)_i, &variants[2]);

	ck_assert_str_ne(colored, plain);
	drop_colors(colored);
	ck_assert_str_eq(colored, plain);
	free(plain);
	free(colored);
}
END_TEST

/* Lines fit any width, except a word that is longer than the line. */
START_TEST(fits_its_width)
{
	static const unsigned widths[] = { 40, 63, 80, 132 };
	struct variant any = {
		"any width", "text",
		{ widths[_i % WIDTHS], false, _i % 2 != 0, true },
	};
	const struct variant *variant = &any;
	char *text = print((size_t)_i / WIDTHS, variant), *line, *rest = NULL;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *word = line + strspn(line, " ");

		ck_assert_msg(sw_text_columns(line) <= variant->style.width ||
			      !strchr(word, ' '), "%u: \"%s\"",
			      variant->style.width, line);
	}
	free(text);
}
END_TEST

/* A run too short for a sample must not print "0 B to 2.9 MiB". */
START_TEST(need_of_nothing_is_at_most)
{
	struct sw_view_memory held = {
		.need_bytes = 0, .need_upper_bytes = 29 * SW_MIB / 10,
	};
	char text[96];

	ck_assert_str_eq(sw_need_words(text, sizeof(text), &held),
			 "at most 2.9 MiB");
	held.need_bytes = SW_MIB;
	ck_assert_str_eq(sw_need_words(text, sizeof(text), &held),
			 "at most 2.9 MiB");
	held.need_bytes = held.need_upper_bytes = 0;
	ck_assert_str_eq(sw_need_words(text, sizeof(text), &held), "0 B");
}
END_TEST

START_TEST(brief_is_ten_lines_at_most)
{
	char *text = print((size_t)_i, &variants[4]), *p;
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
	const struct sw_report_style style = { 80, false, false, true };
	char bar[SW_PICTURE_SIZE(10)];

	ck_assert_str_eq(sw_gauge(bar, 10, 0, NAN, &style), "..........");
	ck_assert_str_eq(sw_gauge(bar, 10, NAN, NAN, &style), "..........");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.0001, NAN, &style), "#.........");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.5, NAN, &style), "#####.....");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.999, NAN, &style), "#########.");
	ck_assert_str_eq(sw_gauge(bar, 10, 1, NAN, &style), "##########");
	ck_assert_str_eq(sw_gauge(bar, 10, 7, NAN, &style), "##########");
	ck_assert_str_eq(sw_gauge(bar, 10, -1, NAN, &style), "..........");
	/* An interval has two ends. */
	ck_assert_str_eq(sw_gauge(bar, 10, 0.2, 0.5, &style), "##+++.....");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.2, 7, &style), "##++++++++");
	ck_assert_str_eq(sw_gauge(bar, 10, 0.2, 0.1, &style), "##........");
	ck_assert_str_eq(sw_gauge(bar, 10, NAN, 0.3, &style), "+++.......");
}
END_TEST

START_TEST(sparks_show_height_and_holes)
{
	const struct sw_report_style style = { 80, false, false, true };
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

/* A column for each of eight, the highest where most values are. */
START_TEST(histograms_count)
{
	const struct sw_report_style style = { 80, false, false, true };
	const double values[] = { 1, 2, 2, 2, 5, 8 };
	const struct sw_mark marks[] = {
		{ 2, 'N' }, { 8, 'R' }, { 0.0 / 0.0, 'X' }, { 2.5, 'S' },
	};
	char text[SW_PICTURE_SIZE(8)];
	struct sw_scale scale;

	sw_scale_init(&scale, 8, values, 6, marks, 4);
	ck_assert(!scale.is_of_ratios);
	ck_assert_double_eq(scale.to, 8);
	ck_assert_str_eq(sw_histogram(text, &scale, values, 6, &style),
			 "-#  -  -");
	ck_assert_str_eq(sw_marks(text, &scale, marks, 4), " NS    R");
}
END_TEST

START_TEST(histograms_of_ratios)
{
	const struct sw_report_style style = { 80, false, false, true };
	const double values[] = { 1, 10, 100, 0 };
	const struct sw_mark marks[] = { { 10000, 'R' }, { 10000, 'S' } };
	char text[SW_PICTURE_SIZE(8)];
	struct sw_scale scale;

	sw_scale_init(&scale, 8, values, 4, marks, 2);
	ck_assert(scale.is_of_ratios);
	ck_assert_double_eq(scale.from, 1);
	ck_assert_str_eq(sw_histogram(text, &scale, values, 4, &style),
			 "#= =    ");
	/* If two would meet at the end, they are placed side by side. */
	ck_assert_str_eq(sw_marks(text, &scale, marks, 2), "      SR");
	sw_scale_init(&scale, 8, NULL, 0, NULL, 0);
	ck_assert_str_eq(sw_marks(text, &scale, NULL, 0), "");
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_loop_test(tcase, is_as_golden, 0, CASES * VARIANTS);
	tcase_add_loop_test(tcase, page_is_as_golden, 0, CASES);
	tcase_add_test(tcase, notes_are_as_golden);
	tcase_add_loop_test(tcase, is_safe_to_show, 0, CASES * VARIANTS);
	tcase_add_loop_test(tcase, colors_change_no_word, 0, CASES);
	tcase_add_loop_test(tcase, fits_its_width, 0, CASES * WIDTHS);
	tcase_add_test(tcase, need_of_nothing_is_at_most);
	tcase_add_loop_test(tcase, brief_is_ten_lines_at_most, 0, CASES);
	tcase_add_test(tcase, gauges_are_honest);
	tcase_add_test(tcase, sparks_show_height_and_holes);
	tcase_add_test(tcase, histograms_count);
	tcase_add_test(tcase, histograms_of_ratios);
}

static int run_suite(void)
{
	TCase *tcase = tcase_create("golden");

	add_tests(tcase);
	return run_tests("reports", tcase, NULL);
}

int main(void)
{
	int fd = mkstemp(profile), failed;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	setenv("TZ", "UTC", 1);
	setenv("SOURCE_DATE_EPOCH", "1780000000", 1);
	failed = run_suite();
	unlink(profile);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
