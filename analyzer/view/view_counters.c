/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of a view: of each task, and their sums. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"

enum { SUBJECTS = 256 };	/* subjects of rows are below this */

/* Counts start with 0 at the task's exec and only grow. */
static void raise_to(struct sw_view_counters *counters,
		     const struct sw_field *field, uint64_t value)
{
	uint64_t *known = (void *)((char *)counters + field->offset);

	*known = sw_max_u64(*known, value);
}

static void take_column(struct sw_view_counters *subject,
			const struct sw_series *series,
			const struct sw_field *field)
{
	const uint64_t *index = sw_series_numbers(series, "subject");
	const uint64_t *values = sw_series_numbers(series, field->column);
	size_t row;

	for (row = 0; index && values && row < sw_series_rows(series); row++) {
		if (index[row] < SUBJECTS && sw_series_is_ours(series, row))
			raise_to(&subject[index[row]], field, values[row]);
	}
}

static void take_rows(struct sw_view_counters *subject,
		      const struct sw_view_parts *parts, const char *table,
		      const struct sw_field *fields)
{
	struct sw_series series = sw_series_open(parts->reader, table,
						 parts->step_key);
	const struct sw_field *field;

	for (field = fields; field->type != SW_FIELD_END; field++) {
		if (field->column)
			take_column(subject, &series, field);
	}
}

static struct sw_view_task *find_task(struct sw_view *view, const char *name)
{
	uint64_t rank;
	char *end;
	size_t i;

	if (!name || strncmp(name, "rank ", 5) != 0)
		return NULL;
	rank = strtoull(name + 5, &end, 10);
	for (i = 0; *end == '\0' && i < view->task_count; i++) {
		if (view->tasks[i].rank == rank)
			return &view->tasks[i];
	}
	return NULL;
}

/* Identify the subjects, and what was counted for them. */
static void name_subjects(struct sw_view *view,
			  struct sw_view_counters *subject,
			  const struct sw_view_parts *parts)
{
	struct sw_series series = sw_series_open(parts->reader, "subjects",
						 parts->step_key);
	size_t row;

	for (row = 0; row < sw_series_rows(&series); row++) {
		const char *source = sw_series_text(&series, row, "source");
		const char *detail = sw_series_text(&series, row, "detail");
		uint64_t index = sw_series_at(&series, row, "subject");
		struct sw_view_task *task;

		if (!source || index >= SUBJECTS ||
		    (strcmp(source, "perf") != 0 && strcmp(source, "pmu") != 0))
			continue;
		if (detail && !strcmp(source, "perf") &&
		    strstr(detail, "page-faults:u"))
			subject[index].is_user_only = true;
		task = find_task(view, sw_series_text(&series, row, "name"));
		if (task)
			task->counters = subject[index];
	}
}

int sw_view_fill_counters(struct sw_view *view,
			  const struct sw_view_parts *parts)
{
	struct sw_view_counters *subject = calloc(SUBJECTS, sizeof(*subject));
	size_t i;

	if (!subject)
		return -1;
	for (i = 0; i < SUBJECTS; i++)
		sw_counters_clear(&subject[i]);
	for (i = 0; i < view->task_count; i++)
		sw_counters_clear(&view->tasks[i].counters);
	take_rows(subject, parts, "series.perf", sw_kernel_fields);
	take_rows(subject, parts, "series.pmu", sw_hardware_fields);
	name_subjects(view, subject, parts);
	for (i = 0; i < SUBJECTS; i++)
		sw_counters_add(&view->counters, &subject[i]);
	free(subject);
	return 0;
}
