/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view's counters: what was counted of each task, and of all of them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"

enum { SUBJECTS = 256 };	/* a row's subject is below this */

struct field {
	const char *column;
	size_t offset;
};

#define FIELD(column, member) \
	{ column, offsetof(struct sw_view_counters, member) }

static const struct field kernel_fields[] = {
	FIELD("cpu_usec", counted_usec),
	FIELD("page_faults", page_faults),
	FIELD("major_faults", major_faults),
	FIELD("context_switches", context_switches),
	FIELD("cpu_migrations", cpu_migrations),
	{ NULL, 0 },
};

static const struct field hardware_fields[] = {
	FIELD("enabled_usec", hw_usec),
	FIELD("running_usec", hw_counted_usec),
	FIELD("instructions", instructions),
	FIELD("cycles", cycles),
	FIELD("ref_cycles", ref_cycles),
	FIELD("llc_misses", llc_misses),
	FIELD("branch_misses", branch_misses),
	FIELD("stalled_cycles", stalled_cycles),
	FIELD("fp_running_usec", fp_counted_usec),
	FIELD("fp_operations", fp_operations),
	FIELD("fp_double_scalar", fp_double[0]),
	FIELD("fp_double_128", fp_double[1]),
	FIELD("fp_double_256", fp_double[2]),
	FIELD("fp_double_512", fp_double[3]),
	FIELD("fp_single_running_usec", fp_single_counted_usec),
	FIELD("fp_single_scalar", fp_single[0]),
	FIELD("fp_single_128", fp_single[1]),
	FIELD("fp_single_256", fp_single[2]),
	FIELD("fp_single_512", fp_single[3]),
	{ NULL, 0 },
};

/* They are counted from 0 at the task's exec and only grow. */
static void raise_to(struct sw_view_counters *counters,
		     const struct field *field, uint64_t value)
{
	uint64_t known;

	memcpy(&known, (char *)counters + field->offset, sizeof(known));
	known = sw_max_u64(known, value);
	memcpy((char *)counters + field->offset, &known, sizeof(known));
}

static void take_column(struct sw_view_counters *subject,
			const struct sw_series *series,
			const struct field *field)
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
		      const struct field *fields)
{
	struct sw_series series = sw_series_open(parts->reader, table,
						 parts->step_key);
	const struct field *field;

	for (field = fields; field->column; field++)
		take_column(subject, &series, field);
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

/* Who the subjects are, and what could be counted of them. */
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
	sw_counters_clear(&view->counters);
	take_rows(subject, parts, "series.perf", kernel_fields);
	take_rows(subject, parts, "series.pmu", hardware_fields);
	name_subjects(view, subject, parts);
	for (i = 0; i < SUBJECTS; i++)
		sw_counters_add(&view->counters, &subject[i]);
	free(subject);
	return 0;
}
