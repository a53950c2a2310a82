/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all pictures begin with; only svg*.c include this. */
#ifndef SW_ANALYZER_SVG_INTERNAL_H
#define SW_ANALYZER_SVG_INTERNAL_H

#include "analyzer/html/svg.h"

/* "<svg>" with its title and description; class_name is a literal. */
void sw_svg_begin(struct sw_html *html, const struct sw_svg_words *words,
		  const char *class_name, long width, long height);

/* A figure with its caption; begin is its tag, a literal. */
void sw_svg_figure(struct sw_html *html, const struct sw_svg_words *words,
		   const char *begin);

/* The ends of the time, and its marks, below a picture. */
void sw_svg_times(struct sw_html *html, const struct sw_svg_time *time);

/* Lines in the picture where the marks are, in a viewBox of this size. */
void sw_svg_time_grid(struct sw_html *html, const struct sw_svg_time *time,
		      long width, long height);

/* The frame of a picture with rows of so many pixels in all; "</div>" ends it. */
void sw_svg_rows(struct sw_html *html, long pixels);

#endif
