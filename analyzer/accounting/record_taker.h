/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks for records, and counts of what was read. */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_TAKER_H
#define SW_ANALYZER_ACCOUNTING_RECORD_TAKER_H

#include "analyzer/accounting/job_record.h"

/* Callbacks of a reader.  A nonzero result ends the reading. */
struct sw_records_taker {
	/* The job and its texts are only valid during the call. */
	int (*take_job)(void *context, const struct sw_job_record *job);
	/* Called after all jobs that ended before; may be NULL. */
	int (*take_window)(void *context, uint64_t until_seconds);
	/*
	 * Report a skipped line, or a program replaced by sacct, escaped for a
	 * terminal; may be NULL.
	 */
	void (*complain)(void *context, const char *text);
	/* Called in place of complain for lines: the reason, and their
	 * unescaped beginning. */
	void (*skip)(void *context, const char *why, const char *line);
	void *context;
};

struct sw_records_sums {
	uint64_t jobs, steps;
	uint64_t windows;	/* read */
	uint64_t halved;	/* because too large, or failed */
	uint64_t bad_lines;	/* skipped, each with a complaint */
	uint64_t impossible;	/* values in other lines, treated as missing */
	uint64_t outside;	/* jobs of the window before or after */
};

/* Report "BEGINNING OF LINE": why, with untrusted text escaped; counts as
 * bad. */
void sw_record_complain(const struct sw_records_taker *taker,
			struct sw_records_sums *sums, const char *line,
			const char *why);

#endif
