/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of counters.  Unsigned counters are subtracted nowhere else, so
 * that a reset (a cgroup that was removed and recreated) and a missing reading
 * are handled in the same way everywhere.
 */
#ifndef SW_COMMON_DELTA_H
#define SW_COMMON_DELTA_H

#include "common/missing.h"

/* later - earlier; SW_MISSING if either is missing or the counter went back. */
static inline uint64_t sw_delta_u64(uint64_t later, uint64_t earlier)
{
	if (sw_is_missing(later) || sw_is_missing(earlier) || later < earlier)
		return SW_MISSING;
	return later - earlier;
}

/* later - earlier, or 0 if negative; missing stays missing. */
static inline uint64_t sw_excess_u64(uint64_t later, uint64_t earlier)
{
	if (sw_is_missing(later) || sw_is_missing(earlier))
		return SW_MISSING;
	return later > earlier ? later - earlier : 0;
}

#endif
