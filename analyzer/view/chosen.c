/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rates and sums of counters requested by name. */
#include "analyzer/view/chosen.h"

#include <math.h>
#include <string.h>

#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"

double sw_chosen_rate(const struct sw_view_chosen *chosen,
		      uint64_t elapsed_usec)
{
	if (chosen->is_ratio || sw_is_missing(elapsed_usec) || !elapsed_usec)
		return NAN;
	return chosen->value * SW_USEC_PER_SEC / (double)elapsed_usec;
}

double sw_chosen_task_rate(const struct sw_view_chosen *chosen,
			   uint64_t elapsed_usec)
{
	if (!chosen->tasks)
		return NAN;
	return sw_chosen_rate(chosen, elapsed_usec) / (double)chosen->tasks;
}

double sw_chosen_share(const struct sw_view_chosen *chosen)
{
	if (!chosen->enabled_usec)
		return NAN;
	return fmin(1, (double)chosen->running_usec /
			       (double)chosen->enabled_usec);
}

bool sw_chosen_is_flops(const struct sw_view_chosen *chosen)
{
	return !strcmp(chosen->name, "PAPI_DP_OPS") ||
	       !strcmp(chosen->name, "PAPI_SP_OPS") ||
	       !strcmp(chosen->name, "PAPI_FP_OPS");
}

static void add(struct sw_view_chosen *sum, const struct sw_view_chosen *part)
{
	if (sum->is_ratio || part->is_ratio) {
		sum->value = NAN;
		sum->why = "it divides, and is not known of several parts";
	} else if (isnan(sum->value) || isnan(part->value)) {
		sum->why = sum->why ? sum->why : part->why;
		sum->value = NAN;
	} else {
		sum->value += part->value;
	}
	sum->is_ratio |= part->is_ratio;
	sum->tasks += part->tasks;
	sum->enabled_usec += part->enabled_usec;
	sum->running_usec += part->running_usec;
}

void sw_chosen_add(struct sw_view_chosen *sum, size_t *count,
		   const struct sw_view_chosen *part, size_t part_count)
{
	size_t i, j;

	for (i = 0; i < part_count; i++) {
		for (j = 0; j < *count; j++) {
			if (!strcmp(sum[j].name, part[i].name))
				break;
		}
		if (j < *count)
			add(&sum[j], &part[i]);
		else if (*count < SW_CHOSEN_MAX)
			sum[(*count)++] = part[i];
	}
}
