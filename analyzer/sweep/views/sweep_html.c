/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page as one HTML file without scripts. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/html/html.h"
#include "analyzer/html/svg.h"
#include "analyzer/sweep/page/words.h"
#include "analyzer/sweep/views/views.h"
#include "common/units.h"

enum { CELL_SIZE = 64, PARTS_SHOWN = 6 };

struct html {
	struct sw_html *html;
	const struct sw_sweep_page *page;
	size_t rows_max;
};

static size_t shown(const struct html *html, size_t count)
{
	return html->rows_max && html->rows_max < count ? html->rows_max :
							   count;
}

static void say_more(const struct html *html, size_t count, const char *what)
{
	char text[CELL_SIZE];

	if (count <= shown(html, count))
		return;
	snprintf(text, sizeof(text), "And %zu more %s.",
		 count - shown(html, count), what);
	sw_html_note(html->html, text);
}

static void put_gauges(const struct html *html)
{
	struct sw_sweep_gauge gauges[SW_SWEEP_GAUGES];
	char value[16], text[256];
	size_t i, count = sw_sweep_gauges(gauges, html->page);

	sw_html_heading(html->html, 2, "Use of what was allocated");
	for (i = 0; i < count; i++) {
		snprintf(value, sizeof(value), "?");
		snprintf(text, sizeof(text), "not known");
		if (!isnan(gauges[i].ratio)) {
			snprintf(value, sizeof(value), "%.0f %%",
				 gauges[i].ratio * 100);
			snprintf(text, sizeof(text), "%s", gauges[i].text);
		}
		sw_svg_bar(html->html,
			   &(struct sw_svg_words){ gauges[i].name, text },
			   value, gauges[i].ratio, gauges[i].ratio);
	}
}

/* Share of the waste by group: the largest ones, and all others. */
static void put_parts(const struct html *html)
{
	static const char title[] = "Whose waste is it?";
	const struct sw_sweep_page *page = html->page;
	struct sw_svg_part parts[PARTS_SHOWN + 1];
	char texts[PARTS_SHOWN + 1][16], words[512];
	double all = 0, rest = 1;
	size_t i, count = 0;

	for (i = 0; i < page->count; i++)
		all += page->rows[i].share;
	for (i = 0; i < page->count && i < PARTS_SHOWN; i++) {
		double share = page->rows[i].share / all;

		snprintf(texts[i], sizeof(texts[i]), "%.0f %%", share * 100);
		parts[count++] = (struct sw_svg_part){
			sw_sweep_row_name(page->rows[i].tally), texts[i],
			share,
			(unsigned)i
		};
		rest -= share;
	}
	if (page->count > PARTS_SHOWN) {
		snprintf(texts[count], sizeof(texts[count]), "%.0f %%",
			 rest * 100);
		parts[count] = (struct sw_svg_part){ "others", texts[count],
						     rest, PARTS_SHOWN };
		count++;
	}
	if (!count || !(all > 0))
		return;
	snprintf(words, sizeof(words), "The group that wastes most, %s, has "
		 "%s of all waste.", parts[0].name, parts[0].text);
	sw_svg_parts(html->html, &(struct sw_svg_words){ title, words }, parts,
		     count);
}

/* Known from earlier pages; with all rows nothing is folded. */
static bool is_folded(const struct html *html, const struct sw_sweep_row *row)
{
	return row->repeats && html->rows_max;
}

/* Write lines to paste, each with its purpose and the runs it fits. */
static void put_lines(const struct html *html, const struct sw_sweep_row *row)
{
	char words[SW_SWEEP_WORDS_SIZE], code[SW_SWEEP_LINE_SIZE + 16];
	size_t i;

	for (i = 0; i < row->lines.count; i++) {
		const struct sw_sweep_line *line = &row->lines.items[i];

		if (!*line->words)
			continue;
		snprintf(code, sizeof(code), "%s%s",
			 sw_dialect_of_site(html->page->settings)->prefix,
			 line->words);
		sw_sweep_line_words(words, sizeof(words), line);
		*words = (char)toupper((unsigned char)*words);
		sw_html_row_text(html->html, words, code);
	}
	if (*sw_sweep_no_line(words, sizeof(words), row))
		sw_html_row_text(html->html, words, NULL);
	for (i = 0; !is_folded(html, row) &&
		    sw_sweep_kind_words(words, sizeof(words), html->page, row,
					i); i++) {
		if (*words)
			sw_html_row_text(html->html, words, NULL);
	}
}

static void put_row(const struct html *html, size_t number)
{
	const struct sw_sweep_row *row = &html->page->rows[number];
	char job[CELL_SIZE], cores[24], memory[24], cost[24] = "?";
	char words[CELL_SIZE * 2];
	const char *const cells[] = { sw_sweep_row_name(row->tally),
				      row->tally->user, job,
				      cores, memory, cost };
	size_t i;

	snprintf(job, sizeof(job), "%s",
		 sw_count_text(row->tally->n[SW_TALLY_JOBS]).s);
	snprintf(cores, sizeof(cores), "%.1f", row->core_hours);
	snprintf(memory, sizeof(memory), "%.1f", row->gib_hours);
	if (!isnan(row->cost))
		snprintf(cost, sizeof(cost), "%.2f", row->cost);
	sw_html_row(html->html, cells);
	for (i = 0; sw_sweep_why(words, sizeof(words), html->page, number, i,
				 is_folded(html, row));
	     i++) {
		if (*words)
			sw_html_row_text(html->html, words, NULL);
	}
	put_lines(html, row);
}

static void put_rows(const struct html *html)
{
	static const struct sw_html_column columns[] = {
		{ "group", SW_HTML_HEAD },
		{ "user", SW_HTML_TEXT },
		{ "jobs", SW_HTML_NUMBER },
		{ "core-hours", SW_HTML_NUMBER },
		{ "GiB-hours", SW_HTML_NUMBER },
		{ "cost", SW_HTML_NUMBER },	/* only with a catalogue */
	};
	size_t cells = sizeof(columns) / sizeof(columns[0]);
	size_t i, count = sw_sweep_rows_shown(html->page, html->rows_max);
	char words[SW_SWEEP_WORDS_SIZE];

	if (!html->page->count)
		return;
	sw_html_heading(html->html, 2, "Where the waste is");
	put_parts(html);
	sw_html_table(html->html,
		      "What groups of jobs wasted, the costly first", columns,
		      html->page->has_costs ? cells : cells - 1);
	for (i = 0; i < count; i++)
		put_row(html, i);
	if (*sw_sweep_cost_note(words, sizeof(words), html->page))
		sw_html_note(html->html, words);
	if (i < html->page->count)
		sw_html_note(html->html,
			     sw_sweep_rest(words, sizeof(words), html->page,
					   i));
}

static void put_savings(const struct html *html)
{
	const struct sw_takens *takens = &html->page->takens;
	char words[SW_SWEEP_WORDS_SIZE];
	size_t i;

	sw_sweep_savings(words, sizeof(words), html->page);
	if (!*words && !takens->count)
		return;
	sw_html_heading(html->html, 2, "Savings");
	if (*words)
		sw_html_paragraph(html->html, words);
	for (i = 0; i < shown(html, takens->count); i++)
		sw_html_paragraph(html->html,
				  sw_sweep_taken(words, sizeof(words),
						 &takens->items[i]));
	say_more(html, takens->count, "groups that request less");
}

static void put_list(const struct html *html, const struct sw_sweep_list *list)
{
	size_t rows = sw_sweep_rows_shown(html->page, html->rows_max);
	char words[SW_SWEEP_WORDS_SIZE];
	size_t count = 0, i;

	for (i = sw_sweep_list_at(list, html->page, 0, rows); i < list->count;
	     i = sw_sweep_list_at(list, html->page, i + 1, rows)) {
		if (count++ == 0)
			sw_html_heading(html->html, 2, list->head);
		if (count <= shown(html, count))
			sw_html_paragraph(html->html,
					  list->words(words, sizeof(words),
						      html->page, i,
						      html->rows_max > 0));
	}
	say_more(html, count, list->names);
}

static void put_lists(const struct html *html)
{
	struct sw_sweep_list lists[SW_SWEEP_LISTS];
	size_t i;

	sw_sweep_lists(lists, html->page);
	for (i = 0; i < SW_SWEEP_LISTS; i++)
		put_list(html, &lists[i]);
}

static void put_tally(const struct html *html, const struct sw_tally *tally)
{
	char cells[SW_SWEEP_BY_CELLS][SW_SWEEP_CELL_SIZE];
	char name[SW_SWEEP_WORDS_SIZE];
	const char *const row[] = { name, cells[0], cells[1], cells[2],
				    cells[3], cells[4], cells[5] };

	sw_sweep_by_cells(cells, html->page, tally, " %");
	sw_sweep_by_name(name, sizeof(name), tally);
	sw_html_row(html->html, row);
}

static void put_by(const struct html *html, const struct sw_sweep_by *by)
{
	const struct sw_html_column columns[] = {
		{ by->name, SW_HTML_HEAD },
		{ by->jobs, SW_HTML_NUMBER },
		{ "core-hours", SW_HTML_NUMBER },
		{ "CPU used", SW_HTML_NUMBER },
		{ "memory needed", SW_HTML_NUMBER },
		{ "lost with failed jobs", SW_HTML_NUMBER },
		{ "cost", SW_HTML_NUMBER },	/* only with a catalogue */
	};
	size_t cells = sizeof(columns) / sizeof(columns[0]);
	size_t i, count;
	const struct sw_tally **tallies =
		sw_sweep_by(html->page, by->of, &count);

	if (tallies && sw_sweep_by_is_shown(by, count)) {
		sw_html_details(html->html, by->head, false);
		sw_html_table(html->html, "Those that wasted most first",
			      columns,
			      html->page->has_costs ? cells : cells - 1);
		for (i = 0; i < shown(html, count); i++)
			put_tally(html, tallies[i]);
		say_more(html, count, by->names);
		sw_html_close(html->html);
	}
	free(tallies);
}

static void put_missing(const struct html *html)
{
	char words[SW_SWEEP_WORDS_SIZE];
	size_t i;

	for (i = 0;
	     sw_sweep_missing(words, sizeof(words), html->page, i); i++) {
		if (*words)
			sw_html_note(html->html, words);
	}
}

int sw_sweep_html(FILE *out, const struct sw_sweep_page *page,
		  const struct sw_sweep_options *options)
{
	char words[SW_SWEEP_WORDS_SIZE];
	const struct html html = {
		.html = sw_html_begin(out, "stepwell: the jobs of a night"),
		.page = page, .rows_max = options->rows_max,
	};
	size_t i;

	if (!html.html)
		return -1;
	sw_html_heading(html.html, 1, "The jobs of a night");
	sw_html_lead(html.html, sw_sweep_head(words, sizeof(words), page));
	if (page->total[SW_TALLY_JOBS]) {
		put_gauges(&html);
		put_rows(&html);
		put_savings(&html);
		put_lists(&html);
		for (i = 0; i < SW_SWEEP_BYS; i++)
			put_by(&html, &sw_sweep_bys[i]);
		if (!sw_sweep_is_of_part(page) &&
		    *sw_sweep_cost_note(words, sizeof(words), page))
			sw_html_note(html.html, words);
	}
	put_missing(&html);
	return sw_html_end(html.html);
}
