/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for report formats: one file (report_*.c) and one row in
 * reports.c.  A format gets the result tree and a stream, nothing else.
 */
#ifndef SW_ANALYZER_REPORT_H
#define SW_ANALYZER_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/print/style.h"
#include "analyzer/rules/rule.h"

struct sw_report_format {
	const char *name;	/* of the option: "--brief" is "brief" */
	const char *help;
	/* Return 0, or -1 if the stream failed. */
	int (*write)(FILE *out, const struct sw_result *result,
		     const struct sw_report_style *style);
};

/* All formats, NULL-terminated; the first is the default. */
extern const struct sw_report_format *const sw_report_formats[];

#endif
