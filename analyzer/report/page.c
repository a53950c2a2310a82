/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page for people: headings, lines with a label, paragraphs, pictures. */
#include "analyzer/report/page.h"

#include <stdarg.h>

#include "analyzer/print/paragraph.h"

enum {
	TEXT_SIZE = 4096,	/* a path */
	WIDTH_WIDE = 72,	/* narrower, and numbers go below a picture */
	NUMBERS_WIDTH = 24,	/* "1023 MiB/s to 1023 MiB/s" */
};

void sw_page_heading(const struct sw_page *page, const char *text)
{
	fprintf(page->out, "\n%s%s%s\n", sw_style_bold(page->style), text,
		sw_style_plain(page->style));
}

void sw_page_line(const struct sw_page *page, const char *label,
		  const char *format, ...)
{
	char first[32], text[TEXT_SIZE];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	snprintf(first, sizeof(first), "  %-*s", SW_PAGE_LABEL_WIDTH, label);
	sw_paragraph_print(page->out, text, first, "            ",
			   page->style);
}

void sw_page_paragraph(const struct sw_page *page, const char *indent,
		       const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	sw_paragraph_print(page->out, text, indent, indent, page->style);
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
	fprintf(page->out, "  %-*s%s%s%s to %s\n", SW_PAGE_LABEL_WIDTH, label,
		picture, sw_page_is_wide(page) ? "  " : "\n            ", low,
		high);
}
