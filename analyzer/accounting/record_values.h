/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a record's fields. */
#ifndef SW_ANALYZER_RECORD_VALUES_H
#define SW_ANALYZER_RECORD_VALUES_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/accounting/record_fields.h"

/*
 * All but id, key's ids and the steps.  The texts point into the fields.
 * *impossible counts values that are not of their form, or cannot be: negative
 * times, counts of 2^63.
 */
void sw_record_fill_job(struct sw_job_record *job,
			const char *const field[SW_RECORD_FIELDS],
			uint64_t *impossible);
void sw_record_fill_step(struct sw_step_record *step,
			 const char *const field[SW_RECORD_FIELDS],
			 uint64_t *impossible);

/* What needs the job with all its steps. */
void sw_record_settle(struct sw_job_record *job);

#endif
