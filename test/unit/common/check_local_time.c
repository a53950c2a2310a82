/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times without a zone around each change of clocks in a year, in some zones. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/local_time.h"
#include "test/run_tests.h"

/* Changes in autumn at 3, 2 and 2 o'clock; the second zone's by half an hour. */
static const char *const zones[] = {
	"Europe/Berlin", "Australia/Lord_Howe", "America/New_York",
	"Europe/Dublin", "Asia/Kathmandu", "UTC",
};

#define YEAR_BEGIN 1767225600L	/* 2026 */
#define YEAR_END (YEAR_BEGIN + 365 * 86400L)

static double read_local(time_t seconds)
{
	struct tm local, tm = { 0 };

	ck_assert_ptr_nonnull(localtime_r(&seconds, &local));
	tm.tm_year = local.tm_year;
	tm.tm_mon = local.tm_mon;
	tm.tm_mday = local.tm_mday;
	tm.tm_hour = local.tm_hour;
	tm.tm_min = local.tm_min;
	tm.tm_sec = local.tm_sec;
	return sw_local_time(&tm);
}

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

START_TEST(reads_the_first_of_two)
{
	time_t seconds, doubled = 0;

	set_zone(zones[_i]);
	for (seconds = YEAR_BEGIN; seconds < YEAR_END; seconds += 597) {
		time_t value = (time_t)read_local(seconds);

		if (value == seconds)
			continue;
		doubled++;
		ck_assert_int_lt(value, seconds);
		ck_assert(read_local(value) == (double)value);
	}
	/* One hour or less of the year, where the zone's data are installed. */
	ck_assert_int_le(doubled, 7);
}
END_TEST

START_TEST(no_run_ends_before_it_starts)
{
	static const time_t lengths[] = { 0, 1, 600, 1800, 3599, 3600, 5400,
					  86400 };
	double start, end;
	time_t seconds;
	size_t i;

	set_zone(zones[_i]);
	for (seconds = YEAR_BEGIN; seconds < YEAR_END; seconds += 797) {
		for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			start = read_local(seconds);
			end = read_local(seconds + lengths[i]);
			sw_local_times_settle(NAN, &start, &end, NAN);
			ck_assert(end >= start);
			start = read_local(seconds);
			end = read_local(seconds + lengths[i]);
			sw_local_times_settle(read_local(seconds), &start, &end,
					      (double)lengths[i]);
			ck_assert(end - start == (double)lengths[i]);
		}
	}
}
END_TEST

START_TEST(a_run_starts_after_it_was_submitted)
{
	/* 02:50 of summer, and 02:10 and 02:20 of winter. */
	const time_t submitted = 1792889400, started = 1792890600;
	double start, end;

	set_zone("Europe/Berlin");
	start = read_local(started);
	end = read_local(started + 600);
	if (read_local(started) == (double)started)
		return;		/* no tzdata */
	sw_local_times_settle(read_local(submitted), &start, &end, NAN);
	ck_assert(start == (double)started);
	ck_assert(end == (double)started + 600);
}
END_TEST

START_TEST(hours_that_are_skipped_and_dates_that_are_none)
{
	struct tm tm = { .tm_year = 126, .tm_mon = 2, .tm_mday = 29,
			 .tm_hour = 2, .tm_min = 30 };
	double value;

	set_zone("Europe/Berlin");
	value = sw_local_time(&tm);
	ck_assert(value >= 1774747800 && value <= 1774751400);
	value = NAN;
	sw_local_times_settle(NAN, &value, &value, NAN);
	ck_assert(isnan(value));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("local_time");
	const int count = sizeof(zones) / sizeof(zones[0]);

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, reads_the_first_of_two, 0, count);
	tcase_add_loop_test(tests, no_run_ends_before_it_starts, 0, count);
	tcase_add_test(tests, a_run_starts_after_it_was_submitted);
	tcase_add_test(tests, hours_that_are_skipped_and_dates_that_are_none);
	return run_tests("local_time", tests, NULL);
}
