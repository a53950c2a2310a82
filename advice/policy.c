/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default policy. */
#include "advice/policy.h"

#include <math.h>

const struct sw_policy sw_policy_default = {
	.risk = SW_RISK_LOW,
	.uses_input = true,
	.memory_per = SW_MEMORY_PER_NODE,
	.folds_names = true,
	.floor_bytes = 64.0 * 1024 * 1024,
	.cap_bytes = NAN,
	.known_bytes = NAN,
	.time_to_failure = 1.0,
	.retry_factor = 1.3,
	.max_attempts = 20,
	.min_runs = 3,
	.failure_price = NAN,
	.core_hour_price = NAN,
	.gib_hour_price = NAN,
	.gpu_hour_price = NAN,
};
