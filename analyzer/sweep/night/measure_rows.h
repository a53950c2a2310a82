/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of measure.c about the recorders' rows. */
#ifndef SW_ANALYZER_SWEEP_NIGHT_MEASURE_ROWS_H
#define SW_ANALYZER_SWEEP_NIGHT_MEASURE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/summaries/step_summary.h"

/* Add to numbers of enum sw_tally_number; all rows are of one job. */
void sw_measure_rows(uint64_t *n, const struct sw_step_summary *rows,
		     size_t count);

/* Likewise, for a job with n[SW_TALLY_GPU_SECONDS]. */
void sw_measure_gpus(uint64_t *n, const struct sw_step_summary *rows,
		     size_t count, bool is_failed);

/* Convert to an integer; 0 if out of range. */
static inline uint64_t sw_count_of(double value)
{
	return value > 0 && value < 0x1p63 ? (uint64_t)value : 0;
}

/* a - b, at least 0. */
static inline uint64_t sw_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
