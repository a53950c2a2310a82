/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of a view that were requested by name. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/postfix.h"

enum { SUBJECTS = 256, EVENTS = 32 };

/* No processor counts events this fast; virtual machines were seen to. */
#define PER_USEC_MAX 1e6

/* Sums of the columns over all tasks. */
struct sums {
	struct sw_series series;
	uint64_t tasks, enabled_usec;
	uint64_t running_usec[SW_CHOSEN_MAX];
	double event[EVENTS];
	bool has_missed[EVENTS]; /* missing for some task */
};

static uint64_t last_of(const struct sums *sums, uint64_t subject,
			const char *column)
{
	const uint64_t *index = sw_series_numbers(&sums->series, "subject");
	const uint64_t *values = sw_series_numbers(&sums->series, column);
	size_t row = sw_series_rows(&sums->series);

	/* Counts start with 0 at exec and only grow. */
	while (index && values && row-- > 0) {
		if (index[row] == subject &&
		    sw_series_is_ours(&sums->series, row))
			return values[row];
	}
	return SW_MISSING;
}

static void add_event(struct sums *sums, uint64_t subject, size_t event)
{
	char column[32];
	uint64_t value;

	snprintf(column, sizeof(column), "event.%zu", event);
	value = last_of(sums, subject, column);
	if (sw_is_missing(value))
		sums->has_missed[event] = true;
	else
		sums->event[event] += (double)value;
}

static void add_task(struct sums *sums, uint64_t subject)
{
	uint64_t enabled = last_of(sums, subject, "enabled_usec");
	char column[32];
	size_t i;

	if (sw_is_missing(enabled))
		return;
	sums->tasks++;
	sums->enabled_usec += enabled;
	for (i = 0; i < SW_CHOSEN_MAX; i++) {
		snprintf(column, sizeof(column), "running_usec.%zu", i);
		sums->running_usec[i] +=
			sw_zero_if_missing(last_of(sums, subject, column));
	}
	for (i = 0; i < EVENTS; i++)
		add_event(sums, subject, i);
}

/* Set the terms of a formula; events not counted for each task are NAN. */
static const char *make_terms(const struct sums *sums, const char *formula,
			      double *terms)
{
	const char *why = NULL, *at = formula;
	unsigned event;
	size_t i;

	for (i = 0; i < EVENTS; i++)
		terms[i] = sums->has_missed[i] ? NAN : sums->event[i];
	while ((at = strchr(at, 'N'))) {
		if (sscanf(++at, "%u", &event) != 1 || event >= EVENTS)
			continue;
		if (isnan(terms[event]))
			why = "it was not counted all the way";
		else if (terms[event] >
			 PER_USEC_MAX * (double)sums->enabled_usec) {
			terms[event] = NAN;
			why = "the processor gave impossible numbers";
		}
	}
	return why;
}

static void evaluate(struct sw_view_chosen *chosen, const struct sums *sums,
		     size_t number, const char *formula)
{
	double terms[EVENTS];
	const struct sw_postfix_input input = { terms, EVENTS, NAN };

	chosen->is_ratio = strchr(formula, '/') != NULL;
	chosen->tasks = sums->tasks;
	chosen->enabled_usec = sums->enabled_usec;
	chosen->running_usec = sums->running_usec[number];
	chosen->value = NAN;
	chosen->why = make_terms(sums, formula, terms);
	if (sw_postfix_value(formula, &input, &chosen->value) < 0)
		chosen->why = "its formula is none";
	else if (!isfinite(chosen->value) && !chosen->why)
		chosen->why = "its formula divides by zero";
	else if (isfinite(chosen->value))
		chosen->why = NULL;
}

/* Parse "NAME FORMULA NAME FORMULA"; the same for all tasks of a node. */
static void take_formulas(struct sw_view *view, const struct sums *sums,
			  const char *text)
{
	char formula[256];
	int length;

	while (view->chosen_count < SW_CHOSEN_MAX) {
		struct sw_view_chosen *chosen =
			&view->chosen[view->chosen_count];

		if (sscanf(text, " %63s %255s%n", chosen->name, formula,
			   &length) != 2)
			return;
		evaluate(chosen, sums, view->chosen_count++, formula);
		text += length;
	}
}

void sw_view_fill_chosen(struct sw_view *view,
			 const struct sw_view_parts *parts)
{
	struct sw_series subjects =
		sw_series_open(parts->reader, "subjects", parts->step_key);
	struct sums sums = { .series = sw_series_open(parts->reader,
						     "series.counters",
						     parts->step_key) };
	const char *source, *detail, *formulas = NULL;
	uint64_t index;
	size_t row;

	view->chosen_count = 0;
	for (row = 0; row < sw_series_rows(&subjects); row++) {
		source = sw_series_text(&subjects, row, "source");
		detail = sw_series_text(&subjects, row, "detail");
		index = sw_series_at(&subjects, row, "subject");
		if (!source || !detail || index >= SUBJECTS ||
		    strcmp(source, "counters") != 0)
			continue;
		add_task(&sums, index);
		formulas = detail;
	}
	if (formulas && sums.tasks)
		take_formulas(view, &sums, formulas);
}
