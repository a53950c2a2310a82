/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The constants of stepwell's choice of memory, one set for all groups. */
#ifndef SW_ADVICE_MEMORY_SETTINGS_H
#define SW_ADVICE_MEMORY_SETTINGS_H

#include "advice/policy.h"

struct sw_memory_settings {
	/*
	 * Price of a failure: shares of the mean cost (need times time) of the
	 * group's runs, and of all runs.
	 */
	double group_price, site_price;
	double tail_weight;	/* of the part beyond the largest, in runs */
	/* Mean logarithm beyond the largest of n: first / n^power. */
	double tail_first, tail_power;
	double tail_bytes;	/* added to that mean, in bytes */
	/* Relative penalty unless the largest need is used: this / (n + 1). */
	double other_penalty;
	/* Minimum from one attempt to the next; the policy's if larger. */
	double retry_factor;
};

/* Indexed by enum sw_risk. */
extern const struct sw_memory_settings sw_memory_settings[];

#endif
