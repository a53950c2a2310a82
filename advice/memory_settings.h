/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The constants of stepwell's choice of memory, one set for all groups. */
#ifndef SW_ADVICE_MEMORY_SETTINGS_H
#define SW_ADVICE_MEMORY_SETTINGS_H

#include "advice/policy.h"

struct sw_memory_settings {
	/*
	 * Of a failure: shares of the mean cost (need times time) of the runs
	 * of the group, and of all runs.
	 */
	double group_price, site_price;
	double tail_weight;	/* of what is beyond the largest, in runs */
	/* Mean logarithm beyond the largest of n: first / n^power. */
	double tail_first, tail_power;
	double tail_bytes;	/* as much is added to that mean */
	/* On what is not the largest need, as a share: this / (n + 1). */
	double other_penalty;
	/* At least, from one attempt to the next; the policy's, if it is more. */
	double retry_factor;
};

/* By enum sw_risk. */
extern const struct sw_memory_settings sw_memory_settings[];

#endif
