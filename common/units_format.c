/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format sizes and durations as people and Slurm write them. */
#include <inttypes.h>
#include <stdio.h>

#include "common/missing.h"
#include "common/units.h"

char *sw_size_format(char *buf, size_t size, uint64_t bytes)
{
	static const char *const unit[] = { "B",   "KiB", "MiB", "GiB",
					    "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	size_t i = 0;

	if (sw_is_missing(bytes)) {
		snprintf(buf, size, "?");
		return buf;
	}
	/* Use the next unit for 1023.5, which would print as "1024". */
	while (value >= 1023.5 && i + 1 < sizeof(unit) / sizeof(unit[0])) {
		value /= 1024;
		i++;
	}
	if (i == 0)
		snprintf(buf, size, "%" PRIu64 " B", bytes);
	else if (value >= 99.95)
		snprintf(buf, size, "%.0f %s", value, unit[i]);
	else
		snprintf(buf, size, "%.1f %s", value, unit[i]);
	return buf;
}

char *sw_size_format_slurm(char *buf, size_t size, uint64_t bytes)
{
	uint64_t mib;

	if (sw_is_missing(bytes)) {
		snprintf(buf, size, "?");
		return buf;
	}
	mib = bytes / SW_MIB + (bytes % SW_MIB != 0);
	/* --mem=0 means all memory of the node (sbatch(1)). */
	if (mib == 0)
		mib = 1;
	if (mib >= 1024 && mib % 1024 == 0)
		snprintf(buf, size, "%" PRIu64 "G", mib / 1024);
	else
		snprintf(buf, size, "%" PRIu64 "M", mib);
	return buf;
}

static uint64_t nearest_second(uint64_t usec)
{
	return usec / SW_USEC_PER_SEC +
	       (usec % SW_USEC_PER_SEC >= SW_USEC_PER_SEC / 2);
}

/* From a minute on: the two largest units, whole seconds. */
static void format_long(char *buf, size_t size, uint64_t seconds)
{
	if (seconds < 3600)
		snprintf(buf, size, "%" PRIu64 " min %02" PRIu64 " s",
			 seconds / 60, seconds % 60);
	else if (seconds < 86400)
		snprintf(buf, size, "%" PRIu64 " h %02" PRIu64 " min",
			 seconds / 3600, seconds % 3600 / 60);
	else
		snprintf(buf, size, "%" PRIu64 " d %02" PRIu64 " h",
			 seconds / 86400, seconds % 86400 / 3600);
}

char *sw_duration_format(char *buf, size_t size, uint64_t usec)
{
	if (sw_is_missing(usec))
		snprintf(buf, size, "?");
	else if (usec < 1000)
		snprintf(buf, size, "%" PRIu64 " us", usec);
	else if (usec < 99950)
		snprintf(buf, size, "%.1f ms", (double)usec / 1e3);
	else if (usec < 999500)
		snprintf(buf, size, "%.0f ms", (double)usec / 1e3);
	else if (usec < 59950000)
		snprintf(buf, size, "%.1f s", (double)usec / 1e6);
	else
		format_long(buf, size, nearest_second(usec));
	return buf;
}

char *sw_elapsed_format(char *buf, size_t size, uint64_t usec)
{
	uint64_t seconds = nearest_second(usec);

	if (sw_is_missing(usec))
		snprintf(buf, size, "?");
	else if (seconds >= 86400)
		snprintf(buf, size, "%" PRIu64 "-%02u:%02u:%02u",
			 seconds / 86400, (unsigned)(seconds % 86400 / 3600),
			 (unsigned)(seconds % 3600 / 60),
			 (unsigned)(seconds % 60));
	else
		snprintf(buf, size, "%02u:%02u:%02u",
			 (unsigned)(seconds / 3600),
			 (unsigned)(seconds % 3600 / 60),
			 (unsigned)(seconds % 60));
	return buf;
}

/* Format "12345" as "12,345". */
static void put_commas(char *buf, size_t size, uint64_t count)
{
	char digits[24];
	size_t length, i, used = 0;

	length = (size_t)snprintf(digits, sizeof(digits), "%llu",
				  (unsigned long long)count);
	for (i = 0; i < length && used + 2 < size; i++) {
		if (i && (length - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
}

char *sw_rate_format(char *buf, size_t size, double bytes_per_sec)
{
	double rate = bytes_per_sec / 1e6;
	int decimals = rate < 10 ? 2 : rate < 100 ? 1 : 0;

	snprintf(buf, size, "%.*f MB/s", decimals, rate);
	return buf;
}

char *sw_count_format(char *buf, size_t size, uint64_t count)
{
	if (sw_is_missing(count))
		snprintf(buf, size, "?");
	else if (count < 1000000)
		put_commas(buf, size, count);
	else if (count < 999995000)
		snprintf(buf, size, "%.2f million", (double)count / 1e6);
	else
		snprintf(buf, size, "%.2f billion", (double)count / 1e9);
	return buf;
}

struct sw_units_text sw_size_text(uint64_t bytes)
{
	struct sw_units_text text;

	sw_size_format(text.s, sizeof(text.s), bytes);
	return text;
}

struct sw_units_text sw_count_text(uint64_t count)
{
	struct sw_units_text text;

	sw_count_format(text.s, sizeof(text.s), count);
	return text;
}

struct sw_units_text sw_duration_text(uint64_t usec)
{
	struct sw_units_text text;

	sw_duration_format(text.s, sizeof(text.s), usec);
	return text;
}
