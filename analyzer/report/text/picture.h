/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pictures in text: a gauge, a line of sparks, and a histogram. */
#ifndef SW_ANALYZER_PICTURE_H
#define SW_ANALYZER_PICTURE_H

#include "analyzer/report/report.h"

/* Bytes that a picture of up to width characters takes, with its NUL. */
#define SW_PICTURE_SIZE(width) ((width) * 3 + 1)

/*
 * A bar of width characters, filled to ratio, and half to upper where that is
 * more (both clamped to 0..1; NAN: empty).
 */
char *sw_gauge(char *buf, unsigned width, double ratio, double upper,
	       const struct sw_report_style *style);

/*
 * A curve as width characters of height by value, from 0 to its maximum; a
 * column without a value is a space.
 */
char *sw_spark(char *buf, unsigned width, const struct sw_curve *curve,
	       const struct sw_report_style *style);

/*
 * A scale of width columns from 0 on; of values that differ by a lot it is one
 * of ratios, and begins below the smallest.
 */
struct sw_scale {
	unsigned width;
	double from, to;
	bool is_of_ratios;
};

/* A value that is named by a letter below the picture; NAN: left out. */
struct sw_mark {
	double value;
	char letter;
};

/* For these values and marks. */
void sw_scale_init(struct sw_scale *scale, unsigned width,
		   const double *values, size_t count,
		   const struct sw_mark *marks, size_t mark_count);

/* Where on it a value is: 0 to 1, or beyond. */
double sw_scale_place(const struct sw_scale *scale, double value);

/* How many of the values are in each column, by height; none is a space. */
char *sw_histogram(char *buf, const struct sw_scale *scale,
		   const double *values, size_t count,
		   const struct sw_report_style *style);

/*
 * The letters of the marks in their columns; where two would meet, the later
 * one goes to the next that is free.  Nothing stands behind the last.
 */
char *sw_marks(char *buf, const struct sw_scale *scale,
	       const struct sw_mark *marks, size_t count);

#endif
