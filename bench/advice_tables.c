/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of what each side wasted and broke. */
#include "bench/advice_tables.h"

#include <math.h>
#include <stdio.h>

static void print_number(double number, const char *format)
{
	if (isnan(number))
		printf(" %8s", "-");
	else
		printf(format, number);
}

static void print_row(const struct advice_side *side,
		      const struct advice_row *full,
		      const struct advice_row *half)
{
	printf("  %-22s %12.4g %9.6g %8.3f%%", side->label,
	       full->wasted_gib_hours, full->failures,
	       full->tasks > 0 ? 100 * full->failed_tasks / full->tasks : 0);
	print_number(full->mean_ratio, " %8.2f");
	print_number(full->median_ratio, " %8.2f");
	printf(" %12.4g %9.6g\n", half->wasted_gib_hours, half->failures);
}

static void print_block(const struct advice_results *results, size_t set,
			size_t row, const char *name)
{
	const struct advice_sides *sides = results->sides;
	const struct advice_result *items =
		&results->items[set * sides->count];
	size_t i;

	printf("%s, %s: %.0f tasks\n", results->sets->items[set].name, name,
	       items[0].rows[0][row].tasks);
	if (!(items[0].rows[0][row].tasks > 0))
		return;
	printf("  %-22s %12s %9s %9s %8s %8s %12s %9s\n", "method",
	       "GiBh ttf 1.0", "failures", "failed", "mean", "median",
	       "GiBh ttf 0.5", "failures");
	for (i = 0; i < sides->count; i++)
		print_row(&sides->items[i], &items[i].rows[0][row],
			  &items[i].rows[1][row]);
	putchar('\n');
}

static void print_rows(const struct advice_set *set)
{
	const struct sw_trace_rows *rows = &set->trace.rows;

	printf("== %s: %zu rows, %zu tasks in %zu groups of %zu workflows; "
	       "not used: %zu failed, %zu without need, %zu that cannot be; "
	       "inputs known before %zu, after %zu; requests %zu; times %zu\n",
	       set->name, rows->read, set->trace.count, set->trace.group_count,
	       set->trace.workflow_count, rows->failed, rows->without_need,
	       rows->absurd, rows->known_inputs, rows->late_inputs,
	       rows->usable - rows->without_request,
	       rows->usable - rows->without_times);
}

void advice_print_set(const struct advice_results *results, size_t set,
		      bool has_workflows)
{
	const struct sw_trace *trace = &results->sets->items[set].trace;
	size_t i;

	print_rows(&results->sets->items[set]);
	for (i = 0; has_workflows && trace->workflow_count > 1 &&
	     i < trace->workflow_count; i++)
		print_block(results, set, i, trace->workflows[i]);
	print_block(results, set, trace->workflow_count, "all");
}
