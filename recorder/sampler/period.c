/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time between samples. */
#include "recorder/sampler/period.h"

#include <stddef.h>

#include "common/units.h"

#define HOUR_USEC (3600 * SW_USEC_PER_SEC)

/* Sampling period by age of the run. */
static const struct {
	uint64_t until_usec;
	uint64_t period_usec;
} periods[] = {
	{ 2 * SW_USEC_PER_SEC, SW_USEC_PER_SEC / 10 },
	{ 1 * HOUR_USEC, 1 * SW_USEC_PER_SEC },
	{ 6 * HOUR_USEC, 2 * SW_USEC_PER_SEC },
	{ 24 * HOUR_USEC, 5 * SW_USEC_PER_SEC },
	{ UINT64_MAX, 10 * SW_USEC_PER_SEC },
};

uint64_t sw_period_at(uint64_t elapsed_usec)
{
	size_t i = 0;

	while (elapsed_usec >= periods[i].until_usec &&
	       periods[i].until_usec != UINT64_MAX)
		i++;
	return periods[i].period_usec;
}

uint64_t sw_period_next(uint64_t due_usec, uint64_t now_usec,
		      uint64_t period_usec, uint64_t *missed)
{
	uint64_t late = now_usec > due_usec ? now_usec - due_usec : 0;

	*missed = late / period_usec;
	return due_usec + (*missed + 1) * period_usec;
}
