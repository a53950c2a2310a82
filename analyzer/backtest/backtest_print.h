/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the result of a backtest: for people, as CSV, or as JSON. */
#ifndef SW_ANALYZER_BACKTEST_PRINT_H
#define SW_ANALYZER_BACKTEST_PRINT_H

#include "analyzer/backtest/backtest.h"

struct sw_backtest_page {
	const struct sw_backtest_table *backtest;
	const struct sw_policy *policy;
	const char *runs;	/* kind of runs: "jobs", "steps", "tasks" */
	const char *groups;	/* "groups"; for a trace, "workflows" */
	bool has_workflows;	/* each of them, and the total */
};

/* Summarize the result of the first method in a sentence; return buf. */
char *sw_backtest_sentence(char *buf, size_t size,
			   const struct sw_backtest_table *backtest);

void sw_backtest_print_text(const struct sw_backtest_page *page);
/* method,workflow,tasks,wastage_gib_h,failures,failed_tasks,mean_ratio */
void sw_backtest_print_csv(const struct sw_backtest_page *page);
void sw_backtest_print_json(const struct sw_backtest_page *page);

#endif
