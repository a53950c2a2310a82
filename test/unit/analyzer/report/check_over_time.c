/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that appear in several lines of a text report. */
#include <check.h>
#include <string.h>
#include <unistd.h>

#include "test/run_tests.h"
#include "test/unit/analyzer/report/report_kit.h"

/* Two CPUs for the first fifth of a second, one and less from then on. */
static const char burst[] =
	REPORT_KIT_STEPS "row 0 1000000000\n"
	REPORT_KIT_SUMMARY "row 0 1004200000\n"
	"table series.cpu step cgroup.v2\ncolumns time_usec step usage_usec\n"
	"row 1000000000 0 0\nrow 1000200000 0 400000\n"
	"row 1001200000 0 1400000\nrow 1002200000 0 2200000\n"
	"row 1003200000 0 3000000\nrow 1004200000 0 3800000\n";

START_TEST(peak_is_one_number)
{
	static char text[16384];

	report_kit_write(burst);
	report_kit_print("text", text, sizeof(text));
	report_kit_expect(text, "1.00 at the peak");
	report_kit_expect(text, "0.8 to 1.0");
}
END_TEST

#define SAMPLED(used_usec, sampled_usec) \
	REPORT_KIT_STEPS "row 0 1000000000\n" \
	"table summary step recorder\n" \
	"columns step end_usec rusage_user_usec rusage_system_usec\n" \
	"row 0 1002000000 " used_usec " 0\n" \
	"table series.proc step proc\n" \
	"columns time_usec step utime_usec stime_usec\n" \
	"row 1000000000 0 0 0\nrow 1001000000 0 0 0\n" \
	"row 1002000000 0 " sampled_usec " 0\n"

/* A quantity that samples hardly saw may have been larger. */
START_TEST(peak_is_not_below_the_mean)
{
	static char text[16384];

	report_kit_write(SAMPLED("1000000", "200000"));
	report_kit_print("brief", text, sizeof(text));
	report_kit_expect(text, "0.50 CPUs busy on average");
	ck_assert_ptr_null(strstr(text, "at the peak"));
	report_kit_write(SAMPLED("1000000", "200000"));
	report_kit_print("json", text, sizeof(text));
	report_kit_expect(text, "\"mean_cores\":0.5");
	ck_assert_ptr_null(strstr(text, "peak_cores"));
	/* Both round to 0.1. */
	report_kit_write(SAMPLED("280000", "139000"));
	report_kit_print("brief", text, sizeof(text));
	report_kit_expect(text, "0.14 CPUs busy on average");
	ck_assert_ptr_null(strstr(text, "at the peak"));
	report_kit_write(SAMPLED("260000", "140000"));
	report_kit_print("brief", text, sizeof(text));
	report_kit_expect(text, "0.13 CPUs busy on average, 0.14 at the peak");
}
END_TEST

/* It waited for I/O nearly all the time; the kernel counted IO_USEC of it. */
#define WAITED(io_usec) \
	REPORT_KIT_STEPS "row 0 1000000000\n" \
	REPORT_KIT_SUMMARY "row 0 1010000000\n" \
	"table series.pressure step cgroup.v2\n" \
	"columns time_usec step io.some.total\n" \
	"row 1000000000 0 0\nrow 1010000000 0 " io_usec "\n" \
	REPORT_KIT_SUBJECTS \
	"row 1000000000 0 waits 0 all io -\n" \
	"table series.waits step bpf\n" \
	"columns time_usec step subject threads thread_usec some_usec " \
	"idle_usec\n" \
	"row 1000000000 0 0 1 0 0 0\n" \
	"row 1010000000 0 0 1 9000000 9000000 9000000\n"

static const char untold[] = "the kernel does not count all waits";

/* The report must not say "hardly waited for I/O" beside "limited by I/O". */
START_TEST(uncounted_waits_are_told)
{
	static char text[16384];

	report_kit_write(WAITED("1000"));
	report_kit_print("text", text, sizeof(text));
	report_kit_expect(text, untold);
	report_kit_write(WAITED("8800000"));
	report_kit_print("text", text, sizeof(text));
	report_kit_expect(text, "I/O 88.0 %");
	ck_assert_ptr_null(strstr(text, untold));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("over_time");
	int failed;

	report_kit_begin();
	tcase_add_test(tcase, peak_is_one_number);
	tcase_add_test(tcase, peak_is_not_below_the_mean);
	tcase_add_test(tcase, uncounted_waits_are_told);
	failed = run_tests("over_time", tcase, NULL);
	report_kit_end();
	return failed;
}
