/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for the files of this folder only. */
#ifndef SW_ANALYZER_HTML_INTERNAL_H
#define SW_ANALYZER_HTML_INTERNAL_H

#include "analyzer/html/html.h"

/* Block that the next element of its kind continues; any other ends it. */
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
	const char *ends[SW_HTML_DEPTH_MAX];	/* end tags of open elements */
	unsigned depth, lost_depth;	/* lost: not in the array */
	const struct sw_html_column *columns;	/* of the table */
	size_t column_count;
	long pictures;			/* number in their ids */
	bool has_failed;
};

/* Parts of the style sheet, NULL-terminated. */
extern const char *const sw_html_styles[];

/* Write literal markup; anything else is for sw_html_text(). */
void sw_html_put(struct sw_html *html, const char *literal);
/* Likewise, followed by a number. */
void sw_html_put_number(struct sw_html *html, const char *literal,
			long number);

/* Write text in an element, and a newline. */
void sw_html_element(struct sw_html *html, const char *begin,
		     const char *text, const char *end);

/* End the open block, and begin this one. */
void sw_html_enter(struct sw_html *html, enum sw_html_block block);

#endif
