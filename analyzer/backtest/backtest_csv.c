/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Backtest as CSV: a row for each method and workflow. */
#include <math.h>
#include <stdio.h>

#include "analyzer/backtest/backtest_print.h"
#include "analyzer/print/csv.h"

static void print_row(const struct sw_method *method, const char *workflow,
		      const struct sw_backtest_row *row)
{
	printf("%s,", method->name);
	sw_csv_field(stdout, workflow);
	printf(",%zu,%.6g,%zu,%zu,", row->tasks, row->wasted_gib_hours,
	       row->failures, row->failed_tasks);
	if (!isnan(row->mean_ratio))
		printf("%.6g", row->mean_ratio);
	putchar('\n');
}

void sw_backtest_print_csv(const struct sw_backtest_page *page)
{
	const struct sw_backtest_table *backtest = page->backtest;
	size_t i, j;

	puts("method,workflow,tasks,wastage_gib_h,failures,failed_tasks,"
	     "mean_ratio");
	for (i = 0; i < backtest->count; i++) {
		const struct sw_backtest_side *side = &backtest->sides[i];

		for (j = 0; j < side->result.count; j++)
			print_row(side->method, backtest->trace->workflows[j],
				  &side->result.rows[j]);
	}
}
