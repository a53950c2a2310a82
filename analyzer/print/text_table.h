/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for people.  Where the width does not hold all columns a row folds
 * into several lines, the head likewise: no column is left out.
 */
#ifndef SW_ANALYZER_TABLE_H
#define SW_ANALYZER_TABLE_H

#include <stdio.h>

#include "analyzer/print/style.h"


enum { SW_TEXT_TABLE_COLUMNS_MAX = 12 };

struct sw_text_table_column {
	const char *head;
	unsigned width;		/* 0: the last one, of any length */
	bool is_number;		/* to the right */
};

/* Filled by sw_text_table_init(). */
struct sw_text_table {
	FILE *out;
	const struct sw_report_style *style;
	const struct sw_text_table_column *columns;
	size_t count;
	unsigned indent;
	bool starts_line[SW_TEXT_TABLE_COLUMNS_MAX];
	unsigned end;		/* columns taken in the last line */
};

/* And print the head.  The columns and the style must stay. */
void sw_text_table_init(struct sw_text_table *table, FILE *out,
			const struct sw_text_table_column *columns,
			size_t count, unsigned indent,
			const struct sw_report_style *style);

/* A text for each column; hostile text is made safe, too long a text cut. */
void sw_text_table_row(const struct sw_text_table *table,
		       const char *const *cells);

#endif
