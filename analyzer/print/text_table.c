/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables whose rows are folded if the width is too small. */
#include "analyzer/print/text_table.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "common/delta.h"

enum { FOLD_INDENT = 4, CELL_SIZE = 512 };

/* Return the number of columns used beyond the width. */
static unsigned print_number(FILE *out, const char *text, unsigned width)
{
	unsigned length = sw_text_columns(text);

	fprintf(out, "%*s%s", length < width ? (int)(width - length) : 0, "",
		text);
	return length > width ? length - width : 0;
}

/* Begin (is_on) or end the color of a cell. */
static void print_color(const struct sw_text_table *table, size_t i,
			bool is_on)
{
	const char *color = table->colors ? table->colors[i] : "";

	if (*color)
		fputs(is_on ? color : sw_style_plain(table->style), table->out);
}

/* Print the last column on the row's last line, or on separate lines. */
static void print_rest(const struct sw_text_table *table, const char *text)
{
	char indent[64], shown[CELL_SIZE];

	sw_text_escape(shown, sizeof(shown), text, table->style);
	if (table->end + 2 + sw_text_columns(shown) <= table->style->width) {
		fputs("  ", table->out);
		print_color(table, table->count - 1, true);
		fputs(shown, table->out);
		print_color(table, table->count - 1, false);
		fputc('\n', table->out);
		return;
	}
	snprintf(indent, sizeof(indent), "%*s",
		 (int)(table->indent + FOLD_INDENT), "");
	fputc('\n', table->out);
	print_color(table, table->count - 1, true);
	sw_paragraph_print(table->out, text, indent, indent, table->style);
	print_color(table, table->count - 1, false);
}

void sw_text_table_row(const struct sw_text_table *table,
		       const char *const *cells)
{
	unsigned excess = 0;
	size_t i;

	fprintf(table->out, "%*s", (int)table->indent, "");
	for (i = 0; i < table->count && table->columns[i].width; i++) {
		const struct sw_text_table_column *column = &table->columns[i];

		if (table->starts_line[i]) {
			excess = 0;
			fprintf(table->out, "\n%*s",
				(int)(table->indent + FOLD_INDENT), "");
		} else if (i > 0)
			fputc(' ', table->out);
		print_color(table, i, true);
		/* A number that is too long narrows the next cell. */
		if (column->is_number)
			excess = print_number(table->out, cells[i],
					      (unsigned)sw_excess_u64(
						      column->width, excess));
		else
			sw_text_print_cell(table->out, cells[i], column->width,
					   table->style);
		print_color(table, i, false);
	}
	if (i < table->count)
		print_rest(table, cells[i]);
	else
		fputc('\n', table->out);
}

static void print_head(const struct sw_text_table *table)
{
	const char *heads[SW_TEXT_TABLE_COLUMNS_MAX];
	size_t i;

	for (i = 0; i < table->count; i++)
		heads[i] = table->columns[i].head;
	sw_text_table_row(table, heads);
}

void sw_text_table_init(struct sw_text_table *table, FILE *out,
			const struct sw_text_table_column *columns,
			size_t count, unsigned indent,
			const struct sw_report_style *style)
{
	unsigned end = indent;
	size_t i;

	*table = (struct sw_text_table){
		.out = out,
		.style = style,
		.columns = columns,
		.count = count,
		.indent = indent,
	};
	for (i = 0; i < count && columns[i].width; i++) {
		table->starts_line[i] =
			i > 0 && end + 1 + columns[i].width > style->width;
		if (table->starts_line[i])
			end = indent + FOLD_INDENT + columns[i].width;
		else
			end += (i > 0) + columns[i].width;
	}
	table->end = end;
	print_head(table);
}
