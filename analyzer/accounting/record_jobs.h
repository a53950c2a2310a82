/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse jobs with their steps from the lines of one window. */
#ifndef SW_ANALYZER_RECORD_JOBS_H
#define SW_ANALYZER_RECORD_JOBS_H

#include "analyzer/accounting/record_texts.h"

struct sw_record_window {
	uint64_t from_seconds, until_seconds;
};

/*
 * Like sw_records_read(), for a text, which is changed.  texts: written by
 * users; NULL: they are in the lines.  window NULL: all end times, and jobs
 * that have not ended.
 */
int sw_record_jobs_take(struct sw_record_lines *lines,
			struct sw_record_texts *texts,
			const struct sw_record_window *window,
			const struct sw_records_taker *taker,
			struct sw_records_sums *sums, struct sw_error *error);

#endif
