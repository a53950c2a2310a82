/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the lines of "stepwell list" as a table for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/list/list_print.h"
#include "analyzer/print/messages.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/print/text_table.h"
#include "analyzer/report/words.h"
#include "common/missing.h"
#include "common/units.h"

enum { CELL_SIZE = 128 };

static const char *text_of(const struct sw_list_row *row,
			   enum sw_list_column_id id)
{
	const char *text = row->values[id].text;

	if (id == SW_LIST_ID)
		text = row->values[SW_LIST_ID_SHOWN].text;
	else if (id == SW_LIST_STATE)
		text = row->values[SW_LIST_STATE_SHOWN].text;
	else if (id == SW_LIST_NAME && !text)
		text = row->values[SW_LIST_PROGRAM].text;
	if (text && *text)
		return text;
	if (id == SW_LIST_NAME)
		return "(no name)";
	/* No finding is not an unknown one. */
	return id >= SW_LIST_FIRST_FINDING && id <= SW_LIST_FINDINGS &&
	       row->values[SW_LIST_FINDINGS].text ? "-" : "?";
}

static void format_cell(char cell[CELL_SIZE], const struct sw_list_row *row,
			enum sw_list_column_id id)
{
	const union sw_list_value *value = &row->values[id];

	if (sw_list_is_text(id))
		snprintf(cell, CELL_SIZE, "%s", text_of(row, id));
	else if (sw_list_is_missing(row, id))
		snprintf(cell, CELL_SIZE, "?");
	else if (sw_list_columns[id].kind == SW_LIST_BYTES)
		sw_size_format(cell, CELL_SIZE, value->number);
	else if (sw_list_columns[id].kind == SW_LIST_DURATION)
		sw_elapsed_format(cell, CELL_SIZE, value->number);
	else if (sw_list_columns[id].kind == SW_LIST_TIME)
		sw_realtime_words(cell, CELL_SIZE, value->number);
	else if (sw_list_columns[id].kind == SW_LIST_RATIO)
		snprintf(cell, CELL_SIZE, "%.0f%%", value->real * 100);
	else if (sw_list_columns[id].kind == SW_LIST_REAL)
		snprintf(cell, CELL_SIZE, "%.4g", value->real);
	else if (sw_list_columns[id].kind == SW_LIST_BOOL)
		snprintf(cell, CELL_SIZE, "%s", value->number ? "yes" : "no");
	else
		snprintf(cell, CELL_SIZE, "%llu",
			 (unsigned long long)value->number);
}

static unsigned columns_of(const struct sw_list_row *row,
			   enum sw_list_column_id id)
{
	char cell[CELL_SIZE], shown[4 * CELL_SIZE + 1];

	/* All times are of one width. */
	if (sw_list_columns[id].kind == SW_LIST_TIME &&
	    !sw_list_is_missing(row, id))
		return sw_list_columns[id].width;
	format_cell(cell, row, id);
	return sw_text_columns(sw_shown(shown, sizeof(shown), cell));
}

/*
 * Fit columns to their contents; rows that are too wide are folded.  The last
 * column is of any length, unless a width was given.
 */
static void fit_columns(struct sw_text_table_column *fitted,
			const struct sw_list_rows *rows,
			const struct sw_list_format *format)
{
	unsigned widest, columns;
	size_t i, j;

	for (j = 0; j < format->count; j++) {
		const struct sw_list_place *place = &format->items[j];
		const struct sw_list_column *column =
			&sw_list_columns[place->column];

		fitted[j] = (struct sw_text_table_column){
			.head = column->head, .width = place->width,
			.is_number = column->kind >= SW_LIST_NUMBER &&
				     column->kind != SW_LIST_TIME,
		};
		if (place->width || (j + 1 == format->count &&
				     !fitted[j].is_number))
			continue;
		widest = (unsigned)strlen(column->head);
		for (i = 0; widest < column->width && i < rows->count; i++) {
			columns = columns_of(&rows->items[i], place->column);
			if (columns > widest)
				widest = columns;
		}
		fitted[j].width = widest < column->width ? widest :
							   column->width;
	}
}

static const char *color_of(const struct sw_list_row *row,
			    enum sw_list_column_id id,
			    const struct sw_report_style *style)
{
	return id >= SW_LIST_FIRST_FINDING && id <= SW_LIST_FINDINGS ?
		       sw_severity_color(row->values[SW_LIST_SEVERITY].text,
					 style) : "";
}

void sw_list_print_text(const struct sw_list_rows *rows,
			const struct sw_list_format *format)
{
	const struct sw_report_style style = sw_style_of_stdout();
	struct sw_text_table_column fitted[SW_LIST_FORMAT_MAX];
	char cells[SW_LIST_FORMAT_MAX][CELL_SIZE];
	const char *texts[SW_LIST_FORMAT_MAX], *colors[SW_LIST_FORMAT_MAX];
	struct sw_text_table table;
	size_t i, j;

	fit_columns(fitted, rows, format);
	sw_text_table_init(&table, stdout, fitted, format->count, 0, &style);
	table.colors = colors;
	for (i = 0; i < rows->count; i++) {
		for (j = 0; j < format->count; j++) {
			enum sw_list_column_id id = format->items[j].column;

			format_cell(cells[j], &rows->items[i], id);
			texts[j] = cells[j];
			colors[j] = color_of(&rows->items[i], id, &style);
		}
		sw_text_table_row(&table, texts);
	}
}
