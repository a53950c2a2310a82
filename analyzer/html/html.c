/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An HTML document: head, text, lists, tables and collapsed sections. */
#include "analyzer/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/html/html_internal.h"
#include "common/escape.h"
#include "common/own_file.h"

enum { ESCAPED_MAX = 4 };	/* bytes per escaped one: "\xNN" */

/* First in the page: should an escape ever be missing, no script runs and
 * nothing is fetched. */
static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n<head>\n"
	"<meta charset=\"utf-8\"/>\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\""
	"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
	"<meta name=\"viewport\" content=\""
	"width=device-width, initial-scale=1\"/>\n"
	"<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	SW_PAGE_MARK "\n";

void sw_html_put(struct sw_html *html, const char *literal)
{
	fputs(literal, html->out);
}

void sw_html_put_number(struct sw_html *html, const char *literal,
			long number)
{
	fprintf(html->out, "%s%ld", literal, number);
}

static void put_character(struct sw_html *html, char character)
{
	switch (character) {
	case '&':
		sw_html_put(html, "&amp;");
		break;
	case '<':
		sw_html_put(html, "&lt;");
		break;
	case '>':
		sw_html_put(html, "&gt;");
		break;
	case '"':
		sw_html_put(html, "&quot;");
		break;
	case '\'':
		sw_html_put(html, "&#39;");
		break;
	default:
		fputc(character, html->out);
	}
}

void sw_html_text(struct sw_html *html, const char *text)
{
	size_t size = strlen(text) * ESCAPED_MAX + 1;
	char *safe = malloc(size), *p;

	if (!safe) {
		html->has_failed = true;
		return;
	}
	for (p = sw_escape_terminal(safe, size, text); *p; p++)
		put_character(html, *p);
	free(safe);
}

void sw_html_element(struct sw_html *html, const char *begin,
		     const char *text, const char *end)
{
	sw_html_put(html, begin);
	sw_html_text(html, text);
	sw_html_put(html, end);
	sw_html_put(html, "\n");
}

struct sw_html *sw_html_begin(FILE *out, const char *title)
{
	struct sw_html *html = calloc(1, sizeof(*html));
	const char *const *style;

	if (!html)
		return NULL;
	html->out = out;
	sw_html_put(html, head);
	sw_html_element(html, "<title>", title, "</title>");
	sw_html_put(html, "<style>\n");
	for (style = sw_html_styles; *style; style++)
		sw_html_put(html, *style);
	sw_html_put(html, "</style>\n</head>\n<body>\n<main>\n");
	return html;
}

int sw_html_end(struct sw_html *html)
{
	int rc;

	while (html->depth)
		sw_html_close(html);
	sw_html_enter(html, SW_HTML_NONE);
	sw_html_put(html, "</main>\n</body>\n</html>\n");
	rc = html->has_failed || ferror(html->out) ? -1 : 0;
	free(html);
	return rc;
}

void sw_html_enter(struct sw_html *html, enum sw_html_block block)
{
	static const struct {
		const char *begin, *end;
	} tags[] = {
		[SW_HTML_NONE] = { "", "" },
		[SW_HTML_TERMS] = { "<dl>\n", "</dl>\n" },
		[SW_HTML_LINES] = { "<pre><code>", "</code></pre>\n" },
		/* It begins with a caption. */
		[SW_HTML_TABLE] = { "", "</tbody></table></div>\n" },
	};

	if (html->block == block)
		return;
	sw_html_put(html, tags[html->block].end);
	sw_html_put(html, tags[block].begin);
	html->block = block;
}

void sw_html_heading(struct sw_html *html, unsigned level, const char *text)
{
	static const char *const tags[][2] = {
		{ "<h1>", "</h1>" }, { "<h2>", "</h2>" }, { "<h3>", "</h3>" },
	};
	unsigned index = level < 1 ? 0 : level > 3 ? 2 : level - 1;
	const char *const *tag = tags[index];

	sw_html_enter(html, SW_HTML_NONE);
	sw_html_element(html, tag[0], text, tag[1]);
}

void sw_html_paragraph(struct sw_html *html, const char *text)
{
	sw_html_enter(html, SW_HTML_NONE);
	sw_html_element(html, "<p>", text, "</p>");
}

void sw_html_lead(struct sw_html *html, const char *text)
{
	sw_html_enter(html, SW_HTML_NONE);
	sw_html_element(html, "<p class=\"lead\">", text, "</p>");
}

void sw_html_note(struct sw_html *html, const char *text)
{
	sw_html_enter(html, SW_HTML_NONE);
	sw_html_element(html, "<p class=\"note\">", text, "</p>");
}

void sw_html_code(struct sw_html *html, const char *line)
{
	bool is_more = html->block == SW_HTML_LINES;

	sw_html_enter(html, SW_HTML_LINES);
	if (is_more)
		sw_html_put(html, "\n");
	sw_html_text(html, line);
}

/* The first item of a list always gets a term. */
void sw_html_term(struct sw_html *html, const char *term, const char *text)
{
	bool is_first = html->block != SW_HTML_TERMS;

	sw_html_enter(html, SW_HTML_TERMS);
	if (*term || is_first)
		sw_html_element(html, "<dt>", term, "</dt>");
	sw_html_element(html, "<dd>", text, "</dd>");
}

void sw_html_table(struct sw_html *html, const char *caption,
		   const struct sw_html_column *columns, size_t count)
{
	size_t i;

	sw_html_enter(html, SW_HTML_NONE);
	sw_html_enter(html, SW_HTML_TABLE);
	html->columns = columns;
	html->column_count = count;
	/* Make wide tables scrollable by keyboard. */
	sw_html_put(html, "<div class=\"wide\" tabindex=\"0\"><table>\n");
	sw_html_element(html, "<caption>", caption, "</caption>");
	sw_html_put(html, "<thead><tr>");
	for (i = 0; i < count; i++) {
		sw_html_put(html, columns[i].kind == SW_HTML_NUMBER ?
			    "<th scope=\"col\" class=\"n\">" :
			    "<th scope=\"col\">");
		sw_html_text(html, columns[i].head);
		sw_html_put(html, "</th>");
	}
	sw_html_put(html, "</tr></thead>\n<tbody>\n");
}

void sw_html_row(struct sw_html *html, const char *const *cells)
{
	static const char *const tags[][2] = {
		[SW_HTML_TEXT] = { "<td>", "</td>" },
		[SW_HTML_NUMBER] = { "<td class=\"n\">", "</td>" },
		[SW_HTML_CODE] = { "<td><code>", "</code></td>" },
		[SW_HTML_HEAD] = { "<th scope=\"row\">", "</th>" },
	};
	size_t i;

	if (html->block != SW_HTML_TABLE)
		return;
	sw_html_put(html, "<tr>");
	for (i = 0; i < html->column_count; i++) {
		const char *const *tag = tags[html->columns[i].kind];

		sw_html_put(html, tag[0]);
		sw_html_text(html, cells[i] ? cells[i] : "");
		sw_html_put(html, tag[1]);
	}
	sw_html_put(html, "</tr>\n");
}

void sw_html_row_text(struct sw_html *html, const char *text, const char *code)
{
	if (html->block != SW_HTML_TABLE)
		return;
	sw_html_put_number(html, "<tr class=\"more\"><td colspan=\"",
			   (long)html->column_count);
	sw_html_element(html, "\"><p>", text, "</p>");
	if (code)
		sw_html_element(html, "<p><code>", code, "</code></p>");
	sw_html_put(html, "</td></tr>\n");
}

/* Omit the frame of elements nested too deeply. */
static bool push(struct sw_html *html, const char *end)
{
	sw_html_enter(html, SW_HTML_NONE);
	if (html->depth == SW_HTML_DEPTH_MAX) {
		html->lost_depth++;
		return false;
	}
	html->ends[html->depth++] = end;
	return true;
}

static void open_details(struct sw_html *html, const char *begin,
			 const char *summary)
{
	if (!push(html, "</details>\n"))
		return;
	sw_html_put(html, begin);
	sw_html_element(html, "<summary>", summary, "</summary>");
}

void sw_html_details(struct sw_html *html, const char *summary, bool is_open)
{
	open_details(html, is_open ? "<details open=\"open\">" : "<details>",
		     summary);
}

void sw_html_details_of_screen(struct sw_html *html, const char *summary)
{
	open_details(html, "<details class=\"screen\">", summary);
}

void sw_html_box(struct sw_html *html, enum sw_html_tone tone,
		 const char *mark, const char *title)
{
	static const char *const begins[] = {
		[SW_HTML_INFO] = "<section class=\"box info\"><h3>",
		[SW_HTML_WARNING] = "<section class=\"box warning\"><h3>",
		[SW_HTML_CRITICAL] = "<section class=\"box critical\"><h3>",
	};

	if (!push(html, "</section>\n"))
		return;
	sw_html_put(html, begins[tone]);
	sw_html_put(html, "<span class=\"mark\">");
	sw_html_text(html, mark);
	sw_html_element(html, "</span> ", title, "</h3>");
}

void sw_html_sides(struct sw_html *html)
{
	if (push(html, "</div>\n"))
		sw_html_put(html, "<div class=\"sides\">\n");
}

void sw_html_close(struct sw_html *html)
{
	sw_html_enter(html, SW_HTML_NONE);
	if (html->lost_depth)
		html->lost_depth--;
	else if (html->depth)
		sw_html_put(html, html->ends[--html->depth]);
}
