/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's part about the next run: lines to paste, each with its reason
 * and the outcome for past runs, and this run among them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/html/svg.h"
#include "analyzer/report/text/picture.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/suggest/advice_words.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

/* With fewer runs the sentences are enough. */
enum { PICTURE_RUNS_MIN = 4 };

static void write_line(const struct sw_page *page,
		       const struct sw_request *request,
		       enum sw_resource resource)
{
	const struct sw_dialect *dialect = sw_dialect_of(request->advice);
	char item[SW_DIALECT_ITEM_SIZE], line[SW_DIALECT_ITEM_SIZE + 16];

	dialect->item(item, request, resource, 1);
	snprintf(line, sizeof(line), "%s%s", dialect->prefix, item);
	sw_page_command(page, line);
}

static void write_change(const struct sw_page *page,
			 const struct sw_request *request,
			 enum sw_resource resource)
{
	const struct sw_request_item *item = &request->items[resource];
	char text[SW_ADVICE_WORDS_SIZE], value[SW_DIALECT_ITEM_SIZE];
	size_t i, retries = sw_request_retries(request, resource);

	write_line(page, request, resource);
	sw_suggestion_words(text, sizeof(text), request, resource);
	for (i = 0; i < item->retry_count && retries; i++)
		sw_text_add(text, sizeof(text), "%s%s%s",
			    i ? ", then " : " If that is not enough: ",
			    sw_slurm_amount(value, request, resource, i + 2),
			    i + 1 == item->retry_count ? "." : "");
	sw_page_paragraph(page, "    ", "%s%s", text,
			  sw_retry_limit_words(request, resource));
}

/* "Fits as it is: --mem=2G, --time=01:00:00" */
static void write_fits(const struct sw_page *page,
		       const struct sw_request *request)
{
	const struct sw_dialect *dialect = sw_dialect_of(request->advice);
	char text[SW_ADVICE_WORDS_SIZE] = "", option[SW_DIALECT_ITEM_SIZE];
	size_t i;

	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_request_item *item = &request->items[i];

		if (item->suggestion && !item->is_change &&
		    !sw_is_missing(item->next))
			sw_text_add(text, sizeof(text), "%s%s",
				    *text ? ", " : "Request as now: ",
				    dialect->item(option, request,
						  (enum sw_resource)i, 1));
	}
	if (*text)
		sw_page_text(page, "  ", "    ", text);
}

static void write_refusals(const struct sw_page *page,
			   const struct sw_request *request)
{
	char text[SW_ADVICE_WORDS_SIZE];
	size_t i;

	for (i = 0; i < request->advice->count; i++) {
		if (*sw_refusal_words(text, sizeof(text), request->advice, i))
			sw_page_text(page, "  ", "    ", text);
	}
}

/* Value of a run in the distribution; NAN if not known. */
static double value_of(const struct sw_run *run, enum sw_resource resource)
{
	if (resource == SW_RESOURCE_MEMORY)
		return run->need_bytes;
	if (resource == SW_RESOURCE_TIME)
		return run->state == SW_RUN_COMPLETED ? run->elapsed_seconds :
							NAN;
	return run->peak_cores;
}

static char *words_of(char *buf, size_t size, double value,
		      enum sw_resource resource)
{
	if (!(value > 0)) {
		snprintf(buf, size, "0");
		return buf;
	}
	if (resource == SW_RESOURCE_MEMORY)
		return sw_size_format(buf, size, sw_whole_real(value));
	if (resource == SW_RESOURCE_TIME)
		return sw_duration_format(
			buf, size,
			sw_whole_real(value * (double)SW_USEC_PER_SEC));
	snprintf(buf, size, "%.1f", value);
	return buf;
}

/* This run's own value: that of the reported job. */
static double own_value(const struct sw_page *page,
			enum sw_resource resource)
{
	const struct sw_view *view = page->result->view;

	if (resource == SW_RESOURCE_MEMORY)
		return sw_real_u64(view->memory.need_bytes);
	if (resource == SW_RESOURCE_TIME)
		return sw_real_u64(view->elapsed_usec) / SW_USEC_PER_SEC;
	return view->cpu.peak_cores;
}

enum { PLACES = 3 };

/* HTML version: each run is a tick.  Replaces values by positions. */
static void draw_strip(const struct sw_page *page,
		       const struct sw_scale *scale, enum sw_resource resource,
		       double *values, size_t count,
		       const struct sw_mark places[PLACES])
{
	static const char *const names[PLACES] = { "this run", "requested",
						   "suggested" };
	char text[PLACES][SW_UNITS_TEXT_SIZE], low[SW_UNITS_TEXT_SIZE];
	char high[SW_UNITS_TEXT_SIZE], words[96];
	struct sw_svg_mark marks[PLACES];
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = sw_scale_place(scale, values[i]);
	for (i = 0; i < PLACES; i++)
		marks[i] = (struct sw_svg_mark){
			names[i], words_of(text[i], sizeof(text[i]),
					   places[i].value, resource),
			sw_scale_place(scale, places[i].value),
		};
	snprintf(words, sizeof(words), "each line is one of %zu runs%s", count,
		 scale->is_of_ratios ? "; the scale is logarithmic" : "");
	sw_svg_strip(page->html,
		&(struct sw_svg_words){ sw_resource_word(resource), words },
		&(struct sw_svg_strip){ values, count, marks, PLACES,
			words_of(low, sizeof(low), scale->from, resource),
			words_of(high, sizeof(high), scale->to, resource) });
}

static void write_picture(const struct sw_page *page,
			  const struct sw_request *request,
			  enum sw_resource resource, double *values,
			  size_t count)
{
	const struct sw_suggestion *suggestion =
		request->items[resource].suggestion;
	unsigned width = sw_page_picture_width(page);
	char bars[SW_PICTURE_SIZE(SW_PAGE_PICTURE_MAX)];
	char marks[SW_PICTURE_SIZE(SW_PAGE_PICTURE_MAX)];
	char low[SW_UNITS_TEXT_SIZE], high[SW_UNITS_TEXT_SIZE];
	const struct sw_mark places[PLACES] = {
		{ own_value(page, resource), 'N' },
		{ suggestion->current, 'R' },
		{ request->items[resource].is_change ? suggestion->suggested
						    : NAN,
		  'S' },
	};
	struct sw_scale scale;

	sw_scale_init(&scale, width, values, count, places,
		      sizeof(places) / sizeof(places[0]));
	if (page->html) {
		draw_strip(page, &scale, resource, values, count, places);
		return;
	}
	sw_page_picture(page, sw_resource_word(resource),
			sw_histogram(bars, &scale, values, count, page->style),
			words_of(low, sizeof(low), scale.from, resource),
			words_of(high, sizeof(high), scale.to, resource));
	sw_marks(marks, &scale, places, sizeof(places) / sizeof(places[0]));
	fprintf(page->out,
		scale.is_of_ratios ? "            %-*s  logarithmic\n"
				   : "            %-*s\n",
		scale.is_of_ratios ? (int)width : 0, marks);
}

static void write_pictures(const struct sw_page *page,
			   const struct sw_request *request)
{
	static const enum sw_resource pictured[] = {
		SW_RESOURCE_MEMORY, SW_RESOURCE_TIME, SW_RESOURCE_CORES,
	};
	const struct sw_history_runs *runs = &request->advice->runs;
	double *values = calloc(runs->count, sizeof(*values));
	size_t i, j, count, shown = 0;

	for (i = 0; values && i < sizeof(pictured) / sizeof(*pictured); i++) {
		for (count = 0, j = 0; j < runs->count; j++) {
			values[count] = value_of(&runs->runs[j], pictured[i]);
			count += isnan(values[count]) ? 0 : 1;
		}
		if (count < PICTURE_RUNS_MIN ||
		    !request->items[pictured[i]].suggestion)
			continue;
		if (!shown++)
			sw_page_heading(page, "This run among past runs");
		write_picture(page, request, pictured[i], values, count);
	}
	if (shown && !page->html)
		sw_page_line(page, "", "N this run, R requested, S suggested; "
			     "height: number of runs");
	free(values);
}

void sw_text_report_advice(const struct sw_page *page)
{
	const struct sw_advice *advice = page->result->advice;
	char head[SW_JOB_GROUP_SIZE + 64], group[SW_JOB_GROUP_SIZE + 32];
	struct sw_request request;
	size_t i;

	if (!advice)
		return;
	sw_request_init(&request, advice);
	sw_page_heading(page, "Next time");
	snprintf(head, sizeof(head), "from %zu run%s of %s", advice->runs.count,
		 advice->runs.count == 1 ? "" : "s",
		 sw_advice_group_words(group, sizeof(group), advice));
	sw_page_text(page, "  ", "    ", head);
	for (i = 0; i < SW_RESOURCES; i++) {
		if (request.items[i].is_change)
			write_change(page, &request, (enum sw_resource)i);
	}
	if (*sw_dialect_of(advice)->assumes(&request))
		sw_page_paragraph(page, "    ", "%s",
				  sw_dialect_of(advice)->assumes(&request));
	write_fits(page, &request);
	write_refusals(page, &request);
	write_pictures(page, &request);
}
