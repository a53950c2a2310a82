/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in the format of sacct's -S and -E, and days of local time. */
#ifndef SW_ANALYZER_TIMES_H
#define SW_ANALYZER_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "2026-11-22", "2026-11-22T10:30[:00]", "10:30" (of today), "today",
 * "yesterday", "now", "now-2days" (also minutes, hours, weeks), or seconds since
 * the Epoch behind "uts".  0, or -1 (errno EINVAL).
 */
int sw_time_parse(const char *text, uint64_t now_seconds, uint64_t *seconds);

/* The local midnight before, plus days. */
uint64_t sw_time_midnight(uint64_t seconds, int days);

/* True for exactly one local day, from midnight to midnight. */
bool sw_time_is_day(uint64_t from_seconds, uint64_t until_seconds);

enum { SW_TIME_SIZE = 32 };

/*
 * "2026-11-22", "2026-11-22 10:30", "2026-11-22T10:30:59", of local time; each
 * returns buf.
 */
char *sw_time_day(char buf[SW_TIME_SIZE], uint64_t seconds);
char *sw_time_minute(char buf[SW_TIME_SIZE], uint64_t seconds);
char *sw_time_second(char buf[SW_TIME_SIZE], uint64_t seconds);
/* Format the day in UTC, which summary files use. */
char *sw_time_utc_day(char buf[SW_TIME_SIZE], uint64_t seconds);

#endif
