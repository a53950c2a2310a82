/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of the page as CSV (RFC 4180), one per line, followed by the sums by
 * user, pipeline and others, and by what got worse.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/sweep/night/kind_cost.h"
#include "analyzer/sweep/page/words.h"
#include "analyzer/sweep/views/views.h"
#include "common/escape.h"

#define USEC_PER_HOUR (3600.0 * 1000000)
#define MIB_SECONDS_PER_GIB_HOUR (3600.0 * 1024)

/*
 * Names are untrusted: escape control characters, double quotes, and put an
 * apostrophe before anything a spreadsheet would take for a formula.
 */
static void put_text(FILE *out, const char *text)
{
	char safe[1024];
	const char *at;

	sw_escape_terminal(safe, sizeof(safe), text);
	fputc('"', out);
	if (*safe && (*safe == '=' || *safe == '+' || *safe == '-' ||
		      *safe == '@'))
		fputc('\'', out);
	for (at = safe; *at; at++) {
		if (*at == '"')
			fputc('"', out);
		fputc(*at, out);
	}
	fputs("\",", out);
}

static void put_number(FILE *out, double number, const char *end)
{
	if (!isnan(number))
		fprintf(out, "%.6g", number);
	fputs(end, out);
}

static void put_lines(FILE *out, const struct sw_sweep_lines *lines)
{
	const char *between = "\"";
	size_t i;

	for (i = 0; i < lines->count; i++) {
		const struct sw_sweep_line *line = &lines->items[i];

		if (!*line->words)
			continue;
		fprintf(out, "%s%s", between, line->words);
		if (*line->whose)
			fprintf(out, " (requests %s)", line->whose);
		between = "; ";
	}
	fputs(*between == '"' ? "\"\"," : "\",", out);
}

/* Write the cost with the dates of its prices, as 20260108. */
static void put_cost(FILE *out, const struct sw_sweep_page *page,
		     const uint64_t *n)
{
	if (!page->has_costs || !n[SW_TALLY_PRICED_CORE_USEC]) {
		fputs(",,,\r\n", out);
		return;
	}
	put_number(out, (double)n[SW_TALLY_COST_MICROS] / SW_MICROS, ",");
	put_text(out, page->catalogue.currency);
	fprintf(out, "%llu,%llu\r\n",
		SW_TALLY_DAY_LAST -
			(unsigned long long)n[SW_TALLY_PRICE_DAY_BEFORE],
		(unsigned long long)n[SW_TALLY_PRICE_DAY]);
}

/* Write the columns common to all rows: user, usage and waste. */
static void put_tally(FILE *out, const char *kind, const struct sw_tally *tally)
{
	const uint64_t *n = tally->n;

	put_text(out, kind);
	put_text(out, tally->cluster);
	put_text(out, tally->name);
	put_text(out, tally->user);
	fprintf(out, "%llu,%llu,%llu,",
		(unsigned long long)n[SW_TALLY_JOBS],
		(unsigned long long)n[SW_TALLY_COMPLETED],
		(unsigned long long)n[SW_TALLY_RECORDED]);
	put_number(out, (double)n[SW_TALLY_CORE_USEC] / USEC_PER_HOUR, ",");
	put_number(out, (double)n[SW_TALLY_MIB_SECONDS] /
				MIB_SECONDS_PER_GIB_HOUR, ",");
	put_number(out, sw_tally_ratio(n, SW_TALLY_USED_USEC,
				       SW_TALLY_CORE_KNOWN_USEC), ",");
	put_number(out, sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
				       SW_TALLY_MIB_KNOWN_SECONDS), ",");
}

static void put_row(FILE *out, const struct sw_sweep_page *page,
		    const struct sw_sweep_row *row, const char *kind)
{
	put_tally(out, kind, row->tally);
	put_number(out, row->core_hours, ",");
	put_number(out, row->gib_hours, ",");
	put_number(out, row->cost, ",");
	put_text(out, sw_sweep_cause_ids[row->cause] ?
		      sw_sweep_cause_ids[row->cause] : "");
	put_text(out, row->why);
	/* A line to paste begins with two dashes, like a formula. */
	put_lines(out, &row->lines);
	put_cost(out, page, row->tally->n);
}

static void put_by(FILE *out, const struct sw_sweep_page *page,
		   const struct sw_sweep_by *by)
{
	size_t i, count;
	const struct sw_tally **tallies = sw_sweep_by(page, by->of, &count);

	for (i = 0; tallies && i < count; i++) {
		struct sw_sweep_row row = { .tally = tallies[i] };

		sw_sweep_put_waste(&row, page);
		put_tally(out, by->kind, row.tally);
		put_number(out, row.core_hours, ",");
		put_number(out, row.gib_hours, ",");
		put_number(out, row.cost, ",");
		fputs("\"\",\"\",\"\",", out);
		put_cost(out, page, row.tally->n);
	}
	free(tallies);
}

/* The sums are those of the first group, in this night. */
static void put_worse(FILE *out, const struct sw_sweep_page *page,
		      const struct sw_worse *worse)
{
	char words[SW_SWEEP_WORDS_SIZE];

	put_tally(out, "worse", worse->groups[0]);
	fputs(",,,\"\",", out);
	put_text(out, sw_sweep_worse(words, sizeof(words), worse));
	fputs("\"\",", out);
	put_cost(out, page, worse->groups[0]->n);
}

void sw_sweep_csv(FILE *out, const struct sw_sweep_page *page)
{
	const char *kind = page->pipeline || page->run ? "task" : "group";
	size_t i;

	fputs("kind,cluster,name,user,jobs,completed,recorded,"
	      "allocated_core_hours,allocated_gib_hours,cpu_efficiency,"
	      "memory_efficiency,wasted_core_hours,wasted_gib_hours,"
	      "wasted_cost,finding,sentence,sbatch,cost,currency,"
	      "oldest_price,newest_price\r\n", out);
	for (i = 0; i < page->count; i++)
		put_row(out, page, &page->rows[i], kind);
	for (i = 0; i < SW_SWEEP_BYS; i++)
		put_by(out, page, &sw_sweep_bys[i]);
	for (i = 0; i < page->worses.count; i++)
		put_worse(out, page, &page->worses.items[i]);
}
