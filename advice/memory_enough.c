/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which request was always enough for the runs of a group. */
#include "advice/memory_enough.h"

#include <math.h>

/*
 * A run that needed more than this share of a request came close to it: of
 * sixteen runs and more, the next one needs a tenth more than the largest once
 * in a hundred times ("tovar" and "wfinstances").
 */
static double close_to = 0.9;

void sw_memory_enough_note(struct sw_memory_enough *enough,
			   const struct sw_run *run)
{
	double request = run->requested_bytes;

	if (!(run->need_bytes > 0))
		return;
	enough->largest_need = fmax(enough->largest_need, run->need_bytes);
	if (run->is_lower_bound || !(request >= run->need_bytes))
		return;
	if (!(enough->least_request > 0) || request < enough->least_request)
		enough->least_request = request;
}

double sw_memory_enough_most(const struct sw_memory_enough *enough,
			     double request, double factor)
{
	bool was_tried = enough->least_request > 0 &&
		enough->least_request <= request;

	return was_tried && enough->largest_need * factor <= close_to * request ?
		       request : INFINITY;
}
