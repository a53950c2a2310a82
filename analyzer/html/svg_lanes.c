/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane per name: start, end, and success. */
#include <math.h>

#include "analyzer/html/html_internal.h"
#include "analyzer/html/svg_internal.h"

enum { WIDTH = 1000, LANE = 10, GAP = 2, ROW_PIXELS = 20, SHORTEST = 3 };

static long place(double share)
{
	return lround(fmin(fmax(share, 0), 1) * WIDTH);
}

static void put_lane(struct sw_html *html, const struct sw_svg_lane *lane,
		     size_t row)
{
	long from = place(lane->from), to = place(lane->to);

	/* Short intervals have to be visible. */
	if (to < from + SHORTEST)
		to = from + SHORTEST;
	if (to > WIDTH) {
		from -= to - WIDTH;
		to = WIDTH;
	}
	sw_html_put(html, lane->is_bad ? "<rect class=\"bad\"" :
					 "<rect class=\"fill\"");
	sw_html_put_number(html, " x=\"", from);
	sw_html_put_number(html, "\" y=\"", (long)row * LANE + GAP);
	sw_html_put_number(html, "\" width=\"", to - from);
	sw_html_put_number(html, "\" height=\"", LANE - 2 * GAP);
	sw_html_put(html, "\"/>\n");
}

void sw_svg_lanes(struct sw_html *html, const struct sw_svg_words *words,
		  const struct sw_svg_lanes *lanes)
{
	size_t i, count = lanes->count < SW_SVG_LANES_MAX ? lanes->count :
							    SW_SVG_LANES_MAX;

	sw_svg_figure(html, words, "<figure class=\"map\">");
	sw_svg_rows(html, (long)count * ROW_PIXELS);
	sw_html_put(html, "<div class=\"y\">");
	for (i = 0; i < count; i++)
		sw_html_element(html, "<span>", lanes->lane[i].name, "</span>");
	sw_html_put(html, "</div>\n");
	sw_svg_begin(html, words, "lanes", WIDTH, (long)count * LANE);
	sw_svg_time_grid(html, &lanes->time, WIDTH, (long)count * LANE);
	for (i = 0; i < count; i++)
		put_lane(html, &lanes->lane[i], i);
	sw_html_put(html, "</svg>\n");
	sw_svg_times(html, &lanes->time);
	sw_html_put(html, "</div></figure>\n");
}
