/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "This value does not exist" for each type.  Absent is not zero: a counter
 * that the kernel does not have is SW_MISSING from the (failed) reading until
 * the report prints "not evaluated, because".
 *
 *	uint64_t		SW_MISSING
 *	uint32_t		SW_NO_ID: a number of Slurm's in a message
 *	int			SW_NO_INDEX: an index of an array
 *	double			NAN; check with isnan()
 *	const char *		NULL, which sw_text() reads as ""
 *	char[]			"", since an array is never NULL
 */
#ifndef SW_COMMON_MISSING_H
#define SW_COMMON_MISSING_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SW_MISSING UINT64_MAX
#define SW_NO_ID UINT32_MAX
enum { SW_NO_INDEX = -1 };

static inline bool sw_is_missing(uint64_t value)
{
	return value == SW_MISSING;
}

/* The larger of two values, either of which may be missing. */
static inline uint64_t sw_max_u64(uint64_t a, uint64_t b)
{
	if (sw_is_missing(a))
		return b;
	if (sw_is_missing(b))
		return a;
	return a > b ? a : b;
}

/* The smaller of two values, either of which may be missing. */
static inline uint64_t sw_min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;	/* SW_MISSING is the largest number */
}

static inline uint64_t sw_zero_if_missing(uint64_t value)
{
	return sw_is_missing(value) ? 0 : value;
}

/* Sum of two values; missing if either is, or if it would overflow. */
static inline uint64_t sw_add_u64(uint64_t a, uint64_t b)
{
	if (sw_is_missing(a) || sw_is_missing(b) || a >= SW_MISSING - b)
		return SW_MISSING;
	return a + b;
}

/*
 * Sum of the known values: missing until one is known, since absent is not
 * zero, then ignoring missing ones.
 */
static inline uint64_t sw_sum_u64(uint64_t sum, uint64_t value)
{
	if (sw_is_missing(value))
		return sum;
	return sw_is_missing(sum) ? value : sw_add_u64(sum, value);
}

static inline void sw_set_missing(uint64_t *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = SW_MISSING;
}

static inline double sw_real_u64(uint64_t value)
{
	return sw_is_missing(value) ? NAN : (double)value;
}

/* Return NAN for 0, too: for values that are unknown if 0. */
static inline double sw_real_positive(uint64_t value)
{
	return sw_is_missing(value) || !value ? NAN : (double)value;
}

/*
 * Convert to an integer: NAN to missing, negative to 0, too large to the
 * maximum (the cast would be undefined for these).
 */
static inline uint64_t sw_whole_real(double value)
{
	if (isnan(value))
		return SW_MISSING;
	if (value <= 0)
		return 0;
	return value < 0x1p64 ? (uint64_t)value : SW_MISSING - 1;
}

/* NAN if one of them is missing, or whole is 0. */
static inline double sw_ratio_u64(uint64_t part, uint64_t whole)
{
	return whole == 0 ? NAN : sw_real_u64(part) / sw_real_u64(whole);
}

/* As sw_sum_u64(). */
static inline double sw_sum_real(double sum, double value)
{
	return isnan(value) ? sum : isnan(sum) ? value : sum + value;
}

static inline const char *sw_text(const char *text)
{
	return text ? text : "";
}

static inline bool sw_is_same_text(const char *a, const char *b)
{
	return strcmp(sw_text(a), sw_text(b)) == 0;
}

#endif
