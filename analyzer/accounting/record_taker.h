/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who takes records, and what is counted of them. */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_TAKER_H
#define SW_ANALYZER_ACCOUNTING_RECORD_TAKER_H

#include "analyzer/accounting/job_record.h"

/* What is done with what is read.  A nonzero result ends the reading. */
struct sw_records_taker {
	/* The job and its texts are valid for the call only. */
	int (*take_job)(void *context, const struct sw_job_record *job);
	/* All jobs that ended before were taken; may be NULL. */
	int (*take_window)(void *context, uint64_t until_seconds);
	/*
	 * A line left out, or a program replaced by sacct, escaped for a
	 * terminal; may be NULL.
	 */
	void (*complain)(void *context, const char *text);
	/* In its place of lines: why, and their begin as it was. */
	void (*skip)(void *context, const char *why, const char *line);
	void *context;
};

struct sw_records_sums {
	uint64_t jobs, steps;
	uint64_t windows;	/* read */
	uint64_t halved;	/* too large, or failed */
	uint64_t bad_lines;	/* left out, each with a complaint */
	uint64_t impossible;	/* values of the others, taken as missing */
	uint64_t outside;	/* jobs of the window before or behind */
};

/* "BEGIN OF LINE": why, with what is hostile escaped; counts as bad. */
void sw_record_complain(const struct sw_records_taker *taker,
			struct sw_records_sums *sums, const char *line,
			const char *why);

#endif
