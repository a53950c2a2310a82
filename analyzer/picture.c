/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pictures in text. */
#include "analyzer/picture.h"

#include <math.h>
#include <string.h>

static char *put(char *out, const char *text)
{
	size_t length = strlen(text);

	memcpy(out, text, length + 1);
	return out + length;
}

char *sw_gauge(char *buf, unsigned width, double ratio,
	       const struct sw_report_style *style)
{
	const char *full = style->is_utf8 ? "\u2588" : "#";
	const char *empty = style->is_utf8 ? "\u2591" : ".";
	char *out = buf;
	unsigned i, filled = 0;

	if (ratio > 0)
		filled = (unsigned)lround(fmin(ratio, 1) * width);
	/* Something is never drawn as nothing, nor less than all as all. */
	if (ratio > 0 && filled == 0)
		filled = 1;
	if (ratio < 1 && filled == width)
		filled = width - 1;
	*out = '\0';
	for (i = 0; i < width; i++)
		out = put(out, i < filled ? full : empty);
	return buf;
}

/* Mean of the curve within one column's stretch of time; NAN if none. */
static double column_mean(const struct sw_curve *curve, double from, double to)
{
	double sum = 0, width = 0, start, end;
	size_t i;

	for (i = 0; i < curve->count; i++) {
		start = fmax(from, (double)curve->start_usec[i]);
		end = fmin(to, (double)curve->end_usec[i]);
		if (end <= start || isnan(curve->value[i]))
			continue;
		sum += curve->value[i] * (end - start);
		width += end - start;
	}
	return width > 0 ? sum / width : NAN;
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
		out = put(out, spark(column_mean(curve, first + step * i,
						 first + step * (i + 1)) / top,
				     style->is_utf8));
	return buf;
}
