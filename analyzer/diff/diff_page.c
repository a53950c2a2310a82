/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values side by side, as text or HTML from the same rows. */
#include "analyzer/diff/diff_page.h"

#include <math.h>
#include <string.h>

#include "analyzer/compare/difference_words.h"
#include "analyzer/report/missing_data.h"
#include "analyzer/report/words.h"
#include "common/missing.h"
#include "common/text.h"

enum {
	CELL_SIZE = 64,
	NAME_SIZE = SW_FINGERPRINT_NAME + 32,
	EQUAL_SIZE = 1024,
	ROWS_MAX = 24, /* of text, so that all of it fits a screen */
	COLUMNS = 5,
};

/* A change by less is given in percent, and by more as a factor. */
static const double FACTOR = 2;

static const struct sw_text_table_column columns[COLUMNS] = {
	{ "what", 24, false }, { "A", 11, true }, { "B", 11, true },
	{ "change", 6, true }, { "past runs", 0, false },
};

static void number_words(char cell[CELL_SIZE], enum sw_beside_unit unit,
			 double value)
{
	uint64_t whole = isnan(value) ? SW_MISSING : sw_whole_real(value);

	if (isnan(value))
		snprintf(cell, CELL_SIZE, "?");
	else if (unit == SW_BESIDE_BYTES)
		snprintf(cell, CELL_SIZE, "%s", sw_size_text(whole).s);
	else if (unit == SW_BESIDE_USEC)
		snprintf(cell, CELL_SIZE, "%s", sw_duration_text(whole).s);
	else if (unit == SW_BESIDE_SHARE)
		snprintf(cell, CELL_SIZE, "%.0f %%", 100 * value);
	else if (unit == SW_BESIDE_COUNT && value == floor(value))
		snprintf(cell, CELL_SIZE, "%s", sw_count_text(whole).s);
	else
		snprintf(cell, CELL_SIZE, "%.3g", value);
}

/* "+12 %", "x 3.4"; of shares the difference speaks for itself. */
static void change_words(char cell[CELL_SIZE], const struct sw_beside_row *row)
{
	double ratio = row->b / row->a;

	cell[0] = '\0';
	if (row->unit == SW_BESIDE_SHARE || row->unit == SW_BESIDE_TEXT ||
	    !(row->a > 0) || isnan(ratio))
		return;
	if (ratio >= FACTOR)
		snprintf(cell, CELL_SIZE, ratio < 100 ? "x %.1f" : "x %.0f",
			 fmin(ratio, 9999));
	else
		snprintf(cell, CELL_SIZE, "%+.0f %%", 100 * (ratio - 1));
}

static void past_words(char cell[CELL_SIZE], const struct sw_beside_row *row)
{
	char least[CELL_SIZE], most[CELL_SIZE];

	cell[0] = '\0';
	if (isnan(row->least))
		return;
	number_words(least, row->unit, row->least);
	number_words(most, row->unit, row->most);
	if (strcmp(least, most) != 0)
		snprintf(cell, CELL_SIZE, "%.28s to %.28s", least, most);
	else
		snprintf(cell, CELL_SIZE, "%s", least);
}

/* "CPU time", "limited: I/O", "align: CPU time"; may be untrusted. */
static void name_words(char name[NAME_SIZE], const struct sw_beside_row *row)
{
	snprintf(name, NAME_SIZE, "%s%s%s%s",
		 row->part == SW_BESIDE_LIMITS ? "limited: " : "",
		 row->program ? row->program : "", row->program ? ": " : "",
		 row->name);
}

static void write_row(const struct sw_page_table *table,
		      const struct sw_beside_row *row)
{
	char name[NAME_SIZE], cells[COLUMNS - 1][CELL_SIZE];
	const char *const texts[COLUMNS] = { name, cells[0], cells[1], cells[2],
					     cells[3] };

	name_words(name, row);
	if (row->unit == SW_BESIDE_TEXT) {
		snprintf(cells[0], CELL_SIZE, "%s", row->text_a);
		snprintf(cells[1], CELL_SIZE, "%s", row->text_b);
	} else {
		number_words(cells[0], row->unit, row->a);
		number_words(cells[1], row->unit, row->b);
	}
	change_words(cells[2], row);
	past_words(cells[3], row);
	sw_page_table_row(table, texts);
}

/* Texts that do not fit a cell. */
static bool is_line(const struct sw_beside_row *row)
{
	return row->unit == SW_BESIDE_TEXT &&
	       (strlen(row->text_a) > columns[1].width ||
		strlen(row->text_b) > columns[2].width);
}

static size_t count_shown(const struct sw_beside *beside, bool of_programs)
{
	size_t count = 0, i;

	for (i = 0; i < beside->count; i++)
		count += !beside->rows[i].is_equal &&
			 (beside->rows[i].part == SW_BESIDE_PROGRAMS) ==
				 of_programs;
	return count;
}

/* Rows of programs for which a screen has no room. */
static size_t write_rows(const struct sw_page *page,
			 const struct sw_beside *beside)
{
	size_t others = count_shown(beside, false),
	       programs = count_shown(beside, true), part, i, left, shown;
	bool has_past = beside->past_count > 0;
	struct sw_page_table table;

	if (others + programs == 0)
		return 0;
	left = shown = page->html || others + programs <= ROWS_MAX
			       ? programs
			       : ROWS_MAX - (others < ROWS_MAX / 2
						     ? others
						     : ROWS_MAX / 2);
	sw_page_table_init(&table, page, "Values that differ", columns,
			   has_past ? COLUMNS : COLUMNS - 1);
	for (part = 0; part < SW_BESIDE_PARTS; part++) {
		for (i = 0; i < beside->count; i++) {
			const struct sw_beside_row *row = &beside->rows[i];

			if (row->part != part || row->is_equal || is_line(row) ||
			    (part == SW_BESIDE_PROGRAMS && left == 0))
				continue;
			left -= part == SW_BESIDE_PROGRAMS;
			write_row(&table, row);
		}
	}
	return programs - shown;
}

static void write_lines(const struct sw_page *page,
			const struct sw_beside *beside)
{
	size_t i;

	for (i = 0; i < beside->count; i++) {
		const struct sw_beside_row *row = &beside->rows[i];

		if (!row->is_equal && is_line(row))
			sw_page_line(page, row->name, "A %s, B %s", row->text_a,
				     row->text_b);
	}
}

/* Is each row of the program equal?  Only its first row answers. */
static bool is_equal_program(const struct sw_beside *beside, size_t at)
{
	const char *name = beside->rows[at].program;
	size_t i;

	for (i = 0; i < beside->count; i++) {
		const struct sw_beside_row *row = &beside->rows[i];

		if (row->program && !strcmp(row->program, name) &&
		    (!row->is_equal || i < at))
			return false;
	}
	return true;
}

/* All that is equal, in one line. */
static void write_equal(const struct sw_page *page,
			const struct sw_beside *beside)
{
	char text[EQUAL_SIZE] = "", name[NAME_SIZE];
	size_t programs = 0, i;

	for (i = 0; i < beside->count; i++) {
		const struct sw_beside_row *row = &beside->rows[i];

		if (!row->is_equal || row->program)
			continue;
		name_words(name, row);
		sw_text_add(text, sizeof(text), "%s%s", *text ? ", " : "",
			    name);
	}
	for (i = 0; i < beside->count; i++) {
		const struct sw_beside_row *row = &beside->rows[i];

		if (row->program && is_equal_program(beside, i))
			sw_text_add(text, sizeof(text), "%s%s",
				    programs++	? ", "
				    : *text	? "; programs "
						: "programs ",
				    row->program);
	}
	if (*text)
		sw_page_line(page, "Equal", "%s", text);
}

static const char *state_of(char *buf, size_t size,
			    const struct sw_diff_side *side)
{
	if (side->loaded)
		return sw_state_words(buf, size, side->loaded->result.view);
	return sw_run_state_words(side->print.state);
}

static void write_side(const struct sw_page *page, const char *label,
		       const struct sw_diff_side *side, const char *chosen)
{
	uint64_t start = isnan(side->start_seconds)
				 ? SW_MISSING
				 : sw_whole_real(side->start_seconds * 1e6);
	char when[64], state[256];

	sw_page_line(page, label, "%s, %s, %s%s%s", side->name,
		     sw_realtime_words(when, sizeof(when), start),
		     state_of(state, sizeof(state), side), chosen ? "; " : "",
		     chosen ? chosen : "");
}

static void write_set(const struct sw_page *page, const char *label,
		      const struct sw_diff_side *side)
{
	sw_page_line(page, label, "%zu run%s %s", side->runs,
		     side->runs == 1 ? "" : "s", side->name);
}

static bool has_finding(const struct sw_diff_side *side, const char *id)
{
	const struct sw_findings *findings = &side->loaded->result.findings;
	size_t i;

	for (i = 0; i < findings->count; i++) {
		if (!strcmp(findings->items[i].id, id))
			return true;
	}
	return false;
}

/* Findings of one report that the other does not have. */
static void add_findings(char *text, size_t size, const char *label,
			 const struct sw_diff_side *side,
			 const struct sw_diff_side *other)
{
	const struct sw_findings *findings = &side->loaded->result.findings;
	size_t named = 0, i;

	for (i = 0; i < findings->count; i++) {
		const char *id = findings->items[i].id;

		if (!has_finding(other, id))
			sw_text_add(text, size, "%s%s%s",
				    named    ? ", "
				    : *text  ? "; only "
					     : "only ",
				    named ? "" : label, id),
				named++;
	}
}

static void write_findings(const struct sw_page *page,
			   const struct sw_diff *diff)
{
	char text[EQUAL_SIZE] = "";

	add_findings(text, sizeof(text), "A: ", &diff->a, &diff->b);
	add_findings(text, sizeof(text), "B: ", &diff->b, &diff->a);
	if (*text)
		sw_page_line(page, "Findings", "%s", text);
}

struct missing {
	const struct sw_page *page;
	const char *label;
};

static void write_missing_data(void *context,
			       const struct sw_missing_data *missing)
{
	const struct missing *of = context;

	if (missing->is_major)
		sw_page_line(of->page, of->label, "%s", missing->text);
}

/* Add what its recording lacks, and whose claim it is. */
static void write_missing(const struct sw_page *page, const char *label,
			  const struct sw_diff_side *side)
{
	struct missing of = { page, label };

	if (side->loaded)
		sw_missing_data_visit(&side->loaded->result, write_missing_data,
				      &of);
}

void sw_diff_page(const struct sw_page *page, const struct sw_diff *diff)
{
	size_t left_out;

	if (diff->is_of_sets) {
		write_set(page, "A", &diff->a);
		write_set(page, "B", &diff->b);
	} else {
		write_side(page, "A", &diff->a, diff->chosen);
		write_side(page, "B", &diff->b, NULL);
	}
	if (!page->html)
		fputc('\n', page->out);
	left_out = write_rows(page, &diff->beside);
	if (left_out > 0)
		sw_page_paragraph(page, "  ",
				  "and %zu more of programs (--json has all)",
				  left_out);
	write_lines(page, &diff->beside);
	write_missing(page, "Note on A", &diff->a);
	write_missing(page, "Note on B", &diff->b);
	write_equal(page, &diff->beside);
	if (diff->a.loaded && diff->b.loaded)
		write_findings(page, diff);
}

int sw_diff_text(FILE *out, const struct sw_diff *diff,
		 const struct sw_report_style *style)
{
	const struct sw_page page = { out, NULL, style, NULL };
	char words[SW_DIFF_WORDS];

	sw_page_text(&page, "", "", sw_diff_words(words, sizeof(words), diff));
	sw_diff_page(&page, diff);
	return ferror(out) ? -1 : 0;
}
