/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page for people, text or HTML: output functions for all sections. */
#ifndef SW_ANALYZER_PAGE_H
#define SW_ANALYZER_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/html/html.h"
#include "analyzer/print/text_table.h"

struct sw_result;

struct sw_page {
	FILE *out;
	const struct sw_result *result;	/* NULL for a job without a profile */
	const struct sw_report_style *style;
	struct sw_html *html;	/* NULL for text on out */
};

enum { SW_PAGE_LABEL_WIDTH = 10, SW_PAGE_PICTURE_MAX = 60 };

/* Write a heading, with an empty line before it. */
void sw_page_heading(const struct sw_page *page, const char *text);

/* Write "  label     text", wrapped to the column of the text. */
void sw_page_line(const struct sw_page *page, const char *label,
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Write a wrapped paragraph, each line with the indent. */
void sw_page_paragraph(const struct sw_page *page, const char *indent,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Write text after a trusted first part; indent is for the other lines. */
void sw_page_text(const struct sw_page *page, const char *first,
		  const char *indent, const char *text);

/* Write a command line to paste. */
void sw_page_command(const struct sw_page *page, const char *line);

struct sw_page_table {
	const struct sw_page *page;
	struct sw_text_table text;
	struct sw_html_column columns[SW_TEXT_TABLE_COLUMNS_MAX];
};

/* The first column names the row; columns must outlive the table. */
void sw_page_table_init(struct sw_page_table *table,
			const struct sw_page *page, const char *caption,
			const struct sw_text_table_column *columns,
			size_t count);
void sw_page_table_row(const struct sw_page_table *table,
		       const char *const *cells);

/* Return true if numbers fit beside a picture. */
bool sw_page_is_wide(const struct sw_page *page);

/* Width of a picture beside its label and numbers. */
unsigned sw_page_picture_width(const struct sw_page *page);

/* Write "  label     PICTURE  low to high"; numbers below on narrow pages. */
void sw_page_picture(const struct sw_page *page, const char *label,
		     const char *picture, const char *low, const char *high);

#endif
