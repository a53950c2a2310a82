/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for people: paragraphs wrapped to a width. */
#include "analyzer/print/paragraph.h"

#include <string.h>

#include "common/escape.h"

enum { PARAGRAPH_SIZE = 4096, CELL_SIZE = 256 };

char *sw_text_escape(char *buf, size_t size, const char *text,
		     const struct sw_report_style *style)
{
	return style->is_utf8 ? sw_escape_terminal(buf, size, text) :
				sw_escape_ascii(buf, size, text);
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

unsigned sw_text_columns(const char *text)
{
	unsigned columns = 0;

	for (; *text; text++) {
		if (*text == '\033') {	/* "ESC [ ... m" */
			text += strcspn(text, "m");
			if (!*text)
				break;
		} else {
			columns += !is_continuation(*text);
		}
	}
	return columns;
}

/* Wrap the words of escaped text, modifying it. */
static void wrap(FILE *out, char *text, const char *first, const char *indent,
		 unsigned width)
{
	unsigned column = sw_text_columns(first), length;
	bool is_line_empty = true;
	char *word, *rest = NULL;

	fputs(first, out);
	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		length = sw_text_columns(word);
		if (!is_line_empty && column + 1 + length > width) {
			fprintf(out, "\n%s", indent);
			column = sw_text_columns(indent);
			is_line_empty = true;
		}
		if (!is_line_empty) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += length;
		is_line_empty = false;
	}
	fputc('\n', out);
}

void sw_paragraph_print(FILE *out, const char *text, const char *first,
			const char *indent,
			const struct sw_report_style *style)
{
	char shown[PARAGRAPH_SIZE];

	wrap(out, sw_text_escape(shown, sizeof(shown), text, style), first,
	     indent, style->width);
}

void sw_paragraphs_print(FILE *out, const char *text,
			 const struct sw_report_style *style)
{
	char paragraph[PARAGRAPH_SIZE];
	const char *end;
	size_t length;

	while (*text) {
		end = strstr(text, "\n\n");
		length = end ? (size_t)(end - text) : strlen(text);
		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)length,
			 text);
		sw_paragraph_print(out, paragraph, "", "", style);
		text += length;
		if (end) {
			text = end + 2;
			fputc('\n', out);
		}
	}
}

void sw_text_print_cell(FILE *out, const char *text, unsigned width,
			const struct sw_report_style *style)
{
	char shown[CELL_SIZE];
	size_t end;
	bool is_cut = false;

	sw_text_escape(shown, sizeof(shown), text, style);
	end = strlen(shown);
	while (sw_text_columns(shown) + is_cut > width && end > 0) {
		is_cut = true;
		do
			end--;
		while (end > 0 && is_continuation(shown[end]));
		shown[end] = '\0';
	}
	fprintf(out, "%s%s%*s", shown, is_cut ? "~" : "",
		(int)(width - sw_text_columns(shown) - is_cut), "");
}

const char *sw_text_at_least(const struct sw_report_style *style)
{
	return style->is_utf8 ? "\u2265" : ">=";
}
