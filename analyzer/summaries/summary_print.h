/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fingerprint of a job by the recorders' rows of its steps. */
#ifndef SW_ANALYZER_SUMMARY_PRINT_H
#define SW_ANALYZER_SUMMARY_PRINT_H

#include "analyzer/compare/fingerprint.h"
#include "analyzer/summaries/job_prints.h"
#include "analyzer/summaries/step_summary.h"

/*
 * Fill all but the programs and phases; run is that of all rows of the job, as
 * by sw_step_summaries_sum_job().
 */
void sw_fingerprint_of_summaries(struct sw_fingerprint *print,
				 const struct sw_run *run,
				 const struct sw_step_summary *rows,
				 size_t count);

/* The key of its programs. */
struct sw_job_print_key sw_job_print_key_of(const struct sw_step_summary *rows,
					    size_t count);

#endif
