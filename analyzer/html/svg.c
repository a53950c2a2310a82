/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bars, shares of a whole, and lines over time. */
#include "analyzer/html/svg.h"

#include <math.h>

#include "analyzer/html/html_internal.h"
#include "analyzer/html/svg_internal.h"

enum { WIDTH = 1000, HEIGHT = 1000 };	/* of a viewBox, which is scaled */

void sw_svg_begin(struct sw_html *html, const struct sw_svg_words *words,
		  const char *class_name, long width, long height)
{
	long id = html->pictures++;

	sw_html_put(html, "<svg class=\"");
	sw_html_put(html, class_name);
	sw_html_put_number(html, "\" role=\"img\" viewBox=\"0 0 ", width);
	sw_html_put_number(html, " ", height);
	sw_html_put_number(html, "\" preserveAspectRatio=\"none\" "
			   "aria-labelledby=\"t", id);
	sw_html_put_number(html, " d", id);
	sw_html_put_number(html, "\"><title id=\"t", id);
	sw_html_put(html, "\">");
	sw_html_text(html, words->title);
	sw_html_put_number(html, "</title><desc id=\"d", id);
	sw_html_put(html, "\">");
	sw_html_text(html, words->text);
	sw_html_put(html, "</desc>\n");
}

void sw_svg_figure(struct sw_html *html, const struct sw_svg_words *words,
		   const char *begin)
{
	sw_html_enter(html, SW_HTML_NONE);
	sw_html_put(html, begin);
	sw_html_put(html, "<figcaption><b>");
	sw_html_text(html, words->title);
	sw_html_element(html, "</b> <p>", words->text, "</p></figcaption>");
}

static long place(double share, long size)
{
	return share > 0 ? lround(fmin(share, 1) * (double)size) : 0;
}

/* Show any positive value. */
static long shown(double share)
{
	long width = place(share, WIDTH);

	return share > 0 && width < WIDTH / 100 ? WIDTH / 100 : width;
}

static void put_rect(struct sw_html *html, const char *begin, long x,
		     long width)
{
	sw_html_put(html, begin);
	sw_html_put_number(html, " x=\"", x);
	sw_html_put_number(html, "\" width=\"", width);
	sw_html_put(html, "\" height=\"10\"/>");
}

void sw_svg_bar(struct sw_html *html, const struct sw_svg_words *words,
		const char *value, double low, double high)
{
	const struct sw_svg_words own = { words->title, value };
	long to = shown(low);

	sw_html_enter(html, SW_HTML_TERMS);
	sw_html_element(html, "<dt>", words->title, "</dt>");
	sw_html_put(html, "<dd class=\"gauge\">");
	sw_svg_begin(html, &own, "bar", WIDTH, 10);
	if (to)
		put_rect(html, "<rect class=\"fill\"", 0, to);
	if (shown(high) > to)
		put_rect(html, "<rect class=\"part\"", to, shown(high) - to);
	sw_html_element(html, "</svg><b>", value, "</b>");
	sw_html_element(html, "<span>", words->text, "</span></dd>");
}

static const char *const part_rects[SW_SVG_COLORS] = {
	"<rect class=\"c0\"", "<rect class=\"c1\"", "<rect class=\"c2\"",
	"<rect class=\"c3\"", "<rect class=\"c4\"", "<rect class=\"c5\"",
	"<rect class=\"c6\"", "<rect class=\"c7\"",
};

/* Entry of the legend, with the color of this number. */
static void put_name(struct sw_html *html, size_t number, const char *name,
		     const char *text)
{
	sw_html_put_number(html, "<li><span class=\"c", (long)number);
	sw_html_put(html, "\"></span>");
	sw_html_text(html, name);
	sw_html_element(html, " <b>", text, "</b></li>");
}

void sw_svg_parts(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_part *parts, size_t count)
{
	double before = 0;
	size_t i;

	if (count > SW_SVG_PARTS_MAX)
		count = SW_SVG_PARTS_MAX;
	sw_svg_figure(html, words, "<figure>");
	sw_svg_begin(html, words, "parts", WIDTH, 10);
	for (i = 0; i < count; i++) {
		long from = place(before, WIDTH), to;

		before += fmax(parts[i].share, 0);
		to = place(before, WIDTH);
		/*
		 * Leave a gap before the next part: do not rely on color only.
		 */
		if (to > from)
			put_rect(html, part_rects[parts[i].color %
						  SW_SVG_COLORS], from,
				 to - from > 8 && i + 1 < count ?
					 to - from - 3 : to - from);
	}
	sw_html_put(html, "</svg>\n<ul class=\"key\">\n");
	for (i = 0; i < count; i++)
		put_name(html, parts[i].color % SW_SVG_COLORS, parts[i].name,
			 parts[i].text);
	sw_html_put(html, "</ul>\n</figure>\n");
}

static void put_tick(struct sw_html *html, double at)
{
	if (isnan(at))
		return;
	sw_html_put_number(html, "M", place(at, WIDTH));
	sw_html_put(html, " 0v10");
}

void sw_svg_strip(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_strip *strip)
{
	const struct sw_svg_mark *marks = strip->marks;
	size_t i;

	sw_svg_figure(html, words, "<figure>");
	sw_svg_begin(html, words, "strip", WIDTH, 10);
	sw_html_put(html, "<path class=\"tick\" d=\"");
	for (i = 0; i < strip->count; i++)
		put_tick(html, strip->place[i]);
	sw_html_put(html, "\"/>\n");
	for (i = 0; i < strip->mark_count && i < SW_SVG_MARKS_MAX; i++) {
		sw_html_put_number(html, "<path class=\"s", (long)i);
		sw_html_put(html, "\" d=\"");
		put_tick(html, marks[i].place);
		sw_html_put(html, "\"/>\n");
	}
	sw_html_put(html, "</svg>\n");
	sw_svg_times(html, &(struct sw_svg_time){ strip->from, strip->to,
						  NAN });
	sw_html_put(html, "<ul class=\"key\">\n");
	for (i = 0; i < strip->mark_count && i < SW_SVG_MARKS_MAX; i++) {
		if (!isnan(marks[i].place))
			put_name(html, i, marks[i].name, marks[i].text);
	}
	sw_html_put(html, "</ul>\n</figure>\n");
}

static long height_of(const struct sw_svg_line *line, double value)
{
	return HEIGHT - place(value / line->top, HEIGHT);
}

/* A step per column, since a value is a mean over its time. */
static void put_steps(struct sw_html *html, const struct sw_svg_line *line)
{
	bool is_drawn = false;
	long y, before = 0;
	size_t i;

	for (i = 0; i < line->count; i++) {
		if (isnan(line->value[i])) {
			is_drawn = false;
			continue;
		}
		y = height_of(line, line->value[i]);
		if (!is_drawn) {
			sw_html_put_number(html, "M", (long)i);
			sw_html_put_number(html, " ", y);
		} else if (y != before) {
			sw_html_put_number(html, "H", (long)i);
			sw_html_put_number(html, "V", y);
		}
		if (i + 1 == line->count || isnan(line->value[i + 1]))
			sw_html_put_number(html, "H", (long)i + 1);
		is_drawn = true;
		before = y;
	}
}

/* A rectangle for each column with different values. */
static void put_band(struct sw_html *html, const struct sw_svg_line *line)
{
	size_t i;

	if (!line->low)
		return;
	sw_html_put(html, "<path class=\"part\" d=\"");
	for (i = 0; i < line->count; i++) {
		long high = height_of(line, line->high[i]);
		long low = height_of(line, line->low[i]);

		if (isnan(line->low[i]) || high >= low)
			continue;
		sw_html_put_number(html, "M", (long)i);
		sw_html_put_number(html, " ", high);
		sw_html_put_number(html, "h1v", low - high);
		sw_html_put(html, "h-1z");
	}
	sw_html_put(html, "\"/>\n");
}

static void put_limit(struct sw_html *html, const struct sw_svg_line *line)
{
	if (!(line->limit <= line->top))
		return;
	sw_html_put_number(html, "<path class=\"limit\" d=\"M0 ",
			   height_of(line, line->limit));
	sw_html_put_number(html, "H", (long)line->count);
	sw_html_put(html, "\"/>\n");
}

void sw_svg_line(struct sw_html *html, const struct sw_svg_words *words,
		 const struct sw_svg_line *line)
{
	sw_svg_figure(html, words, "<figure>");
	sw_html_put(html, "<div class=\"plot\"><div class=\"y\"><span>");
	sw_html_text(html, line->top_words);
	sw_html_put(html, "</span><span>0</span></div>\n");
	sw_svg_begin(html, words, "over", (long)line->count, HEIGHT);
	sw_svg_time_grid(html, &line->time, (long)line->count, HEIGHT);
	put_band(html, line);
	sw_html_put(html, "<path class=\"line\" d=\"");
	put_steps(html, line);
	sw_html_put(html, "\"/>\n");
	put_limit(html, line);
	sw_html_put(html, "</svg>\n");
	sw_svg_times(html, &line->time);
	sw_html_put(html, "</div></figure>\n");
}
