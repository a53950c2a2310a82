/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pictures in text. */
#include "analyzer/report/text/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *put(char *out, const char *text)
{
	size_t length = strlen(text);

	memcpy(out, text, length + 1);
	return out + length;
}

/* Draw any positive value, and never draw less than all as all. */
static unsigned filled(unsigned width, double ratio)
{
	unsigned count = 0;

	if (ratio > 0)
		count = (unsigned)lround(fmin(ratio, 1) * width);
	if (ratio > 0 && count == 0)
		count = 1;
	if (ratio < 1 && count == width)
		count = width - 1;
	return count;
}

char *sw_gauge(char *buf, unsigned width, double ratio, double upper,
	       const struct sw_report_style *style)
{
	const char *full = style->is_utf8 ? "\u2588" : "#";
	const char *half = style->is_utf8 ? "\u2592" : "+";
	const char *empty = style->is_utf8 ? "\u2591" : ".";
	unsigned i, low = filled(width, ratio), high = filled(width, upper);
	char *out = buf;

	*out = '\0';
	for (i = 0; i < width; i++)
		out = put(out, i < low ? full : i < high ? half : empty);
	return buf;
}

static const char *spark(double ratio, bool is_utf8)
{
	static const char *const blocks[] = {
		"\u2581", "\u2582", "\u2583", "\u2584",
		"\u2585", "\u2586", "\u2587", "\u2588",
	};
	static const char *const ascii[] = { "_", ".", "-", "~",
					     "=", "+", "*", "#" };
	long level;

	if (isnan(ratio))
		return " ";
	level = lround(fmin(fmax(ratio, 0), 1) * 7);
	return is_utf8 ? blocks[level] : ascii[level];
}

char *sw_spark(char *buf, unsigned width, const struct sw_curve *curve,
	       const struct sw_report_style *style)
{
	double first, step, top = curve->max > 0 ? curve->max : 1;
	char *out = buf;
	unsigned i;

	*out = '\0';
	if (curve->count == 0)
		return buf;
	if (width > curve->count)
		width = (unsigned)curve->count;
	first = (double)curve->start_usec[0];
	step = ((double)curve->end_usec[curve->count - 1] - first) / width;
	for (i = 0; i < width; i++)
		out = put(out,
			  spark(sw_curve_mean(
					curve, sw_whole_real(first + step * i),
					sw_whole_real(first + step * (i + 1))) /
					top,
				style->is_utf8));
	return buf;
}

/* Largest ratio of maximum to minimum for a linear scale. */
static const double LINEAR_MAX = 20;

static void take(double value, double *least, double *most)
{
	if (value > 0) {
		*least = fmin(*least, value);
		*most = fmax(*most, value);
	}
}

void sw_scale_init(struct sw_scale *scale, unsigned width,
		   const double *values, size_t count,
		   const struct sw_mark *marks, size_t mark_count)
{
	double least = INFINITY, most = 0;
	size_t i;

	for (i = 0; i < count; i++)
		take(values[i], &least, &most);
	for (i = 0; i < mark_count; i++)
		take(marks[i].value, &least, &most);
	*scale = (struct sw_scale){ .width = width,
				    .to = most > 0 ? most : 1 };
	if (most > LINEAR_MAX * least) {
		scale->is_of_ratios = true;
		scale->from = least;
	}
}

double sw_scale_place(const struct sw_scale *scale, double value)
{
	if (!scale->is_of_ratios || isnan(value))
		return value / scale->to;
	return value > scale->from ? log(value / scale->from) /
		log(scale->to / scale->from) : 0;
}

static unsigned column_of(const struct sw_scale *scale, double value)
{
	double column = ceil(sw_scale_place(scale, value) * scale->width) - 1;

	if (!(column > 0))
		return 0;
	return column < scale->width ? (unsigned)column : scale->width - 1;
}

char *sw_histogram(char *buf, const struct sw_scale *scale,
		   const double *values, size_t count,
		   const struct sw_report_style *style)
{
	size_t i, most = 1, *counts = calloc(scale->width, sizeof(*counts));
	char *out = buf;

	*out = '\0';
	for (i = 0; counts && i < count; i++) {
		size_t *here = &counts[column_of(scale, values[i])];

		if (++*here > most)
			most = *here;
	}
	for (i = 0; counts && i < scale->width; i++)
		out = put(out, spark(counts[i] ? (double)counts[i] /
				     (double)most : NAN, style->is_utf8));
	free(counts);
	return buf;
}

char *sw_marks(char *buf, const struct sw_scale *scale,
	       const struct sw_mark *marks, size_t count)
{
	unsigned end = 0, column;
	size_t i;

	memset(buf, ' ', scale->width);
	for (i = 0; i < count; i++) {
		if (isnan(marks[i].value))
			continue;
		column = column_of(scale, marks[i].value);
		while (column + 1 < scale->width && buf[column] != ' ')
			column++;
		/* At the right edge, look for a free column to the left. */
		while (column > 0 && buf[column] != ' ')
			column--;
		buf[column] = marks[i].letter;
		end = column + 1 > end ? column + 1 : end;
	}
	buf[end] = '\0';
	return buf;
}
