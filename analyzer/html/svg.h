/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures in an HTML document, as SVG that fits any width: numbers and names
 * stand beside it as text.  Each says in words what it shows.
 */
#ifndef SW_ANALYZER_SVG_H
#define SW_ANALYZER_SVG_H

#include "analyzer/html/html.h"

/* A question, and its answer in a sentence: for who cannot see the picture. */
struct sw_svg_words {
	const char *title, *text;
};

/*
 * A term with a bar: filled to low, and lighter to high where that is more
 * (shares of 1, clamped; NAN: nothing).  The title is the term, and what is
 * bold behind the bar is its value: "12 %".
 */
void sw_svg_bar(struct sw_html *html, const struct sw_svg_words *words,
		const char *value, double low, double high);

/* One part of a whole; text is what stands behind its name: "71 %". */
struct sw_svg_part {
	const char *name, *text;
	double share;		/* of 1 */
	unsigned color;		/* below SW_SVG_COLORS, as elsewhere */
};

enum { SW_SVG_PARTS_MAX = 8, SW_SVG_COLORS = 8 };

/* Shares of one whole, side by side; what is beyond the maximum is dropped. */
void sw_svg_parts(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_part *parts, size_t count);

/* A value that is named; text is what stands behind its name. */
struct sw_svg_mark {
	const char *name, *text;
	double place;		/* 0 to 1 along the strip; NAN: nowhere */
};

enum { SW_SVG_MARKS_MAX = 3 };

/* Values as ticks along a line, and some that are named. */
struct sw_svg_strip {
	const double *place;	/* 0 to 1; NAN: none */
	size_t count;
	const struct sw_svg_mark *marks;
	size_t mark_count;	/* at most SW_SVG_MARKS_MAX */
	const char *from, *to;	/* of the values */
};

void sw_svg_strip(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_strip *strip);

/* The time of a picture, from its left to its right. */
struct sw_svg_time {
	const char *from, *to;	/* what stands at its ends */
	double seconds;		/* its length, for marks; NAN: no marks */
};

/*
 * A value over time, in equal columns: NAN is a hole.  low and high, both or
 * none, are a band around it.  limit is a dashed line; NAN: none.
 */
struct sw_svg_line {
	const double *value, *low, *high;
	size_t count;
	double top, limit;
	const char *top_words;	/* of the value at the top; the bottom is 0 */
	struct sw_svg_time time;
};

void sw_svg_line(struct sw_html *html, const struct sw_svg_words *words,
		 const struct sw_svg_line *line);

enum { SW_SVG_MAP_ROWS_MAX = 128 };

/* Rows over time: value[row * columns + column], shares of 1; NAN: hatched. */
struct sw_svg_map {
	const double *value;
	size_t rows, columns;	/* rows: at most SW_SVG_MAP_ROWS_MAX shown */
	const char *const *names;	/* of the rows */
	struct sw_svg_time time;
};

void sw_svg_map(struct sw_html *html, const struct sw_svg_words *words,
		const struct sw_svg_map *map);

enum { SW_SVG_LANES_MAX = 12 };

/* What was there from when to when: shares of the time, clamped to it. */
struct sw_svg_lane {
	const char *name;
	double from, to;
	bool is_bad;		/* in the colour of what is critical */
};

struct sw_svg_lanes {
	const struct sw_svg_lane *lane;
	size_t count;		/* at most SW_SVG_LANES_MAX are shown */
	struct sw_svg_time time;
};

void sw_svg_lanes(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_lanes *lanes);

#endif
