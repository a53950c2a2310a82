/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merge two sources' records of one run.  Pure. */
#include <math.h>
#include <string.h>

#include "analyzer/history/history_internal.h"

/* Only the scheduler knows that it ended a run, and why. */
static bool is_told(enum sw_run_state state)
{
	return state == SW_RUN_OUT_OF_MEMORY || state == SW_RUN_TIMEOUT ||
	       state == SW_RUN_CANCELLED;
}

static void bound_killed(struct sw_run *run)
{
	if (run->state == SW_RUN_OUT_OF_MEMORY && !isnan(run->need_bytes))
		run->is_lower_bound = true;
}

void sw_history_merge(struct sw_run *better, const struct sw_run *other)
{
	struct sw_run copy = *other;
	size_t i;
	double *value;

	/* The need is copied together with its kind. */
	if (isnan(better->need_bytes)) {
		better->need_upper_bytes = better->open_bytes = NAN;
		better->is_lower_bound = other->is_lower_bound;
	} else {
		copy.need_upper_bytes = copy.open_bytes = NAN;
	}
	for (i = 0; i < sw_history_column_count; i++) {
		value = sw_history_value(better, &sw_history_columns[i]);
		if (isnan(*value))
			*value = *sw_history_value(&copy,
						   &sw_history_columns[i]);
	}
	/* A signal does not identify its sender. */
	if (better->state == SW_RUN_UNKNOWN ||
	    (better->state == SW_RUN_FAILED && is_told(other->state)) ||
	    (better->state == SW_RUN_CANCELLED &&
	     other->state == SW_RUN_TIMEOUT))
		better->state = other->state;
	if (!better->attempt)
		better->attempt = other->attempt;
	if (!better->has_busy && other->has_busy) {
		better->has_busy = true;
		memcpy(better->busy_seconds, other->busy_seconds,
		       sizeof(better->busy_seconds));
	}
	bound_killed(better);
}

/*
 * The larger of two needs counts if they were partial or sampled: steps or
 * nodes missing from this import may have needed it.
 */
void sw_history_keep_larger_need(struct sw_run *run, const struct sw_run *there,
				 bool is_same_source)
{
	if (!(there->need_bytes > run->need_bytes) &&
	    !(is_same_source && there->need_bytes == run->need_bytes))
		return;
	run->need_bytes = there->need_bytes;
	run->need_upper_bytes =
		fmax(run->need_upper_bytes, there->need_upper_bytes);
	run->open_bytes = fmax(run->open_bytes, there->open_bytes);
	if (is_same_source)
		run->is_lower_bound = there->is_lower_bound ||
				      run->state == SW_RUN_OUT_OF_MEMORY;
}

void sw_history_take_state(struct sw_run *run, const struct sw_run *slurms)
{
	if (slurms->state != SW_RUN_UNKNOWN &&
	    run->state != SW_RUN_OUT_OF_MEMORY)
		run->state = slurms->state;
	bound_killed(run);
}
