/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last answer of a group, not raised after a run like the one before it. */
#include "advice/memory_said.h"

#include <math.h>

/* Relative difference up to which two runs are alike. */
static const double alike = 0.01;

static bool is_like(double one, double other)
{
	return fabs(one - other) <= alike * other;
}

static bool is_same(double one, double other)
{
	return one == other || (isnan(one) && isnan(other));
}

void sw_memory_said_judge(struct sw_memory_said *said,
			  const struct sw_memory_past *past,
			  const struct sw_run *run)
{
	const struct sw_memory_run *last;

	if (!past->now.count)
		return;
	last = sw_memory_past_run(past, past->now.count - 1);
	if (run->is_lower_bound || run->need_bytes > said->bytes ||
	    !is_like(run->need_bytes, last->seen_bytes) ||
	    (run->input_bytes >= 0 &&
	     !is_like(run->input_bytes, last->input_bytes)))
		said->bytes = 0;
}

double sw_memory_said_keep(struct sw_memory_said *said,
			   const struct sw_query *query, double bytes)
{
	if (said->bytes > 0 &&
	    is_same(said->input_bytes, query->input_bytes) &&
	    is_same(said->requested_bytes, query->requested_bytes))
		bytes = fmin(bytes, said->bytes);
	*said = (struct sw_memory_said){ query->input_bytes,
					 query->requested_bytes, bytes };
	return bytes;
}
