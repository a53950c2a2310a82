/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and sort the rows of nodes' days. */
#include "analyzer/summaries/step_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

static double real(uint64_t number, double unit)
{
	return sw_real_u64(number) / unit;
}

static struct sw_job_key key_of(const struct sw_step_row *row)
{
	return (struct sw_job_key){
		.job_id = row->job_id,
		.array_job_id = row->array_job_id,
		.array_task_id = row->array_task_id,
		.het_job_id = row->het_job_id,
		.het_component = row->het_component,
		.restart_count = row->restart_count,
		.uid = row->uid,
	};
}

void sw_step_summary_of(struct sw_step_summary *to,
			const struct sw_step_row *row,
			const struct sw_texts *texts)
{
	size_t i;

	*to = (struct sw_step_summary){
		.cluster = sw_texts_at(texts, row->cluster),
		.name = sw_texts_at(texts, row->job_name),
		.node = sw_texts_at(texts, row->node),
		.step = sw_texts_at(texts, row->step_id),
		.stall_fs = sw_texts_at(texts, row->stall_fs),
		.stall_mount = sw_texts_at(texts, row->stall_mount),
		.failed_program = sw_texts_at(texts, row->failed_program),
		.failed_cause = sw_texts_at(texts, row->failed_cause),
		.job = key_of(row),
		.is_correction = row->is_correction,
		.wait_status = row->wait_status,
		.start = real(row->start_realtime_usec, 1e6),
		.end = real(row->end_realtime_usec, 1e6),
		.need_low = real(row->need_bytes, 1),
		/* Advice does not go below mapped files, either. */
		.need = fmax(real(row->need_bytes, 1),
			     real(row->floor_bytes, 1)),
		.requested_bytes = real(row->requested_memory_bytes, 1),
		.requested_cores =
			real(row->requested_cpus_milli, 1000),
		.used = real(row->usage_usec, 1e6),
		.peak_cores = real(row->peak_cores_milli, 1000),
		.tasks = real(row->task_count, 1),
		.oom_kills = real(row->oom_kills, 1),
		.input = real(row->input_bytes, 1),
		.throttled = real(row->throttled_usec, 1e6),
		.cpu_some = real(row->cpu_some_usec, 1e6),
		.memory_full = real(row->memory_full_usec, 1e6),
		.io_full = real(row->io_full_usec, 1e6),
		.read_bytes = real(row->read_bytes, 1),
		.written_bytes = real(row->written_bytes, 1),
		.gpu_seen = real(row->gpu_seen_usec, 1e6),
		.gpu_busy = real(row->gpu_busy_usec, 1e6),
		.stall_idle = real(row->stall_idle_usec, 1e6),
		.disk_rate = real(row->disk_bytes_per_sec, 1),
		.net_rate = real(row->net_bytes_per_sec, 1),
	};
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		to->limited[i] = real(row->limited_usec[i], 1e6);
}

static int take(void *context, const struct sw_step_row *row)
{
	struct sw_step_summaries *rows = context;

	if (sw_grow(&rows->items, rows->count, sizeof(*rows->items)) < 0)
		return -1;
	sw_step_summary_of(&rows->items[rows->count++], row, &rows->texts);
	return 0;
}

int sw_step_summaries_add(struct sw_step_summaries *rows,
			  struct sw_reader *reader, const char *path,
			  size_t *unnamed)
{
	const struct sw_step_rows_taker taker = {
		.texts = &rows->texts, .take = take, .context = rows,
	};

	return sw_step_rows_read(&taker, reader, path, unnamed);
}

void sw_step_summaries_fini(struct sw_step_summaries *rows)
{
	free(rows->items);
	sw_texts_fini(&rows->texts);
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

static int compare_reals(double a, double b)
{
	return (a > b) - (a < b);
}

/* Sort the more complete of two rows of a step first. */
static int compare_rows(const void *a, const void *b)
{
	const struct sw_step_summary *one = a, *two = b;
	int order = compare_steps(one, two);

	if (!order)
		order = compare_reals(two->end, one->end);
	return order ? order : compare_reals(two->used, one->used);
}

/* Rows are duplicated if a file is named twice. */
size_t sw_step_summaries_order(struct sw_step_summary *rows, size_t count)
{
	size_t i, kept = 0;

	if (count > 1)
		qsort(rows, count, sizeof(*rows), compare_rows);
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
		rows->count = sw_step_summaries_order(rows->items,
						      rows->count);
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
