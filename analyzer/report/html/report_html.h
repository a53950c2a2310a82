/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections that only the HTML report has; report_html*.c include this. */
#ifndef SW_ANALYZER_REPORT_HTML_H
#define SW_ANALYZER_REPORT_HTML_H

#include "analyzer/report/page.h"
#include "analyzer/report/report.h"

/* Where the i-th of so many equal parts of a time begins; the last ends. */
static inline uint64_t sw_part_start(uint64_t start_usec, uint64_t length_usec,
				     size_t i, size_t count)
{
	/* As a double the whole length may be more than there is room for. */
	return start_usec + (i == count ? length_usec : (uint64_t)
			     ((double)length_usec / (double)count * (double)i));
}

/* Each in a box, with its evidence folded away. */
void sw_report_html_findings(const struct sw_page *page);

/* Which rules could not be asked, each with its reason. */
void sw_report_html_not_evaluated(const struct sw_page *page);

/* What limited it, as shares of its time. */
void sw_report_html_limits(const struct sw_page *page);

/* CPUs, memory, I/O and waits for it over time, and the maps. */
void sw_report_html_over(const struct sw_page *page);

/* From when to when each of the programs ran; nothing for several nodes. */
void sw_report_html_programs(const struct sw_page *page);

/* Nodes over time, and tasks of the step that used most CPU time. */
void sw_report_html_maps(const struct sw_page *page);

/* What each task and each node used; nothing where there is but one. */
void sw_report_html_tasks(const struct sw_page *page);
void sw_report_html_nodes(const struct sw_page *page);

#endif
