/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What steps and nodes were given, added up: input, and GPUs. */
#include <string.h>

#include "analyzer/job/view_sum_internal.h"
#include "common/delta.h"

static bool is_script(const struct sw_view *view)
{
	return view->step_id && (!strcmp(view->step_id, "batch") ||
				 !strcmp(view->step_id, "interactive"));
}

/*
 * What was said when the job was submitted is the job's; else the largest of
 * its steps, of which each may have been told the same.
 */
static void sum_input(struct sw_view *total, const struct sw_view *view)
{
	bool is_of_script = view->is_input_of_script ||
			    (is_script(view) &&
			     !sw_is_missing(view->input_bytes));

	if (is_of_script == total->is_input_of_script)
		total->input_bytes = sw_max_u64(total->input_bytes,
						view->input_bytes);
	else if (is_of_script)
		total->input_bytes = view->input_bytes;
	total->is_input_of_script |= is_of_script;
}

/*
 * Of a node: the script is told all that the job has there.  Without it, its
 * steps may have been given other ones each, or all the same.
 */
static void join_gpus(struct sw_view *total, const struct sw_view *view)
{
	bool is_of_script = view->is_given_to_script || is_script(view);
	uint64_t count;

	if (is_of_script) {
		total->is_given_to_script = true;
		total->allocated_gpus = view->allocated_gpus;
		total->given_gpu_bits = view->given_gpu_bits;
	} else if (!total->is_given_to_script) {
		total->given_gpu_bits |= view->given_gpu_bits;
		count = (uint64_t)__builtin_popcountll(total->given_gpu_bits);
		total->allocated_gpus = sw_max_u64(total->allocated_gpus,
					       view->allocated_gpus);
		if (count > 0)
			total->allocated_gpus =
				sw_max_u64(total->allocated_gpus, count);
	}
}

void sw_view_sum_given(struct sw_view *total,
		       const struct sw_view *const *view, size_t count,
		       enum sw_sum how)
{
	size_t i;

	for (i = 0; i < count; i++) {
		sum_input(total, view[i]);
		if (how == SW_SUM_NODES)
			total->allocated_gpus = sw_sum_u64(
				total->allocated_gpus, view[i]->allocated_gpus);
		else
			join_gpus(total, view[i]);
	}
}
