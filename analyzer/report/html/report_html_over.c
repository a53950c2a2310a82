/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of the HTML report: what limited a run, and its usage over time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/html/svg.h"
#include "analyzer/report/html/report_html.h"
#include "analyzer/report/words.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/memory_words.h"
#include "common/text.h"
#include "common/units.h"

enum { COLUMNS = 240, VALUE_SIZE = 48 };

/* Smaller values would be a flat line at the bottom. */
static const double STALL_SHOWN = 0.01;

/*
 * An available but not requested amount is shown only up to this multiple of
 * the curve, which it would flatten; a requested amount is always shown.
 */
static const double LIMIT_SHOWN = 4;

static char *format_share(char *buf, size_t size, double value)
{
	snprintf(buf, size, "%.0f %%", value * 100);
	return buf;
}

/* A curve and its reference value. */
struct plot {
	const char *title;
	const char *side;	/* "A: " before the title; NULL */
	const struct sw_curve *curve;
	sw_value_words_f words;
	double limit;		/* NAN: none */
	const char *limit_name;	/* "requested" */
	bool is_requested;
	double top;		/* minimum top of the axis; 0 */
	uint64_t length_usec;	/* minimum length of the time axis; 0 */
	const char *node;	/* its node, if there are several; NULL */
};

/* Columns of a chart; low and high: extremes of the samples in each. */
struct columns {
	double value[COLUMNS], low[COLUMNS], high[COLUMNS];
};

static void widen(double *low, double *high, double value)
{
	/* fmin() and fmax() ignore a NAN. */
	*low = fmin(*low, value);
	*high = fmax(*high, value);
}

/* Make one pass: each sample belongs to the column of its middle. */
static void fill_band(struct columns *columns, const struct sw_curve *curve,
		      double first, double step)
{
	size_t i, at;

	for (i = 0; i < COLUMNS; i++)
		columns->low[i] = columns->high[i] = columns->value[i];
	for (i = 0; i < curve->count; i++) {
		double middle = ((double)curve->start_usec[i] +
				 (double)curve->end_usec[i]) / 2;

		if (isnan(curve->value[i]) || !(middle >= first))
			continue;
		at = sw_whole_real((middle - first) / step);
		if (at < COLUMNS)
			widen(&columns->low[at], &columns->high[at],
			      curve->value[i]);
	}
}

/* Time axis: the step's, as in all charts of a page, or else the samples'. */
static uint64_t time_of(uint64_t *length, const struct sw_view *view,
			const struct sw_curve *curve)
{
	if (!sw_is_missing(view->start_usec) &&
	    sw_zero_if_missing(view->elapsed_usec)) {
		*length = view->elapsed_usec;
		return view->start_usec;
	}
	*length = curve->end_usec[curve->count - 1] - curve->start_usec[0];
	return curve->start_usec[0];
}

static void fill_columns(struct columns *columns, const struct sw_curve *curve,
			 uint64_t start, uint64_t length)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		columns->value[i] = sw_curve_mean(curve,
			sw_part_start(start, length, i, COLUMNS),
			sw_part_start(start, length, i + 1, COLUMNS));
	fill_band(columns, curve, (double)start, (double)length / COLUMNS);
}

static bool is_limit_shown(const struct plot *plot)
{
	return plot->is_requested ||
	       plot->limit <= LIMIT_SHOWN * plot->curve->max;
}

/* "0.1 to 4.0, 3.1 on average; dashed: 4.0 requested" */
static void plot_words(char *buf, size_t size, const struct plot *plot,
		       bool has_band)
{
	const struct sw_curve *curve = plot->curve;
	char low[VALUE_SIZE], high[VALUE_SIZE], mean[VALUE_SIZE];
	char limit[VALUE_SIZE];

	snprintf(buf, size, "%s to %s, %s on average",
		 plot->words(low, sizeof(low), curve->min),
		 plot->words(high, sizeof(high), curve->max),
		 plot->words(mean, sizeof(mean), curve->mean));
	if (has_band)
		sw_text_add(buf, size, "; lighter: lowest to highest sample");
	if (plot->node)
		sw_text_add(buf, size, "; on %.255s, which needed the most",
			    plot->node);
	if (isnan(plot->limit))
		return;
	sw_text_add(buf, size, is_limit_shown(plot) ?
		    "; dashed: %s %s" : "; %s %s is beyond the picture",
		    plot->words(limit, sizeof(limit), plot->limit),
		    plot->limit_name);
}

static void write_plot(const struct sw_page *page, const struct plot *plot)
{
	const struct sw_curve *curve = plot->curve;
	char title[96], text[640], top[VALUE_SIZE], to[SW_UNITS_TEXT_SIZE];
	struct columns columns;
	struct sw_svg_line line = { .limit = plot->limit };
	uint64_t start, length;

	if (curve->count < 2 || !(curve->max > 0) ||
	    curve->end_usec[curve->count - 1] <= curve->start_usec[0])
		return;
	start = time_of(&length, page->result->view, curve);
	if (length < plot->length_usec)
		length = plot->length_usec;
	fill_columns(&columns, curve, start, length);
	line.value = columns.value;
	line.low = columns.low;
	line.high = columns.high;
	line.count = COLUMNS;
	line.top = fmax(curve->max, plot->top);
	if (is_limit_shown(plot))
		line.top = fmax(line.top, plot->limit);
	plot_words(text, sizeof(text), plot, curve->count > COLUMNS);
	line.top_words = plot->words(top, sizeof(top), line.top);
	line.time = (struct sw_svg_time){
		"0", sw_duration_format(to, sizeof(to), length),
		(double)length / SW_USEC_PER_SEC,
	};
	snprintf(title, sizeof(title), "%s%s", sw_text(plot->side),
		 plot->title);
	sw_svg_line(page->html, &(struct sw_svg_words){ title, text },
		    &line);
}

void sw_report_html_limits(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	struct sw_limits_part parts[SW_LIMITS_PARTS_MAX];
	struct sw_svg_part shown[SW_LIMITS_PARTS_MAX];
	char percent[SW_LIMITS_PARTS_MAX][16], limits[192], text[320];
	size_t i, count = sw_limits_parts(parts, &view->limits);

	if (count == 0)
		return;
	for (i = 0; i < count; i++) {
		snprintf(percent[i], sizeof(percent[i]), "%.0f %%",
			 parts[i].ratio * 100);
		shown[i] = (struct sw_svg_part){ parts[i].words, percent[i],
						 parts[i].ratio,
						 parts[i].number };
	}
	sw_limits_words(limits, sizeof(limits), &view->limits);
	snprintf(text, sizeof(text), "Its time, by the one resource without "
		 "which it could not go on: %s", limits);
	sw_svg_parts(page->html, &(struct sw_svg_words){
		     "What limited it?", text }, shown, count);
}

enum { PLOTS = 4 };

static void make_plots(struct plot plots[PLOTS], const struct sw_view *view)
{
	const char *name = NULL;
	uint64_t memory = sw_memory_reference(&view->memory, &name);
	const struct plot made[PLOTS] = {
		{ "How many CPUs were in use?", NULL, &view->cores, sw_cores_words,
		  view->cpu.allocated_cores,
		  view->cpu.is_requested ? "requested" : "available",
		  view->cpu.is_requested, 0, 0, NULL },
		{ "How much memory was in use, without page cache?", NULL,
		  &view->memory_bytes, sw_bytes_words, sw_real_u64(memory),
		  name ? name : "",
		  !sw_is_missing(view->memory.requested_bytes), 0, 0,
		  view->memory.node },
		{ "How fast were data read and written by system calls?", NULL,
		  &view->io_rate, sw_bytes_rate_words, NAN, "",
		  false, 0, 0, NULL },
		{ "How much of the time did it wait for I/O?", NULL,
		  &view->io_stall, format_share, NAN, "", false, 1, 0, NULL },
	};

	memcpy(plots, made, sizeof(made));
}

static bool is_shown(const struct plot *plot)
{
	return plot->words != format_share || plot->curve->max >= STALL_SHOWN;
}

void sw_report_html_over(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	struct plot plots[PLOTS];
	size_t i;

	if (view->cores.count < 2)
		return;
	make_plots(plots, view);
	sw_page_heading(page, "Over time");
	for (i = 0; i < PLOTS; i++) {
		if (is_shown(&plots[i]))
			write_plot(page, &plots[i]);
	}
	sw_report_html_maps(page);
}

/* Both axes of both charts end at the larger value. */
static void share_scales(struct plot *a, struct plot *b, uint64_t length)
{
	double top = fmax(a->curve->max, b->curve->max);

	if (is_limit_shown(a))
		top = fmax(top, a->limit);
	if (is_limit_shown(b))
		top = fmax(top, b->limit);
	a->top = b->top = fmax(top, a->top);
	a->length_usec = b->length_usec = length;
}

void sw_report_html_sides(const struct sw_page *page,
			  const struct sw_result *a, const struct sw_result *b)
{
	const uint64_t length_a = sw_zero_if_missing(a->view->elapsed_usec),
		       length_b = sw_zero_if_missing(b->view->elapsed_usec);
	struct sw_page sides[] = { *page, *page };
	struct plot plots_a[PLOTS], plots_b[PLOTS];
	size_t i;

	if (a->view->cores.count < 2 || b->view->cores.count < 2)
		return;
	sides[0].result = a;
	sides[1].result = b;
	make_plots(plots_a, a->view);
	make_plots(plots_b, b->view);
	sw_page_heading(page, "Over time: A and B, on the same scales");
	for (i = 0; i < PLOTS; i++) {
		if (!is_shown(&plots_a[i]) && !is_shown(&plots_b[i]))
			continue;
		plots_a[i].side = "A: ";
		plots_b[i].side = "B: ";
		share_scales(&plots_a[i], &plots_b[i],
			     length_a > length_b ? length_a : length_b);
		sw_html_sides(page->html);
		write_plot(&sides[0], &plots_a[i]);
		write_plot(&sides[1], &plots_b[i]);
		sw_html_close(page->html);
	}
}
