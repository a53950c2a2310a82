/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common parts of all pictures; only svg*.c include this. */
#ifndef SW_ANALYZER_SVG_INTERNAL_H
#define SW_ANALYZER_SVG_INTERNAL_H

#include "analyzer/html/svg.h"

/* Write "<svg>" with title and description; class_name is a literal. */
void sw_svg_begin(struct sw_html *html, const struct sw_svg_words *words,
		  const char *class_name, long width, long height);

/* Write a figure with its caption; begin is its tag, a literal. */
void sw_svg_figure(struct sw_html *html, const struct sw_svg_words *words,
		   const char *begin);

/* Write the ends of the time axis, and its marks, below a picture. */
void sw_svg_times(struct sw_html *html, const struct sw_svg_time *time);

/* Draw lines at the marks, in a viewBox of this size. */
void sw_svg_time_grid(struct sw_html *html, const struct sw_svg_time *time,
		      long width, long height);

/* Begin the frame of a picture with rows, pixels high; "</div>" ends it. */
void sw_svg_rows(struct sw_html *html, long pixels);

#endif
