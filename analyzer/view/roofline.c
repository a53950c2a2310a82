/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FLOP/s and bytes per FLOP, from any counters that have them. */
#include "analyzer/view/roofline.h"

#include <math.h>
#include <string.h>

#include "common/missing.h"
#include "common/units.h"

/* Value of a counter requested by name, or NAN. */
static double chosen(const struct sw_view *view, const char *name)
{
	size_t i;

	for (i = 0; i < view->chosen_count; i++) {
		if (!strcmp(view->chosen[i].name, name))
			return view->chosen[i].value;
	}
	return NAN;
}

/* Prefer hardware counters: they have all widths, and singles. */
static double find_flops(const struct sw_view *view, const char **name)
{
	static const char *const presets[] = {
		"PAPI_FP_OPS",
		"PAPI_DP_OPS",
		"PAPI_SP_OPS",
	};
	double flops = sw_counters_flops(&view->counters);
	size_t i;

	*name = "hardware";
	for (i = 0; isnan(flops) && i < sizeof(presets) / sizeof(presets[0]);
	     i++) {
		flops = chosen(view, presets[i]);
		*name = presets[i];
	}
	return flops;
}

static double find_bytes(const struct sw_view *view, const char **name)
{
	double misses = sw_real_u64(view->counters.llc_misses);

	*name = "llc_misses";
	if (isnan(misses)) {
		misses = chosen(view, "PAPI_L3_TCM");
		*name = "PAPI_L3_TCM";
	}
	return misses * SW_CACHE_LINE_BYTES;
}

void sw_roofline_init(struct sw_roofline *roofline, const struct sw_view *view,
		      const struct sw_ceilings *ceilings)
{
	double seconds = sw_real_u64(view->elapsed_usec) / SW_USEC_PER_SEC;
	double flops, bytes;

	*roofline = (struct sw_roofline){ .node = { NAN, NAN } };
	flops = find_flops(view, &roofline->flops_of);
	bytes = find_bytes(view, &roofline->bytes_of);
	roofline->flops_per_sec = seconds > 0 ? flops / seconds : NAN;
	roofline->bytes_per_flop = flops > 0 ? bytes / flops : NAN;
	if (isnan(roofline->flops_per_sec))
		roofline->flops_of = NULL;
	if (isnan(roofline->bytes_per_flop))
		roofline->bytes_of = NULL;
	if (ceilings && view->node)
		roofline->node = *ceilings;
}

bool sw_roofline_is_known(const struct sw_roofline *roofline)
{
	return !isnan(roofline->flops_per_sec) &&
	       (!isnan(roofline->bytes_per_flop) ||
		!isnan(roofline->node.flops_per_sec));
}

double sw_ceilings_balance(const struct sw_ceilings *ceilings)
{
	return ceilings->bytes_per_sec / ceilings->flops_per_sec;
}
