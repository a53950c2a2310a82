/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read all jobs that ended in a range of time from LSF's lsb.acct and its
 * archives, of which lsb.acct.1 is the newest.
 */
#ifndef SW_ANALYZER_RECORDS_LSF_H
#define SW_ANALYZER_RECORDS_LSF_H

#include "analyzer/records/records.h"

/* Like sw_records_read() for a source with an lsb.acct. */
int sw_records_read_lsf(const struct sw_records_source *source,
			uint64_t from_seconds, uint64_t until_seconds,
			const struct sw_records_taker *taker,
			struct sw_records_sums *sums, struct sw_error *error);

#endif
