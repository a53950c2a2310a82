/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read all jobs that ended in a range of time from sacct, window by window, so
 * that only one window is in memory; or line by line from LSF's lsb.acct.
 */
#ifndef SW_ANALYZER_RECORDS_H
#define SW_ANALYZER_RECORDS_H

#include "analyzer/accounting/record_taker.h"
#include "common/error.h"

struct sw_lsf_site;

struct sw_records_source {
	const char *lsb_acct;		/* LSF's file, instead of a program */
	const struct sw_lsf_site *lsf;	/* settings of its site; NULL: LSF's
					 * defaults */
	/* NULL: sacct, which is also the fallback */
	const char *program;
	/* Timeout of a window; 0: two minutes, or ten for an hour or less */
	unsigned wait_seconds;
	size_t window_bytes_max;	/* 0: 16 MiB; halved if larger */
};

/*
 * Read the jobs that ended in [from, until), in order of windows of a day,
 * which end at full hours.  A window that fails, or whose answer is too large
 * or takes too long, is halved, and so are the following ones.  0, the taker's
 * result, or -1 with *error and errno as for sw_sacct_run(); only complete
 * windows were passed on until then.
 */
int sw_records_read(const struct sw_records_source *source,
		    uint64_t from_seconds, uint64_t until_seconds,
		    const struct sw_records_taker *taker,
		    struct sw_records_sums *sums, struct sw_error *error);

#endif
