/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page for people: headings, labelled lines, paragraphs, pictures. */
#include "analyzer/report/page.h"

#include <stdarg.h>
#include <string.h>

#include "analyzer/print/paragraph.h"

enum {
	TEXT_SIZE = 4096,	/* enough for a path */
	LABEL_SIZE = 128,
	TABLE_INDENT = 2,
	WIDTH_WIDE = 72,	/* below, numbers go under a picture */
	NUMBERS_WIDTH = 24,	/* "1023 MiB/s to 1023 MiB/s" */
};

void sw_page_heading(const struct sw_page *page, const char *text)
{
	if (page->html) {
		sw_html_heading(page->html, 2, text);
		return;
	}
	fprintf(page->out, "\n%s%s%s\n", sw_style_bold(page->style), text,
		sw_style_plain(page->style));
}

/* Label of a line; some contain step ids. */
static char *label_text(char buf[LABEL_SIZE], const struct sw_page *page,
			const char *label)
{
	char shown[LABEL_SIZE - 8];

	sw_text_escape(shown, sizeof(shown), label, page->style);
	snprintf(buf, LABEL_SIZE, "  %-*s", SW_PAGE_LABEL_WIDTH, shown);
	return buf;
}

void sw_page_line(const struct sw_page *page, const char *label,
		  const char *format, ...)
{
	char first[LABEL_SIZE], text[TEXT_SIZE];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	if (page->html) {
		sw_html_term(page->html, label, text);
		return;
	}
	sw_paragraph_print(page->out, text, label_text(first, page, label),
			   "            ", page->style);
}

void sw_page_paragraph(const struct sw_page *page, const char *indent,
		       const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	sw_page_text(page, indent, indent, text);
}

void sw_page_text(const struct sw_page *page, const char *first,
		  const char *indent, const char *text)
{
	char all[TEXT_SIZE + 64];

	if (!page->html) {
		sw_paragraph_print(page->out, text, first, indent,
				   page->style);
		return;
	}
	snprintf(all, sizeof(all), "%s%s", first + strspn(first, " "), text);
	sw_html_paragraph(page->html, all);
}

void sw_page_command(const struct sw_page *page, const char *line)
{
	if (page->html)
		sw_html_code(page->html, line);
	else
		fprintf(page->out, "  %s%s%s\n", sw_style_bold(page->style),
			line, sw_style_plain(page->style));
}

void sw_page_table_init(struct sw_page_table *table,
			const struct sw_page *page, const char *caption,
			const struct sw_text_table_column *columns,
			size_t count)
{
	size_t i;

	table->page = page;
	if (!page->html) {
		sw_text_table_init(&table->text, page->out, columns, count,
				   TABLE_INDENT, page->style);
		return;
	}
	for (i = 0; i < count; i++)
		table->columns[i] = (struct sw_html_column){
			columns[i].head,
			i == 0 ? SW_HTML_HEAD : columns[i].is_number ?
				 SW_HTML_NUMBER : SW_HTML_TEXT,
		};
	sw_html_table(page->html, caption, table->columns, count);
}

void sw_page_table_row(const struct sw_page_table *table,
		       const char *const *cells)
{
	if (table->page->html)
		sw_html_row(table->page->html, cells);
	else
		sw_text_table_row(&table->text, cells);
}

bool sw_page_is_wide(const struct sw_page *page)
{
	return page->style->width >= WIDTH_WIDE;
}

unsigned sw_page_picture_width(const struct sw_page *page)
{
	unsigned width = page->style->width - 2 - SW_PAGE_LABEL_WIDTH;

	if (sw_page_is_wide(page))
		width -= 2 + NUMBERS_WIDTH;
	return width < SW_PAGE_PICTURE_MAX ? width : SW_PAGE_PICTURE_MAX;
}

void sw_page_picture(const struct sw_page *page, const char *label,
		     const char *picture, const char *low, const char *high)
{
	char first[LABEL_SIZE];

	fprintf(page->out, "%s%s%s%s to %s\n", label_text(first, page, label),
		picture, sw_page_is_wide(page) ? "  " : "\n            ", low,
		high);
}
