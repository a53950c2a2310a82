/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables of each side's wastage and failures. */
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

/* Goal: promised and actual failures within this factor of each other. */
static const double near_enough = 1.5;

/* Deviations less likely than this are not attributed to chance. */
static const double by_chance = 0.05;

/* Return the probability of at most count events, given the mean (Poisson). */
static double at_most(double count, double mean)
{
	double term = exp(-mean), sum = 0, i;

	for (i = 0; i <= count; i++) {
		sum += term;
		term *= mean / (i + 1);
	}
	return sum;
}

/*
 * '?': the goal is missed, but chance could explain it; even more so as
 * failures come in bursts.
 */
static char mark_of(const struct advice_promise *promise)
{
	double least = promise->promised / near_enough;
	double most = promise->promised * near_enough;
	double failed = promise->failed;

	if (failed >= least && failed <= most)
		return ' ';
	if (failed > most)
		return 1 - at_most(failed - 1, most) < by_chance ? '!' : '?';
	return at_most(failed, least) < by_chance ? '!' : '?';
}

static void print_promise(const struct advice_promise *promise)
{
	double ratio = promise->failed / promise->promised;

	if (!(promise->runs > 0)) {
		printf(" %26s", "-");
		return;
	}
	printf(" %8.3f%% %8.3f%% %6.2f%c",
	       100 * promise->promised / promise->runs,
	       100 * promise->failed / promise->runs, ratio,
	       mark_of(promise));
}

/* Print promised and actual failures by number of known runs of the group. */
static void print_promises(const struct advice_results *results, size_t set)
{
	const struct advice_sides *sides = results->sides;
	const struct advice_result *items =
		&results->items[set * sides->count];
	size_t size, i;

	printf("%s, promised risk and what happened (to reach: within a factor "
	       "of %.1f;\n! is not, ? is too few to tell)\n  %-12s %8s",
	       results->sets->items[set].name, near_enough, "runs known",
	       "runs");
	for (i = 0; i < sides->count; i++) {
		if (sides->items[i].is_ours && !sides->items[i].is_without_input)
			printf(" %26s", sides->items[i].label);
	}
	putchar('\n');
	for (size = 0; size < ADVICE_SIZES; size++) {
		size_t most = (size_t)1 << size;

		if (size + 1 == ADVICE_SIZES)
			printf("  %4zu and up ", most / 2 + 1);
		else
			printf("  %4zu to %-4zu", size ? most / 2 + 1 : 1,
			       most);
		printf(" %8.0f", items[0].promises[size].runs);
		for (i = 0; i < sides->count; i++) {
			if (sides->items[i].is_ours &&
			    !sides->items[i].is_without_input)
				print_promise(&items[i].promises[size]);
		}
		putchar('\n');
	}
	putchar('\n');
}

static void print_rows(const struct advice_set *set)
{
	const struct sw_trace_rows *rows = &set->trace.rows;

	printf("== %s: %zu rows, %zu tasks in %zu groups of %zu workflows; "
	       "not used: %zu failed, %zu without need, %zu that cannot be; "
	       "inputs known before %zu, after %zu; requests %zu; times %zu\n",
	       set->name, rows->read, set->trace.count, set->trace.group_count,
	       set->trace.workflow_count, rows->failed, rows->need_unknown,
	       rows->impossible, rows->known_inputs, rows->late_inputs,
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
	print_promises(results, set);
}
