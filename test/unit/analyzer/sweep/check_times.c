/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times from words and back, including days of 23 or 25 hours. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/sweep/night/times.h"
#include "test/run_tests.h"

/* 2026-11-22 10:30:15 in UTC, a Sunday. */
#define NOW  UINT64_C(1795343415)
#define HOUR UINT64_C(3600)
#define DAY  (24 * HOUR)

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void in_utc(void)
{
	set_zone("UTC");
}

static const struct {
	const char *text;
	uint64_t seconds;
} good[] = {
	{ "2026-11-22", NOW - 37815 },
	{ "2026-11-22T10:30:15", NOW },
	{ "2026-11-22T10:30", NOW - 15 },
	{ "10:30:15", NOW },
	{ "10:30", NOW - 15 },
	{ "today", NOW - 37815 },
	{ "yesterday", NOW - 37815 - DAY },
	{ "now", NOW },
	{ "uts1795003700", 1795003700 },
	{ "now-1day", NOW - DAY },
	{ "now-7days", NOW - 7 * DAY },
	{ "now-2weeks", NOW - 14 * DAY },
	{ "now-90minutes", NOW - 5400 },
	{ "now-1hour", NOW - HOUR },
	{ "1970-01-02", DAY },
};

START_TEST(takes)
{
	uint64_t seconds = 0;

	ck_assert_int_eq(sw_time_parse(good[_i].text, NOW, &seconds), 0);
	ck_assert_uint_eq(seconds, good[_i].seconds);
}
END_TEST

static const char *const bad[] = {
	"",
	" ",
	"tomorrow",
	"2026-13-01",
	"2026-11-22 10:30",
	"2026-11-22T",
	"2026-11-22x",
	"25:00",
	"uts",
	"uts-1",
	"uts17x",
	"now+1day",
	"now-",
	"now-days",
	"now-1",
	"now-1fortnight",
	"now-1days2",
	"now--1days",
	"now-99999weeks",
	"1969-12-31",
	"99999999999999999999",
};

START_TEST(refuses)
{
	uint64_t seconds = 0;

	errno = 0;
	ck_assert_int_eq(sw_time_parse(bad[_i], NOW, &seconds), -1);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

/* Parsing the formatted time returns the same second. */
START_TEST(comes_back)
{
	static const char *const zones[] = {
		"UTC",
		"Europe/Berlin",
		"America/New_York",
		"Asia/Kathmandu",
	};
	char text[SW_TIME_SIZE];
	uint64_t seconds, again;
	unsigned doubtful = 0;

	set_zone(zones[_i]);
	for (seconds = NOW - 400 * DAY; seconds < NOW;
	     seconds += 7 * HOUR + 1234) {
		sw_time_second(text, seconds);
		ck_assert_int_eq(sw_time_parse(text, NOW, &again), 0);
		if (again == seconds)
			continue;
		/* The hour that occurs twice has one name. */
		ck_assert_msg(again + HOUR == seconds ||
				      again == seconds + HOUR,
			      "%s", text);
		doubtful++;
	}
	/* There is one such hour in a year, and one time every seven hours. */
	ck_assert_uint_le(doubtful, 2);
	in_utc();
}
END_TEST

/* Spring and autumn in Berlin: 2026-03-29 has 23 hours, 2026-10-25 has 25. */
START_TEST(days_of_other_lengths)
{
	uint64_t short_day, long_day;
	char text[SW_TIME_SIZE];

	set_zone("Europe/Berlin");
	ck_assert_int_eq(sw_time_parse("2026-03-29", NOW, &short_day), 0);
	ck_assert_int_eq(sw_time_parse("2026-10-25", NOW, &long_day), 0);
	if (sw_time_midnight(short_day, 1) - short_day == DAY) {
		in_utc(); /* no tzdata */
		return;
	}
	ck_assert_uint_eq(sw_time_midnight(short_day, 1) - short_day,
			  23 * HOUR);
	ck_assert_uint_eq(sw_time_midnight(long_day, 1) - long_day, 25 * HOUR);
	ck_assert(sw_time_is_day(short_day, short_day + 23 * HOUR));
	ck_assert(!sw_time_is_day(short_day, short_day + DAY));
	ck_assert(sw_time_is_day(long_day, long_day + 25 * HOUR));
	ck_assert(!sw_time_is_day(long_day + HOUR, long_day + 26 * HOUR));
	/* Names of summary files have the UTC day. */
	ck_assert_str_eq(sw_time_day(text, long_day), "2026-10-25");
	ck_assert_str_eq(sw_time_utc_day(text, long_day), "2026-10-24");
	in_utc();
}
END_TEST

START_TEST(forms)
{
	char text[SW_TIME_SIZE];

	ck_assert_str_eq(sw_time_day(text, NOW), "2026-11-22");
	ck_assert_str_eq(sw_time_minute(text, NOW), "2026-11-22 10:30");
	ck_assert_str_eq(sw_time_second(text, NOW), "2026-11-22T10:30:15");
	ck_assert_uint_eq(sw_time_midnight(NOW, -1), NOW - 37815 - DAY);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("times");

	tcase_add_checked_fixture(tests, in_utc, NULL);
	tcase_add_loop_test(tests, takes, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tests, refuses, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_loop_test(tests, comes_back, 0, 4);
	tcase_add_test(tests, days_of_other_lengths);
	tcase_add_test(tests, forms);
	return run_tests("times", tests, NULL);
}
