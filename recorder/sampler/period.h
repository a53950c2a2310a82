/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When samples are taken. */
#ifndef SW_RECORDER_PERIOD_H
#define SW_RECORDER_PERIOD_H

#include <stdint.h>

enum { SW_PERIOD_USEC_MIN = 10000 };	/* 10 ms */

#define SW_PERIOD_USEC_MAX ((uint64_t)3600 * 1000000)

/*
 * The time between samples when elapsed_usec have passed: ten a second in the
 * first two seconds, then one, fewer in runs of hours.
 */
uint64_t sw_period_at(uint64_t elapsed_usec);

/*
 * When a round that was due at due_usec is done at now_usec: the time of the
 * next, on the same grid, and how many were missed in *missed.
 */
uint64_t sw_period_next(uint64_t due_usec, uint64_t now_usec,
		      uint64_t period_usec, uint64_t *missed);

#endif
