/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "This value does not exist", said in one way for each type.  Absent is not
 * zero: a counter that the kernel does not have is SW_MISSING from the moment
 * it is (not) read until the report says "not evaluated, because".
 *
 *	uint64_t		SW_MISSING
 *	uint32_t		SW_NO_ID: a number of Slurm's in a message
 *	int			SW_NO_INDEX: a place in an array
 *	double			NAN; isnan() asks for it
 *	const char *		NULL, which sw_text() reads as ""
 *	char[]			"", for an array is never NULL
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

/* The larger of two values of which either may be missing. */
static inline uint64_t sw_max_u64(uint64_t a, uint64_t b)
{
	if (sw_is_missing(a))
		return b;
	if (sw_is_missing(b))
		return a;
	return a > b ? a : b;
}

/* The smaller of two values of which either may be missing. */
static inline uint64_t sw_min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;	/* SW_MISSING is the largest number */
}

static inline uint64_t sw_zero_if_missing(uint64_t value)
{
	return sw_is_missing(value) ? 0 : value;
}

/* Sum of two values; missing when either is, or when it would overflow. */
static inline uint64_t sw_add_u64(uint64_t a, uint64_t b)
{
	if (sw_is_missing(a) || sw_is_missing(b) || a >= SW_MISSING - b)
		return SW_MISSING;
	return a + b;
}

/*
 * A sum of what is known: missing until something is, for absent is not zero,
 * and from then on without what is not.
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

/* Of what is not known where it is 0, too. */
static inline double sw_real_positive(uint64_t value)
{
	return sw_is_missing(value) || !value ? NAN : (double)value;
}

/*
 * The whole part of a number that was computed: missing where it is none, 0
 * below 0, and the largest above all (a cast of these is undefined).
 */
static inline uint64_t sw_whole_real(double value)
{
	if (isnan(value))
		return SW_MISSING;
	if (value <= 0)
		return 0;
	return value < 0x1p64 ? (uint64_t)value : SW_MISSING - 1;
}

/* NAN where one of them is missing, or there is no whole. */
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
