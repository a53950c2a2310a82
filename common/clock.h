/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks in microseconds. */
#ifndef SW_COMMON_CLOCK_H
#define SW_COMMON_CLOCK_H

#include <stdint.h>
#include <sys/time.h>

/*
 * Return CLOCK_BOOTTIME: it runs while the machine sleeps, is shared by all
 * processes of a boot, and is the clock of /proc/PID/stat's starttime.  All
 * times in a profile use it; the identity row relates it to real time.
 */
uint64_t sw_clock_boottime_usec(void);

/* Return CLOCK_REALTIME, microseconds since the Epoch. */
uint64_t sw_clock_realtime_usec(void);

/*
 * Convert clock ticks of /proc and cpuacct, sysconf(_SC_CLK_TCK) per second.
 * SW_MISSING if unknown or too large.
 */
uint64_t sw_clock_ticks_usec(uint64_t ticks);

static inline uint64_t sw_clock_timeval_usec(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

#endif
