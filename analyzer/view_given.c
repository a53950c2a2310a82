/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view's GPUs that the scheduler gave, and its input's size that the user
 * stated: what was told before it ran.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view_internal.h"
#include "common/delta.h"

enum { BITS = 64 };

/* "0,3" as bits; 0 where one is beyond them or it is no such list. */
static uint64_t parse_list(const char *text)
{
	uint64_t bits = 0;
	unsigned long number;
	char *end;

	for (; text && *text; text = *end ? end + 1 : end) {
		number = strtoul(text, &end, 10);
		if (end == text || (*end && *end != ',') || number >= BITS)
			return 0;
		bits |= (uint64_t)1 << number;
	}
	return bits;
}

void sw_view_fill_given(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	view->given_gpus = sw_series_last(&parts->steps, "gpu_count");
	view->given_gpu_bits = parse_list(
		sw_series_last_text(&parts->steps, "gpu_list"));
	view->input_bytes = sw_series_last(&parts->steps, "input_bytes");
	view->input_reason = sw_series_last_text(&parts->steps,
						 "input_reason");
}

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

	if (!total->input_reason)
		total->input_reason = view->input_reason;
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
		total->given_gpus = view->given_gpus;
		total->given_gpu_bits = view->given_gpu_bits;
	} else if (!total->is_given_to_script) {
		total->given_gpu_bits |= view->given_gpu_bits;
		count = (uint64_t)__builtin_popcountll(total->given_gpu_bits);
		total->given_gpus = sw_max_u64(total->given_gpus,
					       view->given_gpus);
		if (count > 0)
			total->given_gpus = sw_max_u64(total->given_gpus,
						       count);
	}
}

void sw_view_sum_given(struct sw_view *total,
		       const struct sw_view *const *view, size_t count,
		       enum sw_sum how)
{
	size_t i;

	total->input_bytes = total->given_gpus = SW_MISSING;
	for (i = 0; i < count; i++) {
		sum_input(total, view[i]);
		if (how == SW_SUM_NODES)
			total->given_gpus = sw_sum_u64(total->given_gpus,
						       view[i]->given_gpus);
		else
			join_gpus(total, view[i]);
	}
}

double sw_view_used_gpus(const struct sw_view *view)
{
	double used = 0;
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		/* Of AMD's it is not known whose processes are on them. */
		if (strcmp(view->gpus[i].source, "gpu") != 0)
			return NAN;
		used += view->gpus[i].is_used;
	}
	return view->gpu_count ? used : NAN;
}
