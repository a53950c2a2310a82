/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a backtest came to, on standard output: for people, as CSV, as JSON. */
#ifndef SW_ANALYZER_BACKTEST_PRINT_H
#define SW_ANALYZER_BACKTEST_PRINT_H

#include "analyzer/backtest/backtest.h"

struct sw_backtest_page {
	const struct sw_backtest_table *backtest;
	const struct sw_policy *policy;
	const char *runs;	/* what was replayed: "jobs", "steps", "tasks" */
	const char *groups;	/* "groups"; of a trace "workflows" */
	bool has_workflows;	/* each of them, not only all together */
};

/* A sentence of what came out, of the first method; returns buf. */
char *sw_backtest_sentence(char *buf, size_t size,
			   const struct sw_backtest_table *backtest);

void sw_backtest_print_text(const struct sw_backtest_page *page);
/* method,workflow,tasks,wastage_gib_h,failures,failed_tasks,mean_ratio */
void sw_backtest_print_csv(const struct sw_backtest_page *page);
void sw_backtest_print_json(const struct sw_backtest_page *page);

#endif
