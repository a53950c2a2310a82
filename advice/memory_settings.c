/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The constants of stepwell's choice of memory. */
#include "advice/memory_settings.h"

const struct sw_memory_settings sw_memory_settings[] = {
	[SW_RISK_LOW] = {
		.group_price = 3, .site_price = 30, .tail_weight = 1,
		.tail_first = 0.35, .tail_power = 0.9, .tail_least = 0.005,
		.other_penalty = 4,
	},
	[SW_RISK_MEDIUM] = {
		.group_price = 0.3, .site_price = 0.3, .tail_weight = 1,
		.tail_first = 0.35, .tail_power = 0.9, .tail_least = 0.005,
		.other_penalty = 4,
	},
	[SW_RISK_HIGH] = {
		.group_price = 0, .site_price = 0, .tail_weight = 1,
		.tail_first = 0.35, .tail_power = 0.9, .tail_least = 0.005,
		.other_penalty = 4,
	},
};
