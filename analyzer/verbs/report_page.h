/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output file of "report --html". */
#ifndef SW_ANALYZER_VERBS_REPORT_PAGE_H
#define SW_ANALYZER_VERBS_REPORT_PAGE_H

struct sw_settings;

/*
 * Reject "--html kmers" without another operand, which means the recording and
 * not a file of that name.  Return SW_EXIT_USAGE after a message, else
 * SW_EXIT_OK.
 */
int sw_report_page_check(const char *path, const struct sw_settings *settings);

#endif
