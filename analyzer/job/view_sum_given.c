/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add up what steps and nodes were given: input size, and GPUs. */
#include <string.h>

#include "analyzer/job/view_sum_internal.h"
#include "common/delta.h"

static bool is_script(const struct sw_view *view)
{
	return view->step_id && (!strcmp(view->step_id, "batch") ||
				 !strcmp(view->step_id, "interactive"));
}

/*
 * The value set at submission is the job's; otherwise use the largest of the
 * steps, which may all have been given the same.
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
 * On a node, the script is given all GPUs of the job.  Without it, steps may
 * have had different GPUs each, or all the same.
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
