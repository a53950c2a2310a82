/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times at which samples are taken. */
#ifndef SW_RECORDER_PERIOD_H
#define SW_RECORDER_PERIOD_H

#include <stdint.h>

enum { SW_PERIOD_USEC_MIN = 10000 };	/* 10 ms */

#define SW_PERIOD_USEC_MAX ((uint64_t)3600 * 1000000)

/*
 * Return the time between samples after elapsed_usec: a tenth of a second in
 * the first two seconds, then one second, longer in runs of hours.
 */
uint64_t sw_period_at(uint64_t elapsed_usec);

/*
 * Return the time of the next round, on the same grid, when the round due at
 * due_usec is finished at now_usec.  *missed is the number of missed rounds.
 */
uint64_t sw_period_next(uint64_t due_usec, uint64_t now_usec,
		      uint64_t period_usec, uint64_t *missed);

#endif
