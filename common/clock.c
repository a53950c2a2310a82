/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks in microseconds. */
#include "common/clock.h"

#include <time.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/units.h"

static uint64_t clock_usec(clockid_t id)
{
	struct timespec now;

	if (clock_gettime(id, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * SW_USEC_PER_SEC +
	       (uint64_t)now.tv_nsec / SW_NSEC_PER_USEC;
}

uint64_t sw_clock_boottime_usec(void)
{
	return clock_usec(CLOCK_BOOTTIME);
}

uint64_t sw_clock_realtime_usec(void)
{
	return clock_usec(CLOCK_REALTIME);
}

uint64_t sw_clock_ticks_usec(uint64_t ticks)
{
	long per_sec = sysconf(_SC_CLK_TCK);
	uint64_t usec;

	if (sw_is_missing(ticks) || per_sec <= 0 ||
	    __builtin_mul_overflow(ticks, SW_USEC_PER_SEC / (uint64_t)per_sec,
				   &usec))
		return SW_MISSING;
	return usec;
}
