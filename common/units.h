/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse and format sizes and durations as people and Slurm write them.
 *
 * Parsers return 0, or -1 with errno EINVAL (syntax) or ERANGE (does not fit 64
 * bits); the result is unchanged on failure.  Formatters always terminate buf,
 * print "?" for SW_MISSING, and return buf.
 */
#ifndef SW_COMMON_UNITS_H
#define SW_COMMON_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "common/missing.h"

/* Large enough for every formatter of this header. */
#define SW_UNITS_TEXT_SIZE 40

#define SW_KIB ((uint64_t)1 << 10)
#define SW_MIB ((uint64_t)1 << 20)
#define SW_GIB ((uint64_t)1 << 30)

#define SW_USEC_PER_SEC ((uint64_t)1000000)
#define SW_NSEC_PER_USEC ((uint64_t)1000)

/* SW_MISSING if that is missing or too large. */
static inline uint64_t sw_usec_of_seconds(uint64_t seconds)
{
	return seconds > SW_MISSING / SW_USEC_PER_SEC ?
		       SW_MISSING : seconds * SW_USEC_PER_SEC;
}

/*
 * A size as for sbatch --mem: digits, at most one '.', then K, M, G or T
 * (either case, powers of 1024, "iB" or "B" may follow); MiB without a suffix,
 * as in sbatch(1).  Zero is refused.
 */
int sw_size_parse(const char *text, uint64_t *bytes);

/*
 * A number of bytes: as above, but bytes without a suffix, as printed by
 * stat(1) and du(1).
 */
int sw_bytes_parse(const char *text, uint64_t *bytes);

/*
 * A time limit as for sbatch --time: "minutes", "minutes:seconds",
 * "hours:minutes:seconds", "days-hours", "days-hours:minutes",
 * "days-hours:minutes:seconds" (sbatch(1)).  Zero is refused.
 */
int sw_time_limit_parse(const char *text, uint64_t *usec);

/*
 * A period: digits with at most one '.', then "us", "ms", "s", "m" or "h";
 * seconds without a suffix.  Zero is refused.
 */
int sw_period_parse(const char *text, uint64_t *usec);

/*
 * An age: as above, with "m", "h", "d" or "w" (minutes to weeks).  The suffix
 * is required, since "30" could mean any of them.
 */
int sw_age_parse(const char *text, uint64_t *usec);

/* A whole number in [min, max], with nothing before or after it. */
int sw_count_parse(const char *text, uint64_t min, uint64_t max,
		   uint64_t *count);

/* "161 MiB", "4.0 KiB", "512 B": two to four significant digits. */
char *sw_size_format(char *buf, size_t size, uint64_t bytes);

/* A size for sbatch --mem, rounded up: "161M", "12G"; at least "1M". */
char *sw_size_format_slurm(char *buf, size_t size, uint64_t bytes);

/* "33.7 MB/s", "3250 MB/s": powers of 1000, as for networks and disks. */
char *sw_rate_format(char *buf, size_t size, double bytes_per_sec);

/* "12,345", "4.71 million", "3.20 billion"; "?" if missing. */
char *sw_count_format(char *buf, size_t size, uint64_t count);

/* "850 ms", "11.4 s", "3 min 20 s", "2 h 05 min", "1 d 02 h". */
char *sw_duration_format(char *buf, size_t size, uint64_t usec);

/* As Slurm's "[D-]HH:MM:SS", rounded to seconds. */
char *sw_elapsed_format(char *buf, size_t size, uint64_t usec);

/*
 * The same as values, for use as arguments: printf("%s", sw_size_text(n).s).
 * The text is valid until the end of the statement.
 */
struct sw_units_text {
	char s[SW_UNITS_TEXT_SIZE];
};

struct sw_units_text sw_size_text(uint64_t bytes);
struct sw_units_text sw_count_text(uint64_t count);
struct sw_units_text sw_duration_text(uint64_t usec);

#endif
