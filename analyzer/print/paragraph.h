/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for people: paragraphs wrapped to a width, hostile names made safe. */
#ifndef SW_ANALYZER_PARAGRAPH_H
#define SW_ANALYZER_PARAGRAPH_H

#include <stdio.h>

#include "analyzer/print/style.h"


/* Escape hostile text into the characters that the style allows. */
char *sw_text_escape(char *buf, size_t size, const char *text,
		     const struct sw_report_style *style);

/*
 * Print one paragraph wrapped at the style's width: first goes before the
 * first line, indent before the others.  The text is escaped, first is not.
 */
void sw_paragraph_print(FILE *out, const char *text, const char *first,
			const char *indent,
			const struct sw_report_style *style);

/* Print text of our own, in which "\n\n" separates paragraphs. */
void sw_paragraphs_print(FILE *out, const char *text,
			 const struct sw_report_style *style);

/* Hostile text as a table's cell: escaped, cut and padded to width columns. */
void sw_text_print_cell(FILE *out, const char *text, unsigned width,
			const struct sw_report_style *style);

/* Before a number that is a lower bound: U+2265, ">=". */
const char *sw_text_at_least(const struct sw_report_style *style);

/* Columns that UTF-8 text takes, one per character; colours take none. */
unsigned sw_text_columns(const char *text);

#endif
