/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one encoding of "this value does not exist".  Absent is not zero: a
 * counter that the kernel does not have is SW_MISSING from the moment it is
 * (not) read until the report says "not evaluated, because".
 */
#ifndef SW_COMMON_MISSING_H
#define SW_COMMON_MISSING_H

#include <stdbool.h>
#include <stdint.h>

#define SW_MISSING UINT64_MAX

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

#endif
