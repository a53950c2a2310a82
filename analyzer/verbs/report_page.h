/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of "report --html". */
#ifndef SW_ANALYZER_VERBS_REPORT_PAGE_H
#define SW_ANALYZER_VERBS_REPORT_PAGE_H

struct sw_settings;

/*
 * "--html kmers" without another word means the recording, not a file of that
 * name: says so and returns SW_EXIT_USAGE, else SW_EXIT_OK.
 */
int sw_report_page_check(const char *path, const struct sw_settings *settings);

#endif
