/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A backtest for people: the cheapest method first, and what came out. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/backtest_print.h"
#include "analyzer/paragraph.h"
#include "analyzer/verb.h"
#include "common/units.h"

enum { METHOD_WIDTH = 16, NUMBER_SIZE = 32, TEXT_SIZE = 1024 };

/* From here on whole numbers with words: "4.71 million". */
#define WORDS_FROM 1e6

/* A number of GiB-hours, with so many digits behind the point. */
static char *hours(char *buf, double value, int decimals)
{
	if (value >= WORDS_FROM)
		return sw_count_format(buf, NUMBER_SIZE, (uint64_t)value);
	snprintf(buf, NUMBER_SIZE, "%.*f", decimals, value);
	return buf;
}

/* So that the least of a column has three digits. */
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

/* At the end of the text. */
__attribute__((format(printf, 3, 4)))
static void say(char *buf, size_t size, const char *format, ...)
{
	size_t length = strlen(buf);
	va_list args;

	va_start(args, format);
	vsnprintf(buf + length, size - length, format, args);
	va_end(args);
}

static const struct sw_backtest_row *total(const struct sw_backtest *backtest,
					   size_t index)
{
	return &backtest->sides[index].result.total;
}

/* The one of the others, but for the request, that wasted least; or 0. */
static size_t find_rival(const struct sw_backtest *backtest)
{
	size_t best = 0, i;

	for (i = 1; i < backtest->count; i++) {
		if (!strcmp(backtest->sides[i].method->name, "request"))
			continue;
		if (!best || total(backtest, i)->wasted_gib_hours <
			     total(backtest, best)->wasted_gib_hours)
			best = i;
	}
	return best;
}

static void say_killed(char *buf, size_t size,
		       const struct sw_backtest_row *row)
{
	say(buf, size, "%zu of %zu runs would have been killed",
	    row->failed_tasks, row->tasks);
	if (row->failures > row->failed_tasks)
		say(buf, size, ", %zu times in all", row->failures);
	else if (row->failed_tasks)
		say(buf, size, " once");
	if (row->given_up)
		say(buf, size, ", and %zu of them would never have got "
		    "enough", row->given_up);
}

static void say_rival(char *buf, size_t size,
		      const struct sw_backtest *backtest)
{
	size_t rival = find_rival(backtest);
	const struct sw_backtest_row *first = total(backtest, 0);
	const struct sw_backtest_row *other = total(backtest, rival);
	char number[NUMBER_SIZE];

	if (!rival)
		return;
	say(buf, size, "  Of the published methods, %s would have wasted "
	    "least: %s GiB-hours, %s than %s, with %zu runs killed.",
	    backtest->sides[rival].method->name,
	    alone(number, other->wasted_gib_hours),
	    other->wasted_gib_hours < first->wasted_gib_hours ? "less" :
								"more",
	    backtest->sides[0].method->name, other->failed_tasks);
}

char *sw_backtest_sentence(char *buf, size_t size,
			   const struct sw_backtest *backtest)
{
	const struct sw_backtest_row *row = total(backtest, 0);
	char wasted[NUMBER_SIZE], asked[NUMBER_SIZE];

	*buf = '\0';
	alone(wasted, row->wasted_gib_hours);
	say(buf, size, "%s would have wasted ",
	    backtest->sides[0].method->name);
	if (row->requested_gib_hours > 0)
		say(buf, size, "%.2g of what was asked for (%s of %s "
		    "GiB-hours); ",
		    row->wasted_gib_hours / row->requested_gib_hours, wasted,
		    alone(asked, row->requested_gib_hours));
	else
		say(buf, size, "%s GiB-hours; ", wasted);
	say_killed(buf, size, row);
	say(buf, size, ".");
	say_rival(buf, size, backtest);
	return buf;
}

static void say_one(char *buf, size_t size, size_t count, const char *what)
{
	if (count)
		say(buf, size, "%s %zu %s", strchr(buf, ':') ? "," :
		    "Not counted:", count, what);
}

/* Which of the runs are in the table, and what became of the others. */
static void print_runs(const struct sw_backtest_page *page,
		       const struct sw_report_style *style)
{
	const struct sw_trace *trace = page->backtest->trace;
	const struct sw_trace_rows *rows = &trace->rows;
	const struct sw_backtest_result *result =
		&page->backtest->sides[0].result;
	char text[TEXT_SIZE] = "";

	say(text, sizeof(text), "%zu %s in %zu groups; counted are %zu, those "
	    "with one of their group that had ended before.", rows->read,
	    page->runs, trace->group_count, result->total.tasks);
	sw_paragraph_print(stdout, text, "", "", style);
	text[0] = '\0';
	say_one(text, sizeof(text), rows->usable - result->total.tasks,
		"with none that had ended");
	say_one(text, sizeof(text), rows->failed,
		"that did not end well");
	say_one(text, sizeof(text), rows->lower_bounds,
		"of which only a lower bound of the need is known (learned "
		"from as that)");
	say_one(text, sizeof(text), rows->without_need,
		"whose need is not known");
	say_one(text, sizeof(text), rows->absurd, "with numbers that cannot "
		"be");
	if (*text)
		say(text, sizeof(text), ".");
	if (result->cold_groups)
		say(text, sizeof(text), "  Too few runs to count any: in %zu "
		    "groups (%zu runs).", result->cold_groups,
		    result->cold_group_runs);
	if (rows->without_request && rows->without_request < rows->usable)
		say(text, sizeof(text), "  Of %zu runs the request is not "
		    "known: there it is taken for all of the node.",
		    rows->without_request);
	if (*text)
		sw_paragraph_print(stdout, text, "", "", style);
}

static void print_header(bool has_requests)
{
	printf("%-*s %13s %9s %9s %8s %8s %8s\n", METHOD_WIDTH, "method",
	       "wasted", has_requests ? "of what" : "", "killed", "killed",
	       "got / ", "needed");
	printf("%-*s %13s %9s %9s %8s %8s %8s\n", METHOD_WIDTH, "",
	       "GiB-hours", has_requests ? "was asked" : "", "attempts",
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

/* A row of a side; which one it is of its methods' order. */
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

/* Where no request is known, the user's is no method. */
static bool is_shown(const struct sw_backtest *backtest, size_t side)
{
	const struct sw_trace_rows *rows = &backtest->trace->rows;

	return backtest->count == 1 || rows->without_request < rows->usable ||
	       strcmp(backtest->sides[side].method->name, "request") != 0;
}

/* The table of a workflow, or of all where it is the last. */
static void print_table(const struct sw_backtest *backtest, size_t workflow,
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
	const struct sw_backtest *backtest = page->backtest;
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
