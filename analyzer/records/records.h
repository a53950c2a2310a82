/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All jobs that ended in a time, read from sacct one window after the other,
 * so that only one window is in memory; or line by line from LSF's lsb.acct.
 */
#ifndef SW_ANALYZER_RECORDS_H
#define SW_ANALYZER_RECORDS_H

#include "analyzer/accounting/record_taker.h"
#include "common/error.h"

struct sw_lsf_site;

struct sw_records_source {
	const char *lsb_acct;		/* LSF's file, in place of a program */
	const struct sw_lsf_site *lsf;	/* of it; NULL: LSF's defaults */
	/* NULL: sacct, as where it does not start */
	const char *program;
	/* For one window; 0: two minutes, or ten of an hour or less. */
	unsigned wait_seconds;
	size_t window_bytes_max;	/* 0: 16 MiB; halved if larger */
};

/*
 * The jobs that ended in [from, until), in the order of their windows of a day,
 * which end at full hours.  One whose answer is too large or takes too long, or
 * that fails, is read in halves, as are those behind it.  0, the taker's result, or -1 with *error and errno as of
 * sw_sacct_run(); what was taken until then was whole windows.
 */
int sw_records_read(const struct sw_records_source *source,
		    uint64_t from_seconds, uint64_t until_seconds,
		    const struct sw_records_taker *taker,
		    struct sw_records_sums *sums, struct sw_error *error);

#endif
