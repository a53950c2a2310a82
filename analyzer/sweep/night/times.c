/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse and format times. */
#include "analyzer/sweep/night/times.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/local_time.h"

static struct tm local_of(uint64_t seconds)
{
	time_t time = (time_t)seconds;
	struct tm tm = { 0 };

	localtime_r(&time, &tm);
	return tm;
}

static uint64_t seconds_of(const struct tm *tm)
{
	double seconds = sw_local_time(tm);

	return seconds > 0 ? (uint64_t)seconds : 0;
}

uint64_t sw_time_midnight(uint64_t seconds, int days)
{
	struct tm tm = local_of(seconds);

	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_mday += days;
	return seconds_of(&tm);
}

bool sw_time_is_day(uint64_t from_seconds, uint64_t until_seconds)
{
	return sw_time_midnight(from_seconds, 0) == from_seconds &&
	       sw_time_midnight(from_seconds, 1) == until_seconds;
}

/* "uts1795003700": the same in all zones, and in the hour that comes twice. */
static int parse_uts(const char *text, uint64_t *seconds)
{
	unsigned long long value;
	char more;

	if (*text < '0' || *text > '9' ||
	    sscanf(text, "%12llu%c", &value, &more) != 1 || !value)
		return -1;
	*seconds = value;
	return 0;
}

/* "now-2days": behind "now". */
static int parse_ago(const char *text, uint64_t now, uint64_t *seconds)
{
	static const struct {
		const char *name;
		uint64_t seconds;
	} units[] = {
		{ "minutes", 60 },   { "hours", 3600 },
		{ "days", 86400 },   { "weeks", 7 * 86400 },
		{ "minute", 60 },    { "hour", 3600 },
		{ "day", 86400 },    { "week", 7 * 86400 },
	};
	char unit[16], more;
	unsigned count;
	size_t i;

	if (!*text) {
		*seconds = now;
		return 0;
	}
	if (sscanf(text, "-%5u%15[a-z]%c", &count, unit, &more) != 2)
		return -1;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(units[i].name, unit) &&
		    count * units[i].seconds < now) {
			*seconds = now - count * units[i].seconds;
			return 0;
		}
	}
	return -1;
}

/* Use the first format that matches the whole text. */
static int parse_date(const char *text, uint64_t now, uint64_t *seconds)
{
	static const char *const forms[] = {
		"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d",
		"%H:%M:%S", "%H:%M",
	};
	struct tm tm;
	const char *end;
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		tm = local_of(sw_time_midnight(now, 0));
		end = strptime(text, forms[i], &tm);
		if (end && !*end) {
			*seconds = seconds_of(&tm);
			return *seconds ? 0 : -1;
		}
	}
	return -1;
}

int sw_time_parse(const char *text, uint64_t now_seconds, uint64_t *seconds)
{
	int rc = 0;

	if (!strcmp(text, "today"))
		*seconds = sw_time_midnight(now_seconds, 0);
	else if (!strcmp(text, "yesterday"))
		*seconds = sw_time_midnight(now_seconds, -1);
	else if (!strncmp(text, "uts", 3))
		rc = parse_uts(text + 3, seconds);
	else if (!strncmp(text, "now", 3))
		rc = parse_ago(text + 3, now_seconds, seconds);
	else
		rc = parse_date(text, now_seconds, seconds);
	if (rc < 0)
		errno = EINVAL;
	return rc;
}

static char *print(char buf[SW_TIME_SIZE], const char *form,
		   const struct tm *tm)
{
	if (!strftime(buf, SW_TIME_SIZE, form, tm))
		strcpy(buf, "?");
	return buf;
}

char *sw_time_day(char buf[SW_TIME_SIZE], uint64_t seconds)
{
	struct tm tm = local_of(seconds);

	return print(buf, "%Y-%m-%d", &tm);
}

char *sw_time_minute(char buf[SW_TIME_SIZE], uint64_t seconds)
{
	struct tm tm = local_of(seconds);

	return print(buf, "%Y-%m-%d %H:%M", &tm);
}

char *sw_time_second(char buf[SW_TIME_SIZE], uint64_t seconds)
{
	struct tm tm = local_of(seconds);

	return print(buf, "%Y-%m-%dT%H:%M:%S", &tm);
}

char *sw_time_utc_day(char buf[SW_TIME_SIZE], uint64_t seconds)
{
	time_t time = (time_t)seconds;
	struct tm tm = { 0 };

	gmtime_r(&time, &tm);
	return print(buf, "%Y-%m-%d", &tm);
}
