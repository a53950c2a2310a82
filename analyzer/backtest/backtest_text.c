/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Backtest for people: the cheapest method first, and a summary. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/backtest/backtest_print.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/print/messages.h"
#include "common/text.h"
#include "common/missing.h"
#include "common/units.h"

enum { METHOD_WIDTH = 16, NUMBER_SIZE = 32, TEXT_SIZE = 1024 };

/* Larger values are written as integers with words: "4.71 million". */
#define WORDS_FROM 1e6

/* Format GiB-hours with this many decimals. */
static char *hours(char *buf, double value, int decimals)
{
	if (value >= WORDS_FROM)
		return sw_count_format(buf, NUMBER_SIZE, sw_whole_real(value));
	snprintf(buf, NUMBER_SIZE, "%.*f", decimals, value);
	return buf;
}

/* Decimals that give a column's smallest value three digits. */
static int decimals_of(double least)
{
	if (!(least > 0) || !isfinite(least))
		return 0;
	return (int)fmin(fmax(2 - floor(log10(least)), 0), 6);
}

static char *alone(char *buf, double value)
{
	return hours(buf, value, decimals_of(value));
}

static const struct sw_backtest_row *
total(const struct sw_backtest_table *backtest, size_t index)
{
	return &backtest->sides[index].result.total;
}

/*
 * Return the published method that wasted least, of all, or of those that
 * failed no more often than the first method.  0: none.
 */
static size_t find_rival(const struct sw_backtest_table *backtest,
			 bool is_of_as_safe)
{
	size_t best = 0, i;

	for (i = 1; i < backtest->count; i++) {
		if (!strcmp(backtest->sides[i].method->name, "request") ||
		    (is_of_as_safe && total(backtest, i)->failures >
				      total(backtest, 0)->failures))
			continue;
		if (!best || total(backtest, i)->wasted_gib_hours <
			     total(backtest, best)->wasted_gib_hours)
			best = i;
	}
	return best;
}

static void say_killed(char *text, size_t size,
		       const struct sw_backtest_row *row)
{
	sw_text_add(text, size, "%zu of %zu run%s would have been killed",
		      row->failed_tasks, row->tasks,
		      row->tasks == 1 ? "" : "s");
	if (row->failures > row->failed_tasks)
		sw_text_add(text, size, ", %zu times in total", row->failures);
	else if (row->failed_tasks)
		sw_text_add(text, size, " once");
	if (row->retries_exhausted)
		sw_text_add(text, size, ", and %zu of them would never have "
			    "succeeded", row->retries_exhausted);
	sw_text_add(text, size, ".");
}

static void say_side(char *text, size_t size,
		     const struct sw_backtest_table *backtest, size_t side,
		     const char *between)
{
	const struct sw_backtest_row *row = total(backtest, side);
	char number[NUMBER_SIZE];

	sw_text_add(text, size, "%s%s %s GiB-hours, with %zu run%s killed",
		      backtest->sides[side].method->name, between,
		      alone(number, row->wasted_gib_hours), row->failed_tasks,
		      row->failed_tasks == 1 ? "" : "s");
}

/* Low waste is not everything: it may come with more failures. */
static void say_rivals(char *text, size_t size,
		       const struct sw_backtest_table *backtest)
{
	static const char least[] = " would have wasted the least:";
	size_t cheapest = find_rival(backtest, false);
	size_t as_safe = find_rival(backtest, true);

	if (!cheapest)
		return;
	if (!as_safe)
		sw_text_add(text, size, "  No published method would have "
			    "killed so few; ");
	else
		sw_text_add(text, size, "  Of the published methods%s ",
			      as_safe == cheapest ? "" :
			      " that kill no more often,");
	say_side(text, size, backtest, as_safe ? as_safe : cheapest, least);
	if (as_safe && as_safe != cheapest) {
		sw_text_add(text, size, "; of all methods, ");
		say_side(text, size, backtest, cheapest, ":");
	}
	sw_text_add(text, size, ".");
}

char *sw_backtest_sentence(char *buf, size_t size,
			   const struct sw_backtest_table *backtest)
{
	const struct sw_backtest_row *row = total(backtest, 0);
	char wasted[NUMBER_SIZE], asked[NUMBER_SIZE];

	*buf = '\0';
	alone(wasted, row->wasted_gib_hours);
	sw_text_add(buf, size, "%s would have wasted ",
		      backtest->sides[0].method->name);
	if (row->requested_gib_hours > 0)
		sw_text_add(buf, size, "%.2g of what was requested (%s of %s "
			    "GiB-hours); ", row->wasted_gib_hours /
			      row->requested_gib_hours, wasted,
			      alone(asked, row->requested_gib_hours));
	else
		sw_text_add(buf, size, "%s GiB-hours; ", wasted);
	say_killed(buf, size, row);
	say_rivals(buf, size, backtest);
	return buf;
}

static void say_one(char *text, size_t size, size_t count, const char *what)
{
	if (count)
		sw_text_add(text, size, "%s %zu %s", *text ? "," :
			      "Not counted:", count, what);
}

static void say_not_counted(char *text, size_t size,
			    const struct sw_trace *trace,
			    const struct sw_backtest_result *result)
{
	const struct sw_trace_rows *rows = &trace->rows;

	say_one(text, size, rows->usable - result->total.tasks,
		"with no earlier finished run");
	say_one(text, size, rows->failed, "that did not succeed");
	say_one(text, size, rows->repeated, "that repeat a task (CACHED)");
	say_one(text, size, rows->lower_bounds, "with only a lower bound of "
		"the need known (still used for learning)");
	say_one(text, size, rows->need_unknown, "with unknown need");
	say_one(text, size, rows->impossible, "with impossible values");
	if (*text)
		sw_text_add(text, size, ".");
	if (result->cold_groups)
		sw_text_add(text, size, "  Groups with too few runs to count: "
			    "%zu of %zu.", result->cold_groups,
			      trace->group_count);
	if (rows->without_request && rows->without_request < rows->usable)
		sw_text_add(text, size, "  The request of %zu runs is not "
			    "known: the whole node is assumed.",
			      rows->without_request);
}

/* Describe the runs in the table, and those left out. */
static void print_runs(const struct sw_backtest_page *page,
		       const struct sw_report_style *style)
{
	const struct sw_trace *trace = page->backtest->trace;
	const struct sw_backtest_result *result =
		&page->backtest->sides[0].result;
	char text[TEXT_SIZE], rest[TEXT_SIZE] = "";

	snprintf(text, sizeof(text), "%zu %s in %zu groups; %zu counted, those "
		 "with an earlier finished run of their group.",
		 trace->rows.read, page->runs, trace->group_count,
		 result->total.tasks);
	sw_paragraph_print(stdout, text, "", "", style);
	say_not_counted(rest, sizeof(rest), trace, result);
	if (*rest)
		sw_paragraph_print(stdout, rest, "", "", style);
}

static void print_header(bool has_requests)
{
	printf("%-*s %13s %9s %9s %8s %17s\n", METHOD_WIDTH, "method",
	       "wasted", has_requests ? "of the" : "", "killed", "killed",
	       "got / needed");
	printf("%-*s %13s %9s %9s %8s %8s %8s\n", METHOD_WIDTH, "",
	       "GiB-hours", has_requests ? "request" : "", "attempts",
	       "% runs", "mean", "median");
}

static void print_row(const struct sw_backtest_side *side,
		      const struct sw_backtest_row *row, int decimals,
		      bool is_bold)
{
	char number[NUMBER_SIZE];

	printf("%s%-*s %13s", is_bold ? "\033[1m" : "", METHOD_WIDTH,
	       side->method->name, hours(number, row->wasted_gib_hours,
					 decimals));
	if (row->requested_gib_hours > 0)
		printf(" %9.3f",
		       row->wasted_gib_hours / row->requested_gib_hours);
	else
		printf(" %9s", "");
	printf(" %9zu %8.2f %8.2f %8.2f%s\n", row->failures,
	       100.0 * (double)row->failed_tasks / (double)row->tasks,
	       row->mean_ratio, row->median_ratio, is_bold ? "\033[m" : "");
}

/* A row of a method, and the method's index. */
struct line {
	const struct sw_backtest_row *row;
	size_t side;
};

static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	double x = a->row->wasted_gib_hours, y = b->row->wasted_gib_hours;

	if (x != y)
		return x < y ? -1 : 1;
	return (a->side > b->side) - (a->side < b->side);
}

/* The users' request is a method only if requests are known. */
static bool is_shown(const struct sw_backtest_table *backtest, size_t side)
{
	const struct sw_trace_rows *rows = &backtest->trace->rows;

	return backtest->count == 1 || rows->without_request < rows->usable ||
	       strcmp(backtest->sides[side].method->name, "request") != 0;
}

/* Print the table of a workflow, or of the total if it is the last. */
static void print_table(const struct sw_backtest_table *backtest,
			size_t workflow,
			const struct sw_report_style *style)
{
	struct line *lines = calloc(backtest->count, sizeof(*lines));
	size_t count = 0, i;

	if (!lines)
		return;
	for (i = 0; i < backtest->count; i++) {
		const struct sw_backtest_result *result =
			&backtest->sides[i].result;

		if (!is_shown(backtest, i))
			continue;
		lines[count++] = (struct line){
			workflow == result->count ? &result->total :
						    &result->rows[workflow],
			i };
	}
	qsort(lines, count, sizeof(*lines), compare_lines);
	print_header(lines[0].row->requested_gib_hours > 0);
	for (i = 0; i < count; i++)
		print_row(&backtest->sides[lines[i].side], lines[i].row,
			  decimals_of(lines[0].row->wasted_gib_hours),
			  style->has_color && lines[i].side == 0);
	putchar('\n');
	free(lines);
}

static void print_workflows(const struct sw_backtest_page *page,
			    const struct sw_report_style *style)
{
	const struct sw_backtest_table *backtest = page->backtest;
	char shown[TEXT_SIZE];
	size_t i;

	for (i = 0; i < backtest->trace->workflow_count; i++) {
		const struct sw_backtest_row *row =
			&backtest->sides[0].result.rows[i];

		if (!row->tasks)
			continue;
		printf("%s: %zu %s\n",
		       sw_shown(shown, sizeof(shown),
				backtest->trace->workflows[i]),
		       row->tasks, page->runs);
		print_table(backtest, i, style);
	}
	printf("all: %zu %s\n", backtest->sides[0].result.total.tasks,
	       page->runs);
}

void sw_backtest_print_text(const struct sw_backtest_page *page)
{
	const struct sw_report_style style = sw_style_of_stdout();
	size_t workflows = page->backtest->trace->workflow_count;
	char text[TEXT_SIZE];

	print_runs(page, &style);
	putchar('\n');
	if (page->has_workflows && workflows > 1)
		print_workflows(page, &style);
	print_table(page->backtest, workflows, &style);
	sw_paragraph_print(stdout,
			   sw_backtest_sentence(text, sizeof(text),
						page->backtest),
			   "", "", &style);
	if (!page->has_workflows && workflows > 1)
		printf("--workflows shows each of the %zu %s.\n", workflows,
		       page->groups);
}
