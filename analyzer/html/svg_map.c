/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A heat map: one path per color class, made of runs of equal cells.  A
 * rectangle per cell would be fifty times as large.
 */
#include <math.h>

#include "analyzer/html/html_internal.h"
#include "analyzer/html/svg_internal.h"

enum {
	CLASSES = 7,
	NAMED_MAX = 24,		/* with more rows: first and last only */
	ROW_PIXELS = 20, LOW_ROW_PIXELS = 4,
	NO_CLASS = -1,
};

static int class_of(const struct sw_svg_map *map, size_t row, size_t column)
{
	double value = map->value[row * map->columns + column];

	if (isnan(value))
		return NO_CLASS;
	return (int)fmin(fmax(value, 0) * CLASSES, CLASSES - 1);
}

static void put_row(struct sw_html *html, const struct sw_svg_map *map,
		    size_t row, int class)
{
	size_t column, end;

	for (column = 0; column < map->columns; column = end) {
		for (end = column + 1; end < map->columns &&
		     class_of(map, row, end) == class_of(map, row, column);
		     end++)
			;
		if (class_of(map, row, column) != class)
			continue;
		sw_html_put_number(html, "M", (long)column);
		sw_html_put_number(html, " ", (long)row);
		sw_html_put_number(html, "h", (long)(end - column));
	}
}

static void put_cells(struct sw_html *html, const struct sw_svg_map *map,
		      size_t rows)
{
	size_t row;
	int class;

	/* A stroke extends to both sides of its line. */
	sw_html_put(html, "<g transform=\"translate(0 .5)\" "
			  "shape-rendering=\"crispEdges\">\n");
	for (class = 0; class < CLASSES; class++) {
		sw_html_put_number(html, "<path class=\"h", class);
		sw_html_put(html, "\" d=\"");
		for (row = 0; row < rows; row++)
			put_row(html, map, row, class);
		sw_html_put(html, "\"/>\n");
	}
	sw_html_put(html, "</g>");
}

static void put_names(struct sw_html *html, const struct sw_svg_map *map,
		      size_t rows)
{
	size_t row;

	sw_html_put(html, "<div class=\"y\">");
	for (row = 0; row < rows; row++) {
		if (rows <= NAMED_MAX || row == 0 || row + 1 == rows)
			sw_html_element(html, "<span>", map->names[row],
					"</span>");
	}
	sw_html_put(html, "</div>\n");
}

static void put_key(struct sw_html *html)
{
	int class;

	sw_html_put(html, "<ul class=\"key\">");
	for (class = 0; class < CLASSES; class++) {
		sw_html_put_number(html, "<li><span class=\"h", class);
		sw_html_put_number(html, "\"></span>",
				   lround(100.0 * class / CLASSES));
		sw_html_put_number(html, "\u2013",
				   lround(100.0 * (class + 1) / CLASSES));
		sw_html_put(html, " %</li>");
	}
	sw_html_put(html, "</ul>\n");
}

void sw_svg_rows(struct sw_html *html, long pixels)
{
	sw_html_put_number(html, "<div class=\"plot\" style=\"grid-template-"
			   "rows:", pixels);
	sw_html_put(html, "px auto\">");
}

void sw_svg_map(struct sw_html *html, const struct sw_svg_words *words,
		const struct sw_svg_map *map)
{
	size_t rows = map->rows < SW_SVG_MAP_ROWS_MAX ? map->rows :
							SW_SVG_MAP_ROWS_MAX;

	sw_svg_figure(html, words, "<figure class=\"map\">");
	sw_svg_rows(html, (long)rows * (rows <= NAMED_MAX ? ROW_PIXELS :
							    LOW_ROW_PIXELS));
	put_names(html, map, rows);
	sw_svg_begin(html, words, "over", (long)map->columns, (long)rows);
	put_cells(html, map, rows);
	sw_html_put(html, "</svg>\n");
	sw_svg_times(html, &map->time);
	sw_html_put(html, "</div>\n");
	put_key(html);
	sw_html_put(html, "</figure>\n");
}
