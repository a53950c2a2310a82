/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the values of a record's fields. */
#ifndef SW_ANALYZER_RECORD_VALUES_H
#define SW_ANALYZER_RECORD_VALUES_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/accounting/record_fields.h"

/*
 * Fill in all members but id, the ids in key, and the steps.  The texts point
 * into the fields.  *impossible counts malformed and impossible values:
 * negative times, counts of 2^63.
 */
void sw_record_fill_job(struct sw_job_record *job,
			const char *const field[SW_RECORD_FIELDS],
			uint64_t *impossible);
void sw_record_fill_step(struct sw_step_record *step,
			 const char *const field[SW_RECORD_FIELDS],
			 uint64_t *impossible);

/* Derive values that need the job with all its steps. */
void sw_record_settle(struct sw_job_record *job);

#endif
