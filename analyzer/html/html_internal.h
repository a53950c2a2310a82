/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of this room write with, and nobody else. */
#ifndef SW_ANALYZER_HTML_INTERNAL_H
#define SW_ANALYZER_HTML_INTERNAL_H

#include "analyzer/html/html.h"

/* What the next of its kind belongs to, and all else ends. */
enum sw_html_block {
	SW_HTML_NONE,
	SW_HTML_TERMS,
	SW_HTML_LINES,
	SW_HTML_TABLE,
};

enum { SW_HTML_DEPTH_MAX = 8 };

struct sw_html {
	FILE *out;
	enum sw_html_block block;
	const char *ends[SW_HTML_DEPTH_MAX];	/* of what is open */
	unsigned depth, lost_depth;	/* lost: opened beyond the array */
	const struct sw_html_column *columns;	/* of the table */
	size_t column_count;
	long pictures;			/* their ids are numbers */
	bool has_failed;
};

/* The style sheet, in parts; NULL-terminated. */
extern const char *const sw_html_styles[];

/* Markup of our own, always a literal: what is not goes to sw_html_text(). */
void sw_html_put(struct sw_html *html, const char *literal);
/* The same, and a number behind it. */
void sw_html_put_number(struct sw_html *html, const char *literal,
			long number);

/* Text within an element, and a line's end. */
void sw_html_element(struct sw_html *html, const char *begin,
		     const char *text, const char *end);

/* End the block that is open, and begin this one. */
void sw_html_enter(struct sw_html *html, enum sw_html_block block);

#endif
