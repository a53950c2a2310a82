/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The constants of stepwell's choice of memory, one set for all groups. */
#ifndef SW_ADVICE_MEMORY_SETTINGS_H
#define SW_ADVICE_MEMORY_SETTINGS_H

#include "advice/policy.h"

struct sw_memory_settings {
	/*
	 * Of a failure: shares of the mean cost (need times time) of the
	 * group's runs and of all runs.
	 */
	double group_price, site_price;
	double tail_weight;
	/* Mean logarithm beyond the largest of n: first / n^power + least. */
	double tail_first, tail_power, tail_least;
	double other_penalty;	/* on experts that are not the largest need */
};

extern const struct sw_memory_settings sw_memory_settings[];

#endif
