/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of nodes' days, read and put in order. */
#include "analyzer/summaries/step_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/trust/digests.h"
#include "analyzer/view/fields.h"
#include "common/grow.h"

static double real(const struct sw_series *rows, size_t row,
		   const char *name, double unit)
{
	return sw_real_u64(sw_series_at(rows, row, name)) / unit;
}

static void copy(const struct sw_series *rows, size_t row, const char *name,
		 char *buf, size_t size)
{
	snprintf(buf, size, "%s", sw_text(sw_series_text(rows, row, name)));
}

static void fill(struct sw_step_summary *to, const struct sw_series *rows,
		 size_t row)
{
	char source[16];

	memset(to, 0, sizeof(*to));
	sw_fields_read(&to->job, sw_job_fields, rows, row);
	copy(rows, row, "cluster", to->cluster, sizeof(to->cluster));
	copy(rows, row, "job_name", to->name, sizeof(to->name));
	copy(rows, row, "step_id", to->step, sizeof(to->step));
	copy(rows, row, "final_source", source, sizeof(source));
	to->is_correction = !strcmp(source, "late");
	to->wait_status = sw_series_at(rows, row, "wait_status");
	to->start = real(rows, row, "start_realtime_usec", 1e6);
	to->end = real(rows, row, "end_realtime_usec", 1e6);
	/* What is advised is not below files that were mapped either. */
	to->need = fmax(real(rows, row, "need_bytes", 1),
			 real(rows, row, "floor_bytes", 1));
	to->requested_bytes = real(rows, row, "requested_memory_bytes", 1);
	to->requested_cores = real(rows, row, "requested_cpus_milli", 1000);
	to->used = real(rows, row, "usage_usec", 1e6);
	to->peak_cores = real(rows, row, "peak_cores_milli", 1000);
	to->tasks = real(rows, row, "task_count", 1);
	to->oom_kills = real(rows, row, "oom_kills", 1);
	to->input = real(rows, row, "input_bytes", 1);
	to->throttled = real(rows, row, "throttled_usec", 1e6);
	to->cpu_some = real(rows, row, "cpu_some_usec", 1e6);
	to->memory_full = real(rows, row, "memory_full_usec", 1e6);
	to->io_full = real(rows, row, "io_full_usec", 1e6);
	to->read_bytes = real(rows, row, "read_bytes", 1);
	to->written_bytes = real(rows, row, "written_bytes", 1);
}

int sw_step_summaries_add(struct sw_step_summaries *rows,
			  struct sw_reader *reader, const char *path,
			  size_t *unnamed)
{
	struct sw_series series =
		sw_series_open(reader, "step_summaries", SW_ALL_STEPS);
	size_t i, count = sw_series_rows(&series);
	struct sw_step_summary *to;

	for (i = 0; i < count; i++) {
		if (sw_grow(&rows->items, rows->count, sizeof(*to)) < 0)
			return -1;
		to = &rows->items[rows->count];
		fill(to, &series, i);
		sw_digests_node(path, to->node, sizeof(to->node));
		if (sw_is_missing(to->job.job_id) || !to->step[0] ||
		    isnan(to->start))
			(*unnamed)++;
		else
			rows->count++;
	}
	return 0;
}

void sw_step_summaries_fini(struct sw_step_summaries *rows)
{
	free(rows->items);
	*rows = (struct sw_step_summaries){ 0 };
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

int sw_step_summary_compare_jobs(const struct sw_step_summary *one,
			const struct sw_step_summary *two)
{
	struct sw_jobid first = sw_job_key_id(&one->job);
	struct sw_jobid second = sw_job_key_id(&two->job);
	int order = strcmp(one->cluster, two->cluster);

	if (!order)
		order = sw_jobid_compare(&first, &second);
	return order ? order :
	       compare_u64(sw_step_summary_restarts(one),
				      sw_step_summary_restarts(two));
}

static int compare_steps(const void *a, const void *b)
{
	const struct sw_step_summary *one = a, *two = b;
	int order = sw_step_summary_compare_jobs(one, two);

	if (!order)
		order = sw_stepid_compare(one->step, two->step);
	if (!order)
		order = strcmp(one->node, two->node);
	if (!order)
		order = (one->start > two->start) - (one->start < two->start);
	return order ? order : one->is_correction - two->is_correction;
}

static bool is_same_step(const struct sw_step_summary *one,
			 const struct sw_step_summary *two)
{
	return !strcmp(one->step, two->step) && !sw_step_summary_compare_jobs(one, two);
}

/* The same rows come again where a file was named twice. */
static size_t drop_copies(struct sw_step_summary *rows, size_t count)
{
	size_t i, kept = 0;

	qsort(rows, count, sizeof(*rows), compare_steps);
	for (i = 0; i < count; i++) {
		if (kept && rows[i].is_correction &&
		    is_same_step(&rows[kept - 1], &rows[i]) &&
		    !strcmp(rows[kept - 1].node, rows[i].node)) {
			rows[kept - 1].wait_status = rows[i].wait_status;
			continue;
		}
		if (kept && !compare_steps(&rows[kept - 1], &rows[i]))
			continue;
		rows[kept++] = rows[i];
	}
	return kept;
}

void sw_step_summaries_settle(struct sw_step_summaries *rows)
{
	if (rows->count)
		rows->count = drop_copies(rows->items, rows->count);
}

size_t sw_step_summaries_of_job(const struct sw_step_summary *rows,
				size_t count)
{
	size_t next = count > 0;

	while (next < count &&
	       !sw_step_summary_compare_jobs(&rows[0], &rows[next]))
		next++;
	return next;
}

size_t sw_step_summaries_of_step(const struct sw_step_summary *rows,
				 size_t count)
{
	size_t next = count > 0;

	while (next < count && is_same_step(&rows[0], &rows[next]))
		next++;
	return next;
}
