/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An HTML document without scripts or external resources.  It is also
 * well-formed XML, whatever the order of the calls.  All text is untrusted: it
 * is escaped here, and there is no way around that.
 */
#ifndef SW_ANALYZER_HTML_H
#define SW_ANALYZER_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sw_html;

/* Write the head, up to the body's first element; NULL if out of memory. */
struct sw_html *sw_html_begin(FILE *out, const char *title);

/* Close open elements, and free.  0, or -1 if anything was not written. */
int sw_html_end(struct sw_html *html);

/* Write text; control characters and invalid UTF-8 become "\xNN". */
void sw_html_text(struct sw_html *html, const char *text);

/* Levels 1 to 3. */
void sw_html_heading(struct sw_html *html, unsigned level, const char *text);
void sw_html_paragraph(struct sw_html *html, const char *text);
/* The most important line, and a footnote. */
void sw_html_lead(struct sw_html *html, const char *text);
void sw_html_note(struct sw_html *html, const char *text);

/* A line to paste; consecutive lines form one block. */
void sw_html_code(struct sw_html *html, const char *line);

/* A term and its description; term "" continues the previous one. */
void sw_html_term(struct sw_html *html, const char *term, const char *text);

enum sw_html_kind {
	SW_HTML_TEXT,
	SW_HTML_NUMBER,		/* right-aligned */
	SW_HTML_CODE,		/* to paste */
	SW_HTML_HEAD,		/* names the row */
};

struct sw_html_column {
	const char *head;
	enum sw_html_kind kind;
};

/* Begin a table; anything but a row ends it. */
void sw_html_table(struct sw_html *html, const char *caption,
		   const struct sw_html_column *columns, size_t count);
/* A text per column; NULL: an empty cell. */
void sw_html_row(struct sw_html *html, const char *const *cells);
/* Continue the last row over all columns; code is for pasting, or NULL. */
void sw_html_row_text(struct sw_html *html, const char *text,
		      const char *code);

/* Severity of a box, shown by mark and words, not only by color. */
enum sw_html_tone { SW_HTML_INFO, SW_HTML_WARNING, SW_HTML_CRITICAL };

/* Begin a collapsible section, or a box; sw_html_close() ends it. */
void sw_html_details(struct sw_html *html, const char *summary, bool is_open);
/* Collapsible, and omitted in print. */
void sw_html_details_of_screen(struct sw_html *html, const char *summary);
void sw_html_box(struct sw_html *html, enum sw_html_tone tone,
		 const char *mark, const char *head);
/* Begin two columns, filled in turn; sw_html_close() ends them. */
void sw_html_sides(struct sw_html *html);
void sw_html_close(struct sw_html *html);

#endif
