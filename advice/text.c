/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in the sentences of advice. */
#include "advice/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/units.h"

/* Doubles above this have no whole number of 64 bits. */
static const double countable = 9e18;

/* Smaller ones are not told apart. */
static const double least_percent = 0.1;

static uint64_t whole(double value)
{
	return value >= 0 && value < countable ? (uint64_t)value : UINT64_MAX;
}

char *sw_text_seconds(char *buf, size_t size, double seconds)
{
	return sw_duration_format(buf, size,
				  whole(seconds * (double)SW_USEC_PER_SEC));
}

char *sw_text_bytes(char *buf, size_t size, double bytes)
{
	return sw_size_format(buf, size, whole(bytes));
}

char *sw_text_percent(char *buf, size_t size, double ratio)
{
	double percent = ratio * 100;

	if (!isfinite(percent))
		snprintf(buf, size, "?");
	else if (percent > 0 && percent < least_percent)
		snprintf(buf, size, "below %.1f %%", least_percent);
	else
		snprintf(buf, size, percent < 10 && percent > 0 ?
			 "%.1f %%" : "%.0f %%", percent);
	return buf;
}

char *sw_text_chance(char *buf, size_t size, double ratio)
{
	char text[SW_UNITS_TEXT_SIZE];

	sw_text_percent(text, sizeof(text), ratio);
	snprintf(buf, size, "%s%s", strncmp(text, "below", 5) ? "of " : "",
		 text);
	return buf;
}

void sw_suggestion_init(struct sw_suggestion *suggestion,
			enum sw_resource resource, double current)
{
	*suggestion = (struct sw_suggestion){
		.resource = resource,
		.current = current,
		.suggested = NAN,
		.risk = NAN,
		.margin = NAN,
		.backtest = {
			.saved_gib_hours = NAN,
			.saved_core_hours = NAN,
			.saved_gpu_hours = NAN,
			.saved_cost = NAN,
		},
	};
}

void sw_suggestion_refuse(struct sw_suggestion *suggestion,
			  const char *would_help, const char *why, ...)
{
	size_t runs = suggestion->runs;
	va_list list;

	sw_suggestion_init(suggestion, suggestion->resource,
			   suggestion->current);
	suggestion->is_refused = true;
	suggestion->runs = runs;
	snprintf(suggestion->would_help, sizeof(suggestion->would_help), "%s",
		 would_help);
	va_start(list, why);
	vsnprintf(suggestion->why, sizeof(suggestion->why), why, list);
	va_end(list);
}

void sw_suggestion_refuse_few(struct sw_suggestion *suggestion, size_t has,
			      size_t all, unsigned needs, const char *runs)
{
	char of[48] = "", help[SW_WHY_SIZE];

	suggestion->runs = has;

	if (all > has)
		snprintf(of, sizeof(of), " of %zu", all);
	snprintf(help, sizeof(help), "%u %s", needs > 0 ? needs : 1, runs);
	sw_suggestion_refuse(suggestion, help, "needs %s, has %zu%s", help,
			     has, of);
	suggestion->is_few = true;
}
