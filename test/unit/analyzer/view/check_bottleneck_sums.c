/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conclusions from totals of a step without samples, and their limits. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyzer/view/bottleneck_sums.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/view_internal.h"
#include "common/units.h"
#include "test/run_tests.h"

enum { UNKNOWN = -1 };

static const struct {
	const char *what;
	double elapsed, cpus;	/* seconds, CPUs that it may use */
	/*
	 * CPU time, as the kernel accounts it for processes waited for; the
	 * same of its only program, and waits: seconds, or UNKNOWN.
	 */
	double used, seen, queued, io;
	bool is_incomplete;
	const char *resource;	/* NULL: no conclusion */
	double share;
} cases[] = {
	{ "one CPU, busy", 100, 1, 96, 96, 0, 0, false, "cpu", 0.96 },
	{ "all of four CPUs", 100, 4, 380, 380, 0, 0, false, "cpu", 0.95 },
	{ "one of four, or four for a quarter of the time", 100, 4, 100, 100, 0,
	  0, false, NULL, 0 },
	{ "one process reads for most of the time", 100, 4, 20, 20, 1, 78,
	  false, "io", 0.78 },
	{ "several read at the same time, and sleep", 100, 4, 5, 5, 0, 70,
	  false, "waiting", 0.95 },
	{ "it sleeps", 100, 1, 2, 2, 1, 0, false, "waiting", 0.97 },
	{ "others have its CPU", 100, 1, 10, 10, 85, 0, false, NULL, 0 },
	{ "waits for a CPU are not known", 100, 1, 10, 10, UNKNOWN, 0, false,
	  NULL, 0 },
	{ "a program whose ends were not seen", 100, 1, 10, 10, 0, 0, true,
	  NULL, 0 },
	{ "a helper that nobody waited for had the CPU", 100, 1, 2, 90, 1, 0,
	  false, NULL, 0 },
	{ "CPU time is all that is known", 100, 1, 70, UNKNOWN, UNKNOWN,
	  UNKNOWN, false, "cpu", 0.7 },
	{ "not even CPU time is known", 100, 1, UNKNOWN, UNKNOWN, UNKNOWN,
	  UNKNOWN, false, NULL, 0 },
	{ "short, and busy", 1, 1, 0.9, 0.9, 0, 0, false, "cpu", 0.9 },
	{ "over before it began", 0.2, 1, 0.2, 0.2, 0, 0, false, NULL, 0 },
};

static uint64_t usec(double seconds)
{
	return seconds < 0 ? SW_MISSING :
			     (uint64_t)(seconds * SW_USEC_PER_SEC + 0.5);
}

/* A step with one program, of which no interval was observed. */
static void make_view(struct sw_view *view, struct sw_view_program *program,
		      int i)
{
	sw_view_clear(view);
	memset(program, 0, sizeof(*program));
	program->is_complete = !cases[i].is_incomplete;
	program->cpu_usec = usec(cases[i].seen);
	program->run_queue_wait_usec = usec(cases[i].queued);
	program->io_wait_usec = usec(cases[i].io);
	view->programs = program;
	view->program_count = 1;
	view->elapsed_usec = usec(cases[i].elapsed);
	view->cpu.source = "rusage";
	view->cpu.used_usec = usec(cases[i].used);
	/* Known only from samples. */
	view->cpu.mean_cores = NAN;
	view->cpu.allocated_cores = view->cpu.available_cores = cases[i].cpus;
}

START_TEST(proves)
{
	struct sw_sums_bottleneck found;
	struct sw_view_program program;
	char words[512], brief[64];
	struct sw_view view;
	bool is;

	make_view(&view, &program, _i);
	is = sw_sums_bottleneck_find(&found, &view);
	sw_bottleneck_words(words, sizeof(words), &view);
	sw_bottleneck_brief(brief, sizeof(brief), &view);
	if (!cases[_i].resource) {
		ck_assert_msg(!is, "%s: %s", cases[_i].what,
			      is ? sw_limited_by_name(found.resource) : "");
		ck_assert_str_eq(words, "");
		ck_assert_str_eq(brief, "?");
		return;
	}
	ck_assert_msg(is, "%s", cases[_i].what);
	ck_assert_str_eq(sw_limited_by_name(found.resource),
			 cases[_i].resource);
	ck_assert_double_eq_tol(found.share, cases[_i].share, 1e-6);
	ck_assert_ptr_nonnull(strstr(words, "too few samples"));
	ck_assert_ptr_null(strstr(words, "nan"));
	ck_assert_int_eq(strncmp(brief, "probably ", 9), 0);
}
END_TEST

/* Samples take precedence if they are conclusive. */
START_TEST(samples_come_first)
{
	struct sw_sums_bottleneck found;
	struct sw_view_program program;
	struct sw_view view;

	make_view(&view, &program, 0);
	memset(view.limits.usec, 0, sizeof(view.limits.usec));
	view.limits.usec[SW_LIMIT_IO] = usec(50);
	ck_assert(!sw_sums_bottleneck_find(&found, &view));
	view.limits.usec[SW_LIMIT_IO] = usec(1);
	ck_assert(sw_sums_bottleneck_find(&found, &view));
}
END_TEST

/* Too few samples give no verdict, but their data is shown. */
START_TEST(list_has_what_the_report_has)
{
	struct sw_view_program program;
	char words[512], brief[64];
	struct sw_view view;

	make_view(&view, &program, sizeof(cases) / sizeof(cases[0]) - 1);
	memset(view.limits.usec, 0, sizeof(view.limits.usec));
	view.limits.usec[SW_LIMIT_NEIGHBORS] = usec(0.15);
	view.limits.usec[SW_LIMIT_CPU] = usec(0.05);
	sw_bottleneck_brief(brief, sizeof(brief), &view);
	ck_assert_str_eq(brief, "other programs 75 %");
	sw_limits_words(words, sizeof(words), &view.limits);
	ck_assert_str_eq(words, "other programs 75 %, CPU 25 %");
	sw_bottleneck_words(words, sizeof(words), &view);
	ck_assert_str_eq(words, "");
}
END_TEST

/* A program that leads jobs waits for them, whatever the samples. */
START_TEST(leads_others)
{
	struct sw_span spans[] = { { 0, usec(60) }, { usec(70), usec(90) } };
	struct sw_view_program program;
	struct sw_view view;
	char words[512];

	make_view(&view, &program, 5);
	view.elsewhere = (struct sw_spans){ spans, 2 };
	sw_bottleneck_words(words, sizeof(words), &view);
	ck_assert_ptr_nonnull(strstr(words, "it waited for the jobs or steps"));
	spans[0].end_usec = usec(20);
	sw_bottleneck_words(words, sizeof(words), &view);
	ck_assert_ptr_nonnull(strstr(words, "too few samples"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("totals");

	tcase_add_loop_test(tests, proves, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, samples_come_first);
	tcase_add_test(tests, list_has_what_the_report_has);
	tcase_add_test(tests, leads_others);
	return run_tests("bottleneck_sums", tests, NULL);
}
