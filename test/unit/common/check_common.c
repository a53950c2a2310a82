/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units, escaping, differences and error texts: tables of vectors. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/error.h"
#include "common/escape.h"
#include "common/grow.h"
#include "common/need.h"
#include "common/path.h"
#include "common/text.h"
#include "common/units.h"
#include "common/whole.h"
#include "test/run_tests.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define UNTOUCHED ((uint64_t)0xfeedface)

/* A row for every parser: with error 0 value is expected. */
struct parse_row {
	const char *text;
	int error;
	uint64_t value;
};

static void check_parse(int (*parse)(const char *text, uint64_t *value),
			const struct parse_row *row)
{
	uint64_t value = UNTOUCHED;
	int rc;

	errno = 0;
	rc = parse(row->text, &value);
	if (row->error) {
		ck_assert_msg(rc == -1 && errno == row->error,
			      "\"%s\": rc %d, errno %d, expected %d",
			      row->text ? row->text : "(null)", rc, errno,
			      row->error);
		ck_assert_msg(value == UNTOUCHED, "\"%s\" touched the result",
			      row->text ? row->text : "(null)");
		return;
	}
	ck_assert_msg(rc == 0, "\"%s\": refused, errno %d", row->text, errno);
	ck_assert_msg(value == row->value, "\"%s\": %llu, expected %llu",
		      row->text, (unsigned long long)value,
		      (unsigned long long)row->value);
}

static const struct parse_row sizes[] = {
	{ NULL, EINVAL, 0 },
	{ "", EINVAL, 0 },
	{ " ", EINVAL, 0 },
	{ " 1G", EINVAL, 0 },
	{ "1G ", EINVAL, 0 },
	{ "1 G", EINVAL, 0 },
	{ "12Q", EINVAL, 0 },
	{ "12GG", EINVAL, 0 },
	{ "12GBB", EINVAL, 0 },
	{ "12Gi", EINVAL, 0 },
	{ "12B", EINVAL, 0 },
	{ "12P", EINVAL, 0 },
	{ "-1G", EINVAL, 0 },
	{ "+1G", EINVAL, 0 },
	{ "G", EINVAL, 0 },
	{ ".5G", EINVAL, 0 },
	{ "1.G", EINVAL, 0 },
	{ "1.", EINVAL, 0 },
	{ "1.2.3G", EINVAL, 0 },
	{ "1,5G", EINVAL, 0 },
	{ "1e3", EINVAL, 0 },
	{ "0x10", EINVAL, 0 },
	{ "1\n", EINVAL, 0 },
	{ "0", EINVAL, 0 },
	{ "0G", EINVAL, 0 },
	{ "0.0G", EINVAL, 0 },
	{ "0.0001K", EINVAL, 0 },
	{ "99999999999999999999", ERANGE, 0 },
	{ "18446744073709551616K", ERANGE, 0 },
	{ "18446744073709551615", ERANGE, 0 },
	{ "16777216T", ERANGE, 0 },
	{ "1", 0, SW_MIB },
	{ "001", 0, SW_MIB },
	{ "4000", 0, 4000 * SW_MIB },
	{ "0.5", 0, SW_MIB / 2 },
	{ "1k", 0, SW_KIB },
	{ "1K", 0, SW_KIB },
	{ "1KB", 0, SW_KIB },
	{ "1KiB", 0, SW_KIB },
	{ "12M", 0, 12 * SW_MIB },
	{ "12mb", 0, 12 * SW_MIB },
	{ "1.5G", 0, 3 * SW_GIB / 2 },
	{ "1.500000001G", 0, 3 * SW_GIB / 2 + 1 },
	{ "0.000000001G", 0, 1 },
	{ "2T", 0, 2048 * SW_GIB },
	{ "2TiB", 0, 2048 * SW_GIB },
	{ "16777215T", 0, 16777215 * (SW_GIB << 10) },
};

static const struct {
	const char *path, *name, *folder;
} paths[] = {
	{ "a", "a", "." },	{ "/a", "a", "/" },    { "b/a", "a", "b" },
	{ "/b/a", "a", "/b" },	{ "/b/a/", "", "/b/a" },
	{ "../a", "a", ".." },	{ "/", "", "/" },      { "", "", "." },
};

START_TEST(paths_have_a_folder_and_a_name)
{
	const char *path = paths[_i].path;
	size_t size = strlen(paths[_i].folder) + 1;
	char folder[16];

	ck_assert_str_eq(sw_path_name(path), paths[_i].name);
	ck_assert_int_eq(sw_path_folder(path, folder, size), 0);
	ck_assert_str_eq(folder, paths[_i].folder);
	errno = 0;
	ck_assert_int_eq(sw_path_folder(path, folder, size - 1), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

START_TEST(whole_numbers_are_bounded)
{
	ck_assert_uint_eq(sw_whole_real(5.7), 5);
	ck_assert_uint_eq(sw_whole_real(-3), 0);
	ck_assert_uint_eq(sw_whole_real(NAN), SW_MISSING);
	ck_assert_uint_eq(sw_whole_real(INFINITY), SW_MISSING - 1);
	ck_assert_uint_eq(sw_whole_real(1e30), SW_MISSING - 1);
	ck_assert_uint_eq(sw_whole_real(-INFINITY), 0);
	ck_assert_uint_eq(sw_whole_real(0x1p63), (uint64_t)1 << 63);
}
END_TEST

START_TEST(parses_sizes)
{
	check_parse(sw_size_parse, &sizes[_i]);
}
END_TEST

static const struct parse_row byte_sizes[] = {
	{ NULL, EINVAL, 0 },
	{ "", EINVAL, 0 },
	{ " 1", EINVAL, 0 },
	{ "1 ", EINVAL, 0 },
	{ "-1", EINVAL, 0 },
	{ "0", EINVAL, 0 },
	{ "0.5", EINVAL, 0 },
	{ "1P", EINVAL, 0 },
	{ "12345678901 reads.fq", EINVAL, 0 },
	{ "18446744073709551615", ERANGE, 0 },
	{ "1", 0, 1 },
	{ "12345678901", 0, 12345678901 },
	{ "18446744073709551614", 0, UINT64_MAX - 1 },
	{ "1k", 0, SW_KIB },
	{ "1.5G", 0, 3 * SW_GIB / 2 },
	{ "2TiB", 0, 2048 * SW_GIB },
};

START_TEST(parses_bytes)
{
	check_parse(sw_bytes_parse, &byte_sizes[_i]);
}
END_TEST

static const struct parse_row time_limits[] = {
	{ NULL, EINVAL, 0 },
	{ "", EINVAL, 0 },
	{ "-", EINVAL, 0 },
	{ ":", EINVAL, 0 },
	{ "1:", EINVAL, 0 },
	{ ":1", EINVAL, 0 },
	{ "1::2", EINVAL, 0 },
	{ "1-", EINVAL, 0 },
	{ "-1", EINVAL, 0 },
	{ "1-2-3", EINVAL, 0 },
	{ "1:2-3", EINVAL, 0 },
	{ "1:2:3:4", EINVAL, 0 },
	{ "1-2:3:4:5", EINVAL, 0 },
	{ "1.5", EINVAL, 0 },
	{ "10m", EINVAL, 0 },
	{ " 10", EINVAL, 0 },
	{ "10 ", EINVAL, 0 },
	{ "UNLIMITED", EINVAL, 0 },
	{ "0", EINVAL, 0 },
	{ "0:00:00", EINVAL, 0 },
	{ "0-0", EINVAL, 0 },
	{ "99999999999999999999", ERANGE, 0 },
	{ "18446744073709551615", ERANGE, 0 },
	{ "18446744073709551615-0", ERANGE, 0 },
	{ "0:18446744073709551615", ERANGE, 0 },
	{ "1", 0, 60 * SW_USEC_PER_SEC },
	{ "90", 0, 5400 * SW_USEC_PER_SEC },
	{ "0:01", 0, SW_USEC_PER_SEC },
	{ "2:30", 0, 150 * SW_USEC_PER_SEC },
	{ "1:02:03", 0, 3723 * SW_USEC_PER_SEC },
	{ "100:00:00", 0, 360000 * SW_USEC_PER_SEC },
	{ "2-3", 0, 183600 * SW_USEC_PER_SEC },
	{ "2-03:04", 0, 183840 * SW_USEC_PER_SEC },
	{ "2-03:04:05", 0, 183845 * SW_USEC_PER_SEC },
	{ "0-0:1", 0, 60 * SW_USEC_PER_SEC },
};

START_TEST(parses_time_limits)
{
	check_parse(sw_time_limit_parse, &time_limits[_i]);
}
END_TEST

static const struct parse_row periods[] = {
	{ NULL, EINVAL, 0 },
	{ "", EINVAL, 0 },
	{ "0", EINVAL, 0 },
	{ "0ms", EINVAL, 0 },
	{ "0.1us", EINVAL, 0 },
	{ "-1s", EINVAL, 0 },
	{ "1d", EINVAL, 0 },
	{ "1 s", EINVAL, 0 },
	{ "1sec", EINVAL, 0 },
	{ "ms", EINVAL, 0 },
	{ "99999999999999999999s", ERANGE, 0 },
	{ "18446744073710s", ERANGE, 0 },
	{ "1", 0, SW_USEC_PER_SEC },
	{ "0.1", 0, 100000 },
	{ "250us", 0, 250 },
	{ "100ms", 0, 100000 },
	{ "2.5S", 0, 2500000 },
	{ "5m", 0, 300 * SW_USEC_PER_SEC },
	{ "1h", 0, 3600 * SW_USEC_PER_SEC },
};

START_TEST(parses_periods)
{
	check_parse(sw_period_parse, &periods[_i]);
}
END_TEST

static const struct parse_row ages[] = {
	{ NULL, EINVAL, 0 },
	{ "30", EINVAL, 0 },
	{ "0d", EINVAL, 0 },
	{ "-1d", EINVAL, 0 },
	{ "1y", EINVAL, 0 },
	{ "99999999999999999999w", ERANGE, 0 },
	{ "5m", 0, 300 * SW_USEC_PER_SEC },
	{ "12h", 0, 12 * 3600 * SW_USEC_PER_SEC },
	{ "1.5d", 0, 36 * 3600 * SW_USEC_PER_SEC },
	{ "2w", 0, 14 * 24 * 3600 * SW_USEC_PER_SEC },
};

START_TEST(parses_ages)
{
	check_parse(sw_age_parse, &ages[_i]);
}
END_TEST

static int parse_small_count(const char *text, uint64_t *value)
{
	return sw_count_parse(text, 1, 64, value);
}

static const struct parse_row counts[] = {
	{ NULL, EINVAL, 0 },   { "", EINVAL, 0 },    { "-1", EINVAL, 0 },
	{ "+1", EINVAL, 0 },   { " 1", EINVAL, 0 },  { "1 ", EINVAL, 0 },
	{ "1.0", EINVAL, 0 },  { "0x1", EINVAL, 0 }, { "one", EINVAL, 0 },
	{ "0", ERANGE, 0 },    { "65", ERANGE, 0 },
	{ "99999999999999999999", ERANGE, 0 },
	{ "1", 0, 1 },	       { "064", 0, 64 },
};

START_TEST(parses_counts)
{
	check_parse(parse_small_count, &counts[_i]);
}
END_TEST

struct format_row {
	char *(*format)(char *buf, size_t size, uint64_t value);
	uint64_t value;
	const char *text;
};

static const struct format_row formats[] = {
	{ sw_size_format, SW_MISSING, "?" },
	{ sw_size_format, 0, "0 B" },
	{ sw_size_format, 1023, "1023 B" },
	{ sw_size_format, 1024, "1.0 KiB" },
	{ sw_size_format, 102347, "99.9 KiB" },
	{ sw_size_format, 102400, "100 KiB" },
	{ sw_size_format, 1023 * SW_KIB, "1023 KiB" },
	{ sw_size_format, SW_MIB - 400, "1.0 MiB" },
	{ sw_size_format, SW_MIB - 1, "1.0 MiB" },
	{ sw_size_format, 161 * SW_MIB, "161 MiB" },
	{ sw_size_format, SW_GIB - 1, "1.0 GiB" },
	{ sw_size_format, 3 * SW_GIB / 2, "1.5 GiB" },
	{ sw_size_format, UINT64_MAX - 1, "16.0 EiB" },
	{ sw_size_format_slurm, SW_MISSING, "?" },
	{ sw_size_format_slurm, 0, "1M" },
	{ sw_size_format_slurm, 1, "1M" },
	{ sw_size_format_slurm, SW_MIB, "1M" },
	{ sw_size_format_slurm, SW_MIB + 1, "2M" },
	{ sw_size_format_slurm, 161 * SW_MIB, "161M" },
	{ sw_size_format_slurm, 1023 * SW_MIB + 1, "1G" },
	{ sw_size_format_slurm, 12 * SW_GIB, "12G" },
	{ sw_size_format_slurm, 12 * SW_GIB + 1, "12289M" },
	{ sw_size_format_slurm, UINT64_MAX - 1, "17179869184G" },
	{ sw_duration_format, SW_MISSING, "?" },
	{ sw_duration_format, 0, "0 us" },
	{ sw_duration_format, 999, "999 us" },
	{ sw_duration_format, 1000, "1.0 ms" },
	{ sw_duration_format, 99949, "99.9 ms" },
	{ sw_duration_format, 99999, "100 ms" },
	{ sw_duration_format, 850000, "850 ms" },
	{ sw_duration_format, 999499, "999 ms" },
	{ sw_duration_format, 999500, "1.0 s" },
	{ sw_duration_format, 11400000, "11.4 s" },
	{ sw_duration_format, 59949999, "59.9 s" },
	{ sw_duration_format, 59950000, "1 min 00 s" },
	{ sw_duration_format, 200000000, "3 min 20 s" },
	{ sw_duration_format, 3599499999, "59 min 59 s" },
	{ sw_duration_format, 3599500000, "1 h 00 min" },
	{ sw_duration_format, 7500000000, "2 h 05 min" },
	{ sw_duration_format, 86399499999, "23 h 59 min" },
	{ sw_duration_format, 86399500000, "1 d 00 h" },
	{ sw_duration_format, 93600000000, "1 d 02 h" },
	{ sw_duration_format, UINT64_MAX - 1, "213503982 d 08 h" },
	{ sw_count_format, SW_MISSING, "?" },
	{ sw_count_format, 0, "0" },
	{ sw_count_format, 999, "999" },
	{ sw_count_format, 1000, "1,000" },
	{ sw_count_format, 999999, "999,999" },
	{ sw_count_format, 1000000, "1.00 million" },
	{ sw_count_format, 4710000, "4.71 million" },
	{ sw_count_format, 999994999, "999.99 million" },
	{ sw_count_format, 999995000, "1.00 billion" },
	{ sw_count_format, UINT64_MAX - 1, "18446744073.71 billion" },
	{ sw_elapsed_format, SW_MISSING, "?" },
	{ sw_elapsed_format, 0, "00:00:00" },
	{ sw_elapsed_format, 3723499999, "01:02:03" },
	{ sw_elapsed_format, 86399499999, "23:59:59" },
	{ sw_elapsed_format, 86399500000, "1-00:00:00" },
	{ sw_elapsed_format, 86400000000, "1-00:00:00" },
	{ sw_elapsed_format, 183845000000, "2-03:04:05" },
	{ sw_elapsed_format, UINT64_MAX - 1, "213503982-08:01:50" },
};

START_TEST(formats_units)
{
	const struct format_row *row = &formats[_i];
	char buf[SW_UNITS_TEXT_SIZE], tiny[3];

	ck_assert_str_eq(row->format(buf, sizeof(buf), row->value), row->text);
	/* A short buffer truncates and terminates. */
	row->format(tiny, sizeof(tiny), row->value);
	ck_assert_uint_lt(strlen(tiny), sizeof(tiny));
	ck_assert_int_eq(strncmp(tiny, row->text, strlen(tiny)), 0);
}
END_TEST

START_TEST(formats_rates)
{
	char buf[SW_UNITS_TEXT_SIZE];

	ck_assert_str_eq(sw_rate_format(buf, sizeof(buf), 0), "0.00 MB/s");
	ck_assert_str_eq(sw_rate_format(buf, sizeof(buf), 1250e3),
			 "1.25 MB/s");
	ck_assert_str_eq(sw_rate_format(buf, sizeof(buf), 33.7e6),
			 "33.7 MB/s");
	ck_assert_str_eq(sw_rate_format(buf, sizeof(buf), 3250e6),
			 "3250 MB/s");
}
END_TEST

/* The formatted --mem must not be smaller than the value. */
START_TEST(slurm_size_is_never_below)
{
	static const uint64_t bytes[] = {
		1, SW_MIB - 1, SW_MIB + 1, SW_GIB - 1, SW_GIB, SW_GIB + 1,
		37 * SW_GIB + 12345, SW_GIB << 9,
	};
	char buf[SW_UNITS_TEXT_SIZE];
	uint64_t back;
	size_t i;

	for (i = 0; i < COUNT(bytes); i++) {
		sw_size_format_slurm(buf, sizeof(buf), bytes[i]);
		ck_assert_int_eq(sw_size_parse(buf, &back), 0);
		ck_assert_uint_ge(back, bytes[i]);
		ck_assert_uint_lt(back - bytes[i], SW_MIB);
	}
}
END_TEST

struct escape_row {
	const char *text, *terminal, *ascii;
};

#define SAME NULL	/* ascii is equal to terminal */

static const struct escape_row escapes[] = {
	{ "\033[31mred", "\\x1b[31mred", SAME },
	{ "\033]0;title\a", "\\x1b]0;title\\x07", SAME },
	{ "a\nb\tc\r", "a\\x0ab\\x09c\\x0d", SAME },
	{ "\x7f", "\\x7f", SAME },
	{ "\xc2\x9b" "31m", "\\xc2\\x9b31m", SAME },		/* C1 CSI */
	{ "\x9b" "31m", "\\x9b31m", SAME },		/* C1, 8-bit */
	{ "\xff\xfe", "\\xff\\xfe", SAME },
	{ "\xc3", "\\xc3", SAME },			/* truncated */
	{ "\xe2\x82", "\\xe2\\x82", SAME },
	{ "\xe2\x82x", "\\xe2\\x82x", SAME },
	{ "\xf0\x9f\x98", "\\xf0\\x9f\\x98", SAME },
	{ "\xc0\xaf", "\\xc0\\xaf", SAME },		/* overlong "/" */
	{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf", SAME },
	{ "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf", SAME },
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80", SAME },	/* surrogate */
	{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", SAME }, /* > U+10FFFF */
	{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80", SAME },
	{ "\x80", "\\x80", SAME },			/* lone continuation */
	{ "a\xe2\x80\xae" "b", "a\\xe2\\x80\\xaeb", SAME },	/* bidi RLO */
	{ "a\xe2\x81\xa6" "b", "a\\xe2\\x81\\xa6b", SAME },	/* bidi LRI */
	{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b", SAME },	/* zero width */
	{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8", SAME },	/* line separator */
	{ "\xef\xbb\xbf", "\\xef\\xbb\\xbf", SAME },	/* BOM */
	{ "\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81", SAME },	/* tag A */
	{ "", "", SAME },
	{ "gzip", "gzip", SAME },
	{ "it's \"quoted\" \\ <b>", "it's \"quoted\" \\ <b>", SAME },
	{ "gr\xc3\xb6\xc3\x9f" "e", "gr\xc3\xb6\xc3\x9f" "e",
	  "gr\\xc3\\xb6\\xc3\\x9fe" },
	{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\xf0\\x9f\\x98\\x80" },
};

START_TEST(escapes_hostile_text)
{
	const struct escape_row *row = &escapes[_i];
	char buf[256];

	ck_assert_str_eq(sw_escape_terminal(buf, sizeof(buf), row->text),
			 row->terminal);
	ck_assert_str_eq(sw_escape_ascii(buf, sizeof(buf), row->text),
			 row->ascii ? row->ascii : row->terminal);
}
END_TEST

/* Whatever the room, the result is terminated and has whole characters. */
START_TEST(escape_never_cuts_inside)
{
	static const char text[] = "a\xc3\xb6\033\xf0\x9f\x98\x80z";
	static const size_t stops[] = { 0, 1, 3, 7, 11, 12 };
	char buf[32];
	size_t size, i, length;

	sw_escape_terminal(NULL, 0, text);
	for (size = 1; size < sizeof(buf); size++) {
		memset(buf, '#', sizeof(buf));
		sw_escape_terminal(buf, size, text);
		length = strlen(buf);
		ck_assert_uint_lt(length, size);
		for (i = 0; i < COUNT(stops) && stops[i] != length; i++)
			;
		ck_assert_msg(i < COUNT(stops), "size %zu: cut at %zu", size,
			      length);
		ck_assert_int_eq(buf[size], '#');
	}
}
END_TEST

START_TEST(missing_is_not_zero)
{
	ck_assert_uint_eq(sw_delta_u64(5, 3), 2);
	ck_assert_uint_eq(sw_delta_u64(3, 3), 0);
	ck_assert_uint_eq(sw_delta_u64(3, 5), SW_MISSING);
	ck_assert_uint_eq(sw_delta_u64(SW_MISSING, 5), SW_MISSING);
	ck_assert_uint_eq(sw_delta_u64(5, SW_MISSING), SW_MISSING);
	ck_assert_uint_eq(sw_delta_u64(SW_MISSING, SW_MISSING), SW_MISSING);
	ck_assert_uint_eq(sw_excess_u64(5, 3), 2);
	ck_assert_uint_eq(sw_excess_u64(3, 5), 0);
	ck_assert_uint_eq(sw_excess_u64(SW_MISSING, 5), SW_MISSING);
	ck_assert_uint_eq(sw_excess_u64(5, SW_MISSING), SW_MISSING);
	ck_assert_uint_eq(sw_max_u64(SW_MISSING, 5), 5);
	ck_assert_uint_eq(sw_max_u64(5, SW_MISSING), 5);
	ck_assert_uint_eq(sw_max_u64(5, 7), 7);
	ck_assert_uint_eq(sw_max_u64(SW_MISSING, SW_MISSING), SW_MISSING);
	ck_assert_uint_eq(sw_add_u64(5, 7), 12);
	ck_assert_uint_eq(sw_add_u64(SW_MISSING, 0), SW_MISSING);
	ck_assert_uint_eq(sw_add_u64(0, SW_MISSING), SW_MISSING);
	ck_assert_uint_eq(sw_add_u64(UINT64_MAX - 1, 0), UINT64_MAX - 1);
	ck_assert_uint_eq(sw_add_u64(UINT64_MAX - 1, 1), SW_MISSING);
	ck_assert_uint_eq(sw_add_u64(UINT64_MAX - 1, UINT64_MAX - 1),
			  SW_MISSING);
}
END_TEST

/* memory.stat of some kernels, and its unreclaimable part. */
static const struct {
	struct sw_memory_parts parts;
	uint64_t need;
} needs[] = {
	/* Linux 5.18 and later report the sum, including slab. */
	{ { 1000, 200, 0, 90, 30, 5, 16, 24, 0, 0, 20 }, 1265 },
	/* RHEL 8.6 to 8.10 and 9.0: only its parts; 8.4: no page tables. */
	{ { 1000, 200, 0, SW_MISSING, 30, 5, 16, 24, 2, SW_MISSING, 20 },
	  1267 },
	{ { 1000, 200, 0, SW_MISSING, 30, 5, 16, SW_MISSING, 2, SW_MISSING,
	    20 }, 1243 },
	/* cgroup v1: the sum, without reclaimable slab. */
	{ { 1000, 200, 0, 90, SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,
	    SW_MISSING, SW_MISSING, SW_MISSING }, 1200 },
	{ { SW_MISSING, 200, 0, 90, 30, 5, 16, 24, 2, 0, 20 }, SW_MISSING },
};

START_TEST(needs_by_kernel)
{
	ck_assert_uint_eq(sw_need_bytes(&needs[_i].parts), needs[_i].need);
}
END_TEST

START_TEST(errors_keep_errno)
{
	char big[2 * SW_ERROR_TEXT_SIZE];
	struct sw_error error;

	errno = ENOSPC;
	ck_assert_int_eq(sw_error_set(&error, "%s: %d", "spool", 3), -1);
	ck_assert_str_eq(error.text, "spool: 3");
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(sw_error_errno(&error, "spool"), -1);
	ck_assert_str_eq(error.text, "spool: No space left on device");
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(sw_error_set(NULL, "nobody listens"), -1);
	ck_assert_int_eq(sw_error_errno(NULL, "nobody listens"), -1);
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	sw_error_errno(&error, "%s", big);
	ck_assert_uint_eq(strlen(error.text), SW_ERROR_TEXT_SIZE - 1);
}
END_TEST

/* Items are added and removed at the end: the rest is kept, with room. */
START_TEST(arrays_grow)
{
	size_t *items = NULL, count = 0, i;
	bool has_gone_back = false;

	for (; count < 1000; count++) {
		/* Go below a power of two, and grow again. */
		if (count == 130 && !has_gone_back) {
			has_gone_back = true;
			count = 60;
		}
		ck_assert_int_eq(sw_grow(&items, count, sizeof(*items)), 0);
		items[count] = count;
	}
	for (i = 0; i < count; i++)
		ck_assert_uint_eq(items[i], i);
	free(items);
}
END_TEST

START_TEST(texts_are_cut)
{
	char text[8] = "";

	sw_text_add(text, sizeof(text), "%s", "four");
	sw_text_add(text, sizeof(text), " %d", 12345);
	ck_assert_str_eq(text, "four 12");
	sw_text_add(text, sizeof(text), "more");
	ck_assert_str_eq(text, "four 12");
}
END_TEST

START_TEST(clocks_go_on)
{
	uint64_t before = sw_clock_boottime_usec();

	ck_assert_uint_gt(before, 0);
	ck_assert_uint_ge(sw_clock_boottime_usec(), before);
	/* 2020-01-01: a clock in other units would not exceed it. */
	ck_assert_uint_gt(sw_clock_realtime_usec(),
			  (uint64_t)1577836800 * SW_USEC_PER_SEC);
	ck_assert_uint_lt(sw_clock_realtime_usec(),
			  (uint64_t)1577836800 * 1000 * SW_USEC_PER_SEC);
}
END_TEST

/* Read what exists; errors otherwise. */
START_TEST(whole_is_all_or_an_error)
{
	char text[8] = "";
	FILE *file = tmpfile();
	int fd, full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_ptr_nonnull(file);
	fd = fileno(file);
	ck_assert_int_eq(sw_write_whole(fd, "abcdef", 6, 2), 0);
	ck_assert_int_eq(sw_read_whole(fd, text, 3, 4), 3);
	ck_assert_str_eq(text, "cde");
	ck_assert_int_eq(sw_read_whole(fd, text, 8, 5), 3);
	ck_assert_int_eq(sw_read_whole(fd, text, 8, 100), 0);
	ck_assert_int_eq(sw_write_whole(full, "a", 1, 0), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(sw_read_whole(-1, text, 1, 0), -1);
	close(full);
	fclose(file);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("vectors");

	tcase_add_test(tcase, whole_is_all_or_an_error);
	tcase_add_test(tcase, whole_numbers_are_bounded);
	tcase_add_loop_test(tcase, paths_have_a_folder_and_a_name, 0,
			    COUNT(paths));
	tcase_add_loop_test(tcase, parses_sizes, 0, COUNT(sizes));
	tcase_add_loop_test(tcase, parses_bytes, 0, COUNT(byte_sizes));
	tcase_add_loop_test(tcase, parses_time_limits, 0, COUNT(time_limits));
	tcase_add_loop_test(tcase, parses_periods, 0, COUNT(periods));
	tcase_add_loop_test(tcase, parses_ages, 0, COUNT(ages));
	tcase_add_loop_test(tcase, parses_counts, 0, COUNT(counts));
	tcase_add_loop_test(tcase, needs_by_kernel, 0, COUNT(needs));
	tcase_add_loop_test(tcase, formats_units, 0, COUNT(formats));
	tcase_add_test(tcase, formats_rates);
	tcase_add_loop_test(tcase, escapes_hostile_text, 0, COUNT(escapes));
	tcase_add_test(tcase, slurm_size_is_never_below);
	tcase_add_test(tcase, escape_never_cuts_inside);
	tcase_add_test(tcase, missing_is_not_zero);
	tcase_add_test(tcase, errors_keep_errno);
	tcase_add_test(tcase, arrays_grow);
	tcase_add_test(tcase, texts_are_cut);
	tcase_add_test(tcase, clocks_go_on);
	return run_tests("common", tcase, NULL);
}
