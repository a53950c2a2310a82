/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections that only the HTML report has; report_html*.c include this. */
#ifndef SW_ANALYZER_REPORT_HTML_H
#define SW_ANALYZER_REPORT_HTML_H

#include "analyzer/report/page.h"
#include "analyzer/report/report.h"

/* Start of the i-th of count equal parts of a time; i == count: its end. */
static inline uint64_t sw_part_start(uint64_t start_usec, uint64_t length_usec,
				     size_t i, size_t count)
{
	/* Rounded to a double, the whole length may exceed the range. */
	return start_usec + (i == count ? length_usec : (uint64_t)
			     ((double)length_usec / (double)count * (double)i));
}

/* Each finding in a box, with its evidence collapsed. */
void sw_report_html_findings(const struct sw_page *page);

/* Rules that could not be evaluated, each with the reason. */
void sw_report_html_not_evaluated(const struct sw_page *page);

/* Limits of the run, as shares of its time. */
void sw_report_html_limits(const struct sw_page *page);

/* CPUs, memory, I/O and waits for I/O over time, and the maps. */
void sw_report_html_over(const struct sw_page *page);

/* The same charts of two runs side by side, on the same scales. */
void sw_report_html_sides(const struct sw_page *page,
			  const struct sw_result *a, const struct sw_result *b);

/* The time at which the page was written, as it is kept and mailed. */
void sw_report_html_origin(const struct sw_page *page);

/* Time line of each program; nothing for several nodes. */
void sw_report_html_programs(const struct sw_page *page);

/* Nodes over time, and the tasks of the step with most CPU time. */
void sw_report_html_maps(const struct sw_page *page);

/* Usage of each task and each node; nothing for a single one. */
void sw_report_html_tasks(const struct sw_page *page);
void sw_report_html_nodes(const struct sw_page *page);

#endif
