/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for people.  If the width is too small for all columns, rows and the
 * head are folded into several lines; no column is left out.
 */
#ifndef SW_ANALYZER_TABLE_H
#define SW_ANALYZER_TABLE_H

#include <stdio.h>

#include "analyzer/print/style.h"


enum { SW_TEXT_TABLE_COLUMNS_MAX = 48 };

struct sw_text_table_column {
	const char *head;
	unsigned width;		/* 0: the last one, of any length */
	bool is_number;		/* right-aligned */
};

/* Filled by sw_text_table_init(). */
struct sw_text_table {
	FILE *out;
	const struct sw_report_style *style;
	const struct sw_text_table_column *columns;
	size_t count;
	unsigned indent;
	bool starts_line[SW_TEXT_TABLE_COLUMNS_MAX];
	unsigned end;		/* columns used in the last line */
	/* Of the next row, a text per cell, "" for none; NULL: none at all. */
	const char *const *colors;
};

/* Initialize, and print the head.  columns and style must outlive the table. */
void sw_text_table_init(struct sw_text_table *table, FILE *out,
			const struct sw_text_table_column *columns,
			size_t count, unsigned indent,
			const struct sw_report_style *style);

/* Print a text per column, escaped, and cut if too long. */
void sw_text_table_row(const struct sw_text_table *table,
		       const char *const *cells);

#endif
