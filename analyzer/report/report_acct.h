/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report on a job without a profile, from Slurm's accounting. */
#ifndef SW_ANALYZER_REPORT_ACCT_H
#define SW_ANALYZER_REPORT_ACCT_H

#include "analyzer/accounting/sacct.h"
#include "analyzer/report/report.h"

/* format is the name of a report format; those without a form here are text. */
int sw_report_acct(FILE *out, const struct sw_acct *acct, const char *format,
		   const struct sw_report_style *style);

#endif
