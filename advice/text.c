/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format numbers in the sentences of advice. */
#include "advice/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/units.h"

/* Larger doubles do not fit into 64 bits. */
static const double countable = 9e18;

/* Smaller ones are not distinguished. */
static const double least_percent = 0.1;

static uint64_t whole(double value)
{
	return value >= 0 && value < countable ? (uint64_t)value : UINT64_MAX;
}

struct sw_units_text sw_text_seconds(double seconds)
{
	return sw_duration_text(whole(seconds * (double)SW_USEC_PER_SEC));
}

struct sw_units_text sw_text_bytes(double bytes)
{
	return sw_size_text(whole(bytes));
}

struct sw_units_text sw_text_percent(double ratio)
{
	struct sw_units_text text;
	double percent = ratio * 100;

	if (!isfinite(percent))
		snprintf(text.s, sizeof(text.s), "?");
	else if (percent > 0 && percent < least_percent)
		snprintf(text.s, sizeof(text.s), "below %.1f %%",
			 least_percent);
	else
		snprintf(text.s, sizeof(text.s), percent < 10 && percent > 0 ?
			 "%.1f %%" : "%.0f %%", percent);
	return text;
}

struct sw_units_text sw_text_chance(double ratio)
{
	struct sw_units_text percent = sw_text_percent(ratio), text;

	snprintf(text.s, sizeof(text.s), "%s%.36s",
		 strncmp(percent.s, "below", 5) ? "of " : "", percent.s);
	return text;
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

void sw_suggestion_withhold(struct sw_suggestion *suggestion,
			    const char *remedy, const char *why, ...)
{
	size_t runs = suggestion->runs;
	va_list list;

	sw_suggestion_init(suggestion, suggestion->resource,
			   suggestion->current);
	suggestion->is_withheld = true;
	suggestion->runs = runs;
	snprintf(suggestion->remedy, sizeof(suggestion->remedy), "%s",
		 remedy);
	va_start(list, why);
	vsnprintf(suggestion->why, sizeof(suggestion->why), why, list);
	va_end(list);
}

void sw_suggestion_withhold_few(struct sw_suggestion *suggestion, size_t has,
				size_t all, unsigned needs, const char *runs)
{
	char of[48] = "", help[SW_WHY_SIZE];

	suggestion->runs = has;

	if (all > has)
		snprintf(of, sizeof(of), " of %zu", all);
	snprintf(help, sizeof(help), "%u %s", needs > 0 ? needs : 1, runs);
	sw_suggestion_withhold(suggestion, help, "needs %s, has %zu%s", help,
			       has, of);
	suggestion->is_few = true;
}
