/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The constants of stepwell's choice of memory, chosen on the public traces
 * "tovar" and "wfinstances" (bench/bench_advice prints those and others
 * separately), prices with regard to "cws" and "mgnify_metaspades" as well.
 *
 * The default is low.  Its price for the site follows this rule: of 15, 50, 150
 * and 500 times the cost of the mean run, the least at which it fails no more
 * often than the safest published method on each of these four sets, and wastes
 * no more than the largest need + 20 % on any.  The result is 150; 50 wastes a
 * seventh less and fails twice as often as the safest on cws and mgnify.  If
 * both cannot be had, failures give way: a killed run can be tried again,
 * memory reserved but unused is lost.  On three public traces that took no part
 * it wastes less on all, and fails more often on one (Lotaru's: 13 of 10,077
 * against Ponder's 10, which 500 would avoid for a tenth more waste).
 *
 * Prices of high risk were chosen among those that waste no more than medium on
 * cws and mgnify.  Those of low risk for the group, its tail beyond the largest
 * and its retry factor are the least wasteful of some 60 that fail no more
 * often than the safest published method on each of the four, whether a failed
 * attempt takes all of its time or half.  On the first two, 11 to 20 % of the
 * needs after the first run, and 5 % after the sixteenth, were above all
 * before, with a mean logarithm of 0.2 after one, 0.1 after four and 0.03 after
 * a hundred, half of it by a tenth of that mean or less: a long tail.
 */
#include "advice/memory_settings.h"

#define MIB (1024.0 * 1024)

const struct sw_memory_settings sw_memory_settings[] = {
	[SW_RISK_LOW] = {
		.group_price = 5, .site_price = 150, .tail_weight = 1,
		.tail_first = 0.35, .tail_power = 0.45, .tail_bytes = 32 * MIB,
		.other_penalty = 4, .retry_factor = 2,
	},
	[SW_RISK_MEDIUM] = {
		.group_price = 0.5, .site_price = 0.5,
		.tail_weight = 1,
		.tail_first = 0.35, .tail_power = 0.5, .tail_bytes = 8 * MIB,
		.other_penalty = 4,
	},
	[SW_RISK_HIGH] = {
		.group_price = 0.75, .site_price = 0, .tail_weight = 1,
		.tail_first = 0.35, .tail_power = 0.5, .tail_bytes = 8 * MIB,
		.other_penalty = 4,
	},
};
