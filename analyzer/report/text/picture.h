/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pictures in text: a gauge, a line of sparks, and a histogram. */
#ifndef SW_ANALYZER_PICTURE_H
#define SW_ANALYZER_PICTURE_H

#include "analyzer/report/report.h"

/* Bytes for a picture of up to width characters, with the NUL. */
#define SW_PICTURE_SIZE(width) ((width) * 3 + 1)

/*
 * Draw a bar of width characters, filled to ratio, and half filled to upper if
 * that is larger (both clamped to 0..1; NAN: empty).
 */
char *sw_gauge(char *buf, unsigned width, double ratio, double upper,
	       const struct sw_report_style *style);

/*
 * Draw a curve as width characters, whose heights run from 0 to the maximum; a
 * column without value is a space.
 */
char *sw_spark(char *buf, unsigned width, const struct sw_curve *curve,
	       const struct sw_report_style *style);

/*
 * A scale of width columns, linear from 0, or logarithmic from below the
 * smallest value if the values differ by much.
 */
struct sw_scale {
	unsigned width;
	double from, to;
	bool is_of_ratios;
};

/* A value marked by a letter below the picture; NAN is left out. */
struct sw_mark {
	double value;
	char letter;
};

/* Fit the scale to these values and marks. */
void sw_scale_init(struct sw_scale *scale, unsigned width,
		   const double *values, size_t count,
		   const struct sw_mark *marks, size_t mark_count);

/* Position of a value on the scale, 0 to 1 or outside of that. */
double sw_scale_place(const struct sw_scale *scale, double value);

/* Draw the number of values in each column as height; space if none. */
char *sw_histogram(char *buf, const struct sw_scale *scale,
		   const double *values, size_t count,
		   const struct sw_report_style *style);

/*
 * Write the letters of the marks in their columns; if two collide, the later
 * one moves to the next free column.  No trailing spaces.
 */
char *sw_marks(char *buf, const struct sw_scale *scale,
	       const struct sw_mark *marks, size_t count);

#endif
