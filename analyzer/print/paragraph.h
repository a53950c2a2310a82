/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for people: paragraphs wrapped to a width, untrusted names escaped. */
#ifndef SW_ANALYZER_PARAGRAPH_H
#define SW_ANALYZER_PARAGRAPH_H

#include <stdio.h>

#include "analyzer/print/style.h"


/* Escape untrusted text for the style's character set. */
char *sw_text_escape(char *buf, size_t size, const char *text,
		     const struct sw_report_style *style);

/*
 * Print a paragraph wrapped to the style's width, with first before the first
 * line and indent before the others.  The text is escaped, first is not.
 */
void sw_paragraph_print(FILE *out, const char *text, const char *first,
			const char *indent,
			const struct sw_report_style *style);

/* Print trusted text, with "\n\n" between paragraphs. */
void sw_paragraphs_print(FILE *out, const char *text,
			 const struct sw_report_style *style);

/* Print untrusted text as a table cell: escaped, and cut or padded to width. */
void sw_text_print_cell(FILE *out, const char *text, unsigned width,
			const struct sw_report_style *style);

/* Prefix of a lower bound: U+2265, or ">=". */
const char *sw_text_at_least(const struct sw_report_style *style);

/* Width of UTF-8 text, one column per character; colors have none. */
unsigned sw_text_columns(const char *text);

#endif
