/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run beside past runs of its group. */
#include "analyzer/compare/compare.h"

#include <string.h>

#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"

/* Amounts of one run have heavy tails, so that p is rather too small. */
static const double MOST_P = 0.0002;

static int compare_state(struct sw_comparison *comparison,
			 const struct sw_compared *compared)
{
	struct sw_difference state = sw_difference_none;

	/* A run that a person or the site ended did not fail. */
	if (compared->run->state == SW_RUN_COMPLETED ||
	    compared->run->state == SW_RUN_UNKNOWN ||
	    compared->run->state == SW_RUN_CANCELLED)
		return 0;
	state.kind = SW_DIFFERS_STATE;
	state.value = sw_real_u64(compared->run->exit_code);
	state.usual = 0;
	state.runs = compared->count;
	state.p = state.rank_p = 0;
	return sw_comparison_add(comparison, &state);
}

int sw_compare_run(struct sw_comparison *comparison,
		   const struct sw_fingerprint *run,
		   const struct sw_fingerprint *const *past, size_t count)
{
	struct sw_compared compared = { .run = run };

	memset(comparison, 0, sizeof(*comparison));
	compared.count = sw_take_newest(compared.past, past, count, true);
	comparison->taught = compared.count;
	comparison->most_p = MOST_P;
	if (compared.count < SW_EXPECTED_LEAST)
		return 0;
	sw_compare_environment(comparison, &compared);
	if (compare_state(comparison, &compared) < 0 ||
	    sw_compare_odd(comparison, &compared) < 0 ||
	    sw_compare_rates(comparison, &compared) < 0 ||
	    sw_compare_amounts(comparison, &compared) < 0 ||
	    sw_comparison_settle(comparison) < 0 ||
	    sw_comparison_explain(comparison, run) < 0)
		return -1;
	return 0;
}
