/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Report on a job without a profile, from Slurm's accounting. */
#ifndef SW_ANALYZER_REPORT_ACCT_H
#define SW_ANALYZER_REPORT_ACCT_H

#include "analyzer/accounting/sacct.h"
#include "analyzer/report/report.h"

/* format: name of a report format; text if it has no form for this. */
int sw_report_acct(FILE *out, const struct sw_acct *acct, const char *format,
		   const struct sw_report_style *style);

#endif
