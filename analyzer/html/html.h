/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One HTML document: without scripts, and without a request for anything else.
 * It is well-formed XML, too, in whatever order these functions are called.
 * Every text may be hostile: it is escaped here, and there is no other way in.
 */
#ifndef SW_ANALYZER_HTML_H
#define SW_ANALYZER_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sw_html;

/* The head, up to the first element of the body; NULL without memory. */
struct sw_html *sw_html_begin(FILE *out, const char *title);

/* Close what is open, and free.  0, or -1 where something was not written. */
int sw_html_end(struct sw_html *html);

/* Text as it is read: controls and bytes that are no UTF-8 become "\xNN". */
void sw_html_text(struct sw_html *html, const char *text);

/* Levels 1 to 3. */
void sw_html_heading(struct sw_html *html, unsigned level, const char *text);
void sw_html_paragraph(struct sw_html *html, const char *text);
/* What matters most, and the small print. */
void sw_html_lead(struct sw_html *html, const char *text);
void sw_html_note(struct sw_html *html, const char *text);

/* A line to paste; those that follow each other are one block. */
void sw_html_code(struct sw_html *html, const char *line);

/* A term and what is said of it; term "": more of the term before. */
void sw_html_term(struct sw_html *html, const char *term, const char *text);

enum sw_html_kind {
	SW_HTML_TEXT,
	SW_HTML_NUMBER,		/* to the right */
	SW_HTML_CODE,		/* to paste */
	SW_HTML_HEAD,		/* text that names the row */
};

struct sw_html_column {
	const char *head;
	enum sw_html_kind kind;
};

/* A table, which the next thing that is no row of it ends. */
void sw_html_table(struct sw_html *html, const char *caption,
		   const struct sw_html_column *columns, size_t count);
/* A text for each column; NULL: an empty cell. */
void sw_html_row(struct sw_html *html, const char *const *cells);
/* More of the row before, over all columns; code is to paste, NULL: none. */
void sw_html_row_text(struct sw_html *html, const char *text,
		      const char *code);

/* How grave a box is: told by its mark and words, too, not by colour alone. */
enum sw_html_tone { SW_HTML_INFO, SW_HTML_WARNING, SW_HTML_CRITICAL };

/* What is folded away, and a box; each lasts until sw_html_close(). */
void sw_html_details(struct sw_html *html, const char *summary, bool is_open);
/* Folded away, and left out on paper. */
void sw_html_details_of_screen(struct sw_html *html, const char *summary);
void sw_html_box(struct sw_html *html, enum sw_html_tone tone,
		 const char *mark, const char *head);
void sw_html_close(struct sw_html *html);

#endif
