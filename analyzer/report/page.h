/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page for people: what all of its sections write with. */
#ifndef SW_ANALYZER_PAGE_H
#define SW_ANALYZER_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/print/style.h"

struct sw_result;

struct sw_page {
	FILE *out;
	const struct sw_result *result;	/* NULL: of a job without a profile */
	const struct sw_report_style *style;
};

enum { SW_PAGE_LABEL_WIDTH = 10, SW_PAGE_PICTURE_MAX = 60 };

/* A heading, with an empty line before it. */
void sw_page_heading(const struct sw_page *page, const char *text);

/* "  label     text", wrapped below the text's start. */
void sw_page_line(const struct sw_page *page, const char *label,
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Wrapped behind indent, which goes before each of its lines. */
void sw_page_paragraph(const struct sw_page *page, const char *indent,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Does the page have the width for numbers beside a picture? */
bool sw_page_is_wide(const struct sw_page *page);

/* Columns that a picture has beside its label and numbers. */
unsigned sw_page_picture_width(const struct sw_page *page);

/* "  label     PICTURE  low to high"; numbers below where it is narrow. */
void sw_page_picture(const struct sw_page *page, const char *label,
		     const char *picture, const char *low, const char *high);

#endif
