/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of programs in reports. */
#include <check.h>
#include <string.h>

#include "test/run_tests.h"
#include "test/unit/analyzer/report/report_kit.h"

#define STEP REPORT_KIT_STEPS "row 0 1000000000\n" \
	REPORT_KIT_SUMMARY "row 0 1010000000\n" \
	"table programs program programs\n" \
	"columns time_usec step program name started ended is_complete\n"

static char text[32768];

static void print(const char *format, const char *profile)
{
	report_kit_write(profile);
	report_kit_print(format, text, sizeof(text));
}

/* Usage of a process is known only after its end. */
static const char running[] =
	STEP "column running count gauge\ncolumn cpu_usec usec counter\n"
	"row 1009000000 0 0 sh 1 1 1 0 3000000\n"
	"row 1009000000 0 1 perl 3 1 1 2 2000000\n"
	"row 1009000000 0 2 bwa 1 0 1 1 -\n";

START_TEST(usage_of_the_running_is_not_known)
{
	print("text", running);
	report_kit_expect(text, "sh                     1       3.0 s");
	report_kit_expect(text, "perl                   3     >=2.0 s");
	report_kit_expect(text, "bwa                    1           ?");
	report_kit_expect(text, ">= means at least");
	print("json", running);
	report_kit_expect(text, "\"used_core_seconds\":2.000000,\n"
				"      \"exited_unknown\":1,\n"
				"      \"used_is_lower_bound\":true");
	report_kit_expect(text, "\"used_core_seconds\":3.000000,\n"
				"      \"exited_unknown\":1,\n"
				"      \"used_is_lower_bound\":false");
}
END_TEST

/* The first killed itself, and its driver killed the other. */
static const char killed[] =
	STEP "column killed count counter\ncolumn signal_kill count counter\n"
	"column signal_term count counter\n"
	"column signal_other count counter\ncolumn last_signal - state\n"
	"column oom_killed count counter\n"
	"row 1009000000 0 0 both 3 3 1 3 1 2 0 15 0\n"
	"row 1009000000 0 1 user 2 2 1 2 0 0 2 10 0\n"
	"row 1009000000 0 2 mixed 4 4 1 4 1 1 2 15 0\n"
	"row 1009000000 0 3 large 3 3 1 3 2 1 0 9 1\n"
	"row 1009000000 0 4 bare 1 1 1 1 - - - - -\n";

START_TEST(signals_are_named)
{
	print("text", killed);
	report_kit_expect(text, "1 SIGKILL, 2 SIGTERM\n");
	report_kit_expect(text, "2 SIGUSR1\n");
	report_kit_expect(text, "1 SIGKILL, 1 SIGTERM, 2 killed\n");
	report_kit_expect(text, "1 OOM, 1 SIGKILL, 1 SIGTERM\n");
	report_kit_expect(text, "1 killed\n");
}
END_TEST

/* Two of them return an answer, with the status of one that failed. */
static const char answers[] =
	STEP "column exited_ok count counter\n"
	"column exited_nonzero count counter\ncolumn last_exit_status - state\n"
	"column first_start_usec usec state\n"
	"column last_end_usec usec state\n"
	"row 1009000000 0 0 grep 3 3 1 1 2 1 1000000000 1001000000\n"
	"row 1009000000 0 1 timeout 1 1 1 0 1 124 1001000000 1002000000\n"
	"row 1009000000 0 2 rm 1 1 1 0 1 1 1001000000 1002000000\n"
	"row 1009000000 0 3 which 1 1 1 1 0 - 1002000000 1003000000\n";
static const char failures[] =
	STEP "column exited_nonzero count counter\n"
	"column last_exit_status - state\n"
	"column first_start_usec usec state\n"
	"column last_end_usec usec state\n"
	"row 1009000000 0 0 grep 1 1 1 1 2 1000000000 1001000000\n"
	"row 1009000000 0 1 perl 1 1 1 1 1 1001000000 1002000000\n";

START_TEST(answers_are_no_failures)
{
	print("text", answers);
	report_kit_expect(text, "2 said no\n");
	report_kit_expect(text, "1 timed out\n");
	report_kit_expect(text, "1 said no\n");
	ck_assert_ptr_null(strstr(text, "failed\n"));
	print("html", answers);
	report_kit_expect(text, "Which programs ran when?");
	ck_assert_ptr_null(strstr(text, "<rect class=\"bad\""));
	print("text", failures);
	ck_assert_ptr_null(strstr(text, "said no"));
	report_kit_expect(text, "1 failed\n");
	print("html", failures);
	report_kit_expect(text, "<rect class=\"bad\"");
}
END_TEST

/* The last sample was taken shortly after the end. */
static const char late_sample[] =
	STEP "column first_start_usec usec state\n"
	"column last_end_usec usec state\n"
	"row 1009000000 0 0 sh 1 1 1 1000000000 1009900000\n"
	"row 1009000000 0 1 perl 1 1 1 1001000000 1002000000\n"
	"table series.cpu step cgroup.v2\ncolumns time_usec step usage_usec\n"
	"row 999500000 0 0\nrow 1005000000 0 400000\n"
	"row 1010700000 0 1400000\n";

START_TEST(pictures_have_one_time)
{
	print("html", late_sample);
	report_kit_expect(text, "How many CPUs were in use?");
	report_kit_expect(text, "Which programs ran when?");
	ck_assert_ptr_null(strstr(text, ">11.2 s<"));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("programs");
	int failed;

	report_kit_begin();
	tcase_add_test(tcase, usage_of_the_running_is_not_known);
	tcase_add_test(tcase, pictures_have_one_time);
	tcase_add_test(tcase, signals_are_named);
	tcase_add_test(tcase, answers_are_no_failures);
	failed = run_tests("programs", tcase, NULL);
	report_kit_end();
	return failed;
}
