/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page for a terminal or e-mail. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/print/text_table.h"
#include "analyzer/report/text/picture.h"
#include "analyzer/sweep/page/words.h"
#include "analyzer/sweep/views/views.h"
#include "common/units.h"

enum { GAUGE_WIDTH = 20 };

struct text {
	FILE *out;
	const struct sw_sweep_page *page;
	const struct sw_sweep_options *options;
};

static size_t shown(const struct text *text, size_t count)
{
	size_t most = text->options->rows_max;

	return most && most < count ? most : count;
}

static void head(const struct text *text, const char *words)
{
	const struct sw_report_style *style = &text->options->style;

	fprintf(text->out, "\n%s%s%s\n", sw_style_bold(style), words,
		sw_style_plain(style));
}

static void say(const struct text *text, const char *words, const char *first,
		const char *indent)
{
	if (*words)
		sw_paragraph_print(text->out, words, first, indent,
				   &text->options->style);
}

static void say_more(const struct text *text, size_t count, const char *what)
{
	size_t more = count - shown(text, count);

	if (more)
		fprintf(text->out, "  and %zu more %s (--rows 0 shows all)\n",
			more, what);
}

static void print_gauges(const struct text *text)
{
	struct sw_sweep_gauge gauges[SW_SWEEP_GAUGES];
	char bar[SW_PICTURE_SIZE(GAUGE_WIDTH)], percent[16];
	size_t i, count = sw_sweep_gauges(gauges, text->page);

	head(text, "Use of what was allocated");
	for (i = 0; i < count; i++) {
		snprintf(percent, sizeof(percent), "   ?");
		if (!isnan(gauges[i].ratio))
			snprintf(percent, sizeof(percent), "%3.0f%%",
				 gauges[i].ratio * 100);
		fprintf(text->out, "  %-11s %s %s  %s\n", gauges[i].name,
			sw_gauge(bar, GAUGE_WIDTH, gauges[i].ratio, NAN,
				 &text->options->style),
			percent,
			isnan(gauges[i].ratio) ? "not known" :
						 gauges[i].text);
	}
}

static void print_row(const struct text *text, size_t number_of)
{
	const struct sw_sweep_row *row = &text->page->rows[number_of];
	bool is_folded = row->repeats && text->options->rows_max;
	char words[2 * SW_SWEEP_WORDS_SIZE], number[32];
	char waste[SW_SWEEP_WORDS_SIZE], jobs[48];
	size_t i;

	snprintf(number, sizeof(number), "%3zu. ", number_of + 1);
	snprintf(words, sizeof(words), "%s%s%s, %s: %s",
		 sw_sweep_row_name(row->tally), *row->tally->user ? " of " : "",
		 row->tally->user, sw_sweep_jobs(jobs, sizeof(jobs), row),
		 sw_sweep_waste(waste, sizeof(waste), text->page, row));
	say(text, words, number, "     ");
	for (i = 0; sw_sweep_why(words, sizeof(words), text->page, number_of, i,
				 is_folded);
	     i++)
		say(text, words, "     ", "     ");
	for (i = 0; sw_sweep_advice(words, sizeof(words), text->page, row, i);
	     i++)
		say(text, words, "     ", "     ");
	for (i = 0; !is_folded && sw_sweep_kind_words(words, sizeof(words),
						      text->page, row, i); i++)
		say(text, words, "     ", "     ");
}

/* Summarize the remaining groups in one line. */
static void say_rest(const struct text *text, size_t first)
{
	char words[SW_SWEEP_WORDS_SIZE];

	if (first == text->page->count)
		return;
	sw_sweep_rest(words, sizeof(words), text->page, first);
	say(text, words, "  ", "  ");
}

static void print_rows(const struct text *text)
{
	size_t i, count = sw_sweep_rows_shown(text->page,
					      text->options->rows_max);

	if (!text->page->count)
		return;
	head(text, "Where the waste is, the costly first");
	for (i = 0; i < count; i++)
		print_row(text, i);
	say_rest(text, i);
}

static void print_savings(const struct text *text)
{
	const struct sw_takens *takens = &text->page->takens;
	char words[SW_SWEEP_WORDS_SIZE];
	size_t i;

	sw_sweep_savings(words, sizeof(words), text->page);
	if (!*words && !takens->count)
		return;
	head(text, "Savings");
	say(text, words, "  ", "  ");
	for (i = 0; i < shown(text, takens->count); i++)
		say(text, sw_sweep_taken(words, sizeof(words),
					 &takens->items[i]), "  - ", "    ");
	say_more(text, takens->count, "groups that request less");
}

static void print_list(const struct text *text,
		       const struct sw_sweep_list *list)
{
	size_t rows_max = text->options->rows_max, count = 0, i;
	size_t rows = sw_sweep_rows_shown(text->page, rows_max);
	char words[SW_SWEEP_WORDS_SIZE];

	for (i = sw_sweep_list_at(list, text->page, 0, rows); i < list->count;
	     i = sw_sweep_list_at(list, text->page, i + 1, rows)) {
		if (count++ == 0)
			head(text, list->head);
		if (count <= shown(text, count))
			say(text,
			    list->words(words, sizeof(words), text->page, i,
					rows_max > 0),
			    "  - ", "    ");
	}
	say_more(text, count, list->names);
}

static void print_lists(const struct text *text)
{
	struct sw_sweep_list lists[SW_SWEEP_LISTS];
	char worse[80];
	size_t i;

	sw_sweep_lists(lists, text->page);
	snprintf(worse, sizeof(worse), "Worse than in the %zu night%s before",
		 text->page->past_nights,
		 text->page->past_nights == 1 ? "" : "s");
	lists[SW_SWEEP_LIST_WORSE].head = worse;
	for (i = 0; i < SW_SWEEP_LISTS; i++)
		print_list(text, &lists[i]);
}

/* The name comes last, since it may be long. */
static void print_tally(const struct text *text,
			const struct sw_text_table *table,
			const struct sw_tally *tally)
{
	char cells[SW_SWEEP_BY_CELLS][SW_SWEEP_CELL_SIZE];
	char name[SW_SWEEP_WORDS_SIZE];
	const char *row[] = { cells[0], cells[1], cells[2], cells[3], cells[4],
			      cells[5], name };

	sw_sweep_by_cells(cells, text->page, tally, "%");
	sw_sweep_by_name(name, sizeof(name), tally);
	if (!text->page->has_costs)
		row[5] = name;
	sw_text_table_row(table, row);
}

static void print_by(const struct text *text, const struct sw_sweep_by *by)
{
	struct sw_text_table_column columns[] = {
		{ by->jobs, 10, true }, { "core-hours", 12, true },
		{ "CPU", 5, true },	{ "memory", 6, true },
		{ "lost", 5, true },	{ "cost", 11, true },
		{ by->name, 0, false },
	};
	size_t cells = sizeof(columns) / sizeof(columns[0]);
	struct sw_text_table table;
	size_t i, count;
	const struct sw_tally **tallies =
		sw_sweep_by(text->page, by->of, &count);

	/* Costs need a catalogue. */
	if (!text->page->has_costs)
		columns[cells - 2] = columns[cells - 1];
	if (tallies && sw_sweep_by_is_shown(by, count)) {
		head(text, by->head);
		sw_text_table_init(&table, text->out, columns,
				   text->page->has_costs ? cells : cells - 1, 2,
				   &text->options->style);
		for (i = 0; i < shown(text, count); i++)
			print_tally(text, &table, tallies[i]);
		say_more(text, count, by->names);
	}
	free(tallies);
}

static void print_missing(const struct text *text)
{
	char words[SW_SWEEP_WORDS_SIZE];
	bool has_head = false;
	size_t i;

	for (i = 0; sw_sweep_missing(words, sizeof(words), text->page, i);
	     i++) {
		if (*words && !has_head)
			head(text, "What these numbers do not have");
		has_head |= *words != '\0';
		say(text, words, "  ", "  ");
	}
}

void sw_sweep_text(FILE *out, const struct sw_sweep_page *page,
		   const struct sw_sweep_options *options)
{
	const struct text text = { out, page, options };
	char words[SW_SWEEP_WORDS_SIZE];
	size_t i;

	say(&text, sw_sweep_head(words, sizeof(words), page), "", "");
	if (page->total[SW_TALLY_JOBS]) {
		print_gauges(&text);
		print_rows(&text);
		print_savings(&text);
		print_lists(&text);
		for (i = 0; i < SW_SWEEP_BYS; i++)
			print_by(&text, &sw_sweep_bys[i]);
		if (!sw_sweep_is_of_part(page) &&
		    *sw_sweep_cost_note(words, sizeof(words), page))
			say(&text, words, "  ", "  ");
	}
	print_missing(&text);
}
