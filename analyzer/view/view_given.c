/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data known before the run: GPUs allocated by the scheduler, and the size of
 * the input as given by the user.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/gpu_list.h"

void sw_view_fill_given(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	view->allocated_gpus = sw_series_last(&parts->steps, "gpu_count");
	view->given_gpu_bits = sw_gpu_list_parse(
		sw_series_last_text(&parts->steps, "gpu_list"));
	view->input_bytes = sw_series_last(&parts->steps, "input_bytes");
	view->input_reason = sw_series_last_text(&parts->steps,
						 "input_reason");
	view->limits_note = sw_series_last_text(&parts->steps,
						"limits_note");
}

double sw_view_used_gpus(const struct sw_view *view)
{
	double used = 0;
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		/* The owners of processes on AMD GPUs are not known. */
		if (strcmp(view->gpus[i].source, "gpu") != 0)
			return NAN;
		used += view->gpus[i].is_used;
	}
	return view->gpu_count ? used : NAN;
}
