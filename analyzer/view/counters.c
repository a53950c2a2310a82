/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel and hardware counters, and the ratios derived from them. */
#include "analyzer/view/counters.h"

#include <math.h>

#include "analyzer/view/fields.h"

/* Numbers per operation, by width of the instruction. */
static const double doubles[SW_FP_WIDTHS] = { 1, 2, 4, 8 };
static const double singles[SW_FP_WIDTHS] = { 1, 4, 8, 16 };

void sw_counters_clear(struct sw_view_counters *counters)
{
	sw_fields_clear(counters, sw_kernel_fields);
	sw_fields_clear(counters, sw_hardware_fields);
}

void sw_counters_add(struct sw_view_counters *sum,
		     const struct sw_view_counters *part)
{
	sw_fields_add(sum, sw_kernel_fields, part);
	sw_fields_add(sum, sw_hardware_fields, part);
}

bool sw_counters_has_kernel(const struct sw_view_counters *counters)
{
	return !sw_is_missing(counters->page_faults) ||
	       !sw_is_missing(counters->context_switches);
}

bool sw_counters_has_hardware(const struct sw_view_counters *counters)
{
	return !sw_is_missing(counters->instructions) ||
	       !sw_is_missing(counters->cycles);
}

double sw_counters_ipc(const struct sw_view_counters *counters)
{
	return sw_ratio_u64(counters->instructions, counters->cycles);
}

double sw_counters_llc_rate(const struct sw_view_counters *counters)
{
	return 1000 * sw_ratio_u64(counters->llc_misses,
				   counters->instructions);
}

double sw_counters_stalled(const struct sw_view_counters *counters)
{
	return sw_ratio_u64(counters->stalled_cycles, counters->cycles);
}

double sw_counters_share(const struct sw_view_counters *counters)
{
	return sw_ratio_u64(counters->hw_counted_usec, counters->hw_usec);
}

/* A width that the processor lacks adds nothing. */
static double weigh(const uint64_t *counts, const double *weights,
		    size_t first)
{
	double sum = NAN;
	size_t i;

	for (i = first; i < SW_FP_WIDTHS; i++) {
		sum = sw_sum_real(sum, sw_real_u64(counts[i]) * weights[i]);
	}
	return sum;
}

double sw_counters_flops(const struct sw_view_counters *counters)
{
	if (!sw_is_missing(counters->fp_operations))
		return (double)counters->fp_operations;
	return sw_sum_real(weigh(counters->fp_double, doubles, 0),
		    weigh(counters->fp_single, singles, 0));
}

double sw_counters_vector(const struct sw_view_counters *counters)
{
	double vector = sw_sum_real(weigh(counters->fp_double, doubles, 1),
			     weigh(counters->fp_single, singles, 1));
	double all = sw_counters_flops(counters);

	/* The kind of the operations is not known, or there were none. */
	if (!sw_is_missing(counters->fp_operations) || !(all > 0))
		return NAN;
	return vector / all;
}
