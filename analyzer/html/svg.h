/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SVG pictures in an HTML document, scalable to any width, with numbers and
 * names next to them as text.  Each has a description of what it shows.
 */
#ifndef SW_ANALYZER_SVG_H
#define SW_ANALYZER_SVG_H

#include "analyzer/html/html.h"

/* A question and its answer in a sentence, for readers without the picture. */
struct sw_svg_words {
	const char *title, *text;
};

/*
 * A term with a bar: filled to low, and lighter up to high if that is larger
 * (shares of 1, clamped; NAN: nothing).  The title is the term, and the bold
 * text after the bar is its value: "12 %".
 */
void sw_svg_bar(struct sw_html *html, const struct sw_svg_words *words,
		const char *value, double low, double high);

/* A part of a whole; text follows its name: "71 %". */
struct sw_svg_part {
	const char *name, *text;
	double share;		/* of 1 */
	unsigned color;		/* below SW_SVG_COLORS, consistently */
};

enum { SW_SVG_PARTS_MAX = 8, SW_SVG_COLORS = 8 };

/* Shares of a whole, side by side; parts above the maximum are dropped. */
void sw_svg_parts(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_part *parts, size_t count);

/* A labelled value; text follows its name. */
struct sw_svg_mark {
	const char *name, *text;
	double place;		/* 0 to 1 along the strip; NAN: omitted */
};

enum { SW_SVG_MARKS_MAX = 3 };

/* Values as ticks along a line, some of them labelled. */
struct sw_svg_strip {
	const double *place;	/* 0 to 1; NAN: none */
	size_t count;
	const struct sw_svg_mark *marks;
	size_t mark_count;	/* at most SW_SVG_MARKS_MAX */
	const char *from, *to;	/* range of the values */
};

void sw_svg_strip(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_strip *strip);

/* Time axis of a picture, from left to right. */
struct sw_svg_time {
	const char *from, *to;	/* labels of its ends */
	double seconds;		/* length; NAN: no marks */
};

/*
 * A value over time, in equal columns; NAN is a hole.  low and high, both or
 * none, are a band around it.  limit is a dashed line; NAN: none.
 */
struct sw_svg_line {
	const double *value, *low, *high;
	size_t count;
	double top, limit;
	const char *top_words;	/* value at the top; the bottom is 0 */
	struct sw_svg_time time;
};

void sw_svg_line(struct sw_html *html, const struct sw_svg_words *words,
		 const struct sw_svg_line *line);

enum { SW_SVG_MAP_ROWS_MAX = 128 };

/* Rows over time: value[row * columns + column], shares of 1; NAN: hatched. */
struct sw_svg_map {
	const double *value;
	size_t rows, columns;	/* up to SW_SVG_MAP_ROWS_MAX are shown */
	const char *const *names;	/* of the rows */
	struct sw_svg_time time;
};

void sw_svg_map(struct sw_html *html, const struct sw_svg_words *words,
		const struct sw_svg_map *map);

enum { SW_SVG_LANES_MAX = 12 };

/* Interval of a named item: shares of the time, clamped. */
struct sw_svg_lane {
	const char *name;
	double from, to;
	bool is_bad;		/* in the color for critical */
};

struct sw_svg_lanes {
	const struct sw_svg_lane *lane;
	size_t count;		/* up to SW_SVG_LANES_MAX are shown */
	struct sw_svg_time time;
};

void sw_svg_lanes(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_lanes *lanes);

#endif
