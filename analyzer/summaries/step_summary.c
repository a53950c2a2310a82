/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and sort the rows of nodes' days. */
#include "analyzer/summaries/step_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

static double real(const struct sw_step_row *row, enum sw_step_number number,
		   double unit)
{
	return sw_real_u64(row->n[number]) / unit;
}

static struct sw_job_key key_of(const struct sw_step_row *row)
{
	return (struct sw_job_key){
		.job_id = row->n[SW_STEP_JOB_ID],
		.array_job_id = row->n[SW_STEP_ARRAY_JOB_ID],
		.array_task_id = row->n[SW_STEP_ARRAY_TASK_ID],
		.het_job_id = row->n[SW_STEP_HET_JOB_ID],
		.het_component = row->n[SW_STEP_HET_COMPONENT],
		.restart_count = row->n[SW_STEP_RESTARTS],
		.uid = row->n[SW_STEP_UID],
	};
}

void sw_step_summary_of(struct sw_step_summary *to,
			const struct sw_step_row *row,
			const struct sw_texts *texts)
{
	size_t i;

	*to = (struct sw_step_summary){
		.cluster = sw_texts_at(texts, row->cluster),
		.name = sw_texts_at(texts, row->name),
		.node = sw_texts_at(texts, row->node),
		.step = sw_texts_at(texts, row->step),
		.job = key_of(row),
		.is_correction = row->is_correction,
		.wait_status = row->n[SW_STEP_WAIT_STATUS],
		.start = real(row, SW_STEP_START_USEC, 1e6),
		.end = real(row, SW_STEP_END_USEC, 1e6),
		/* Advice does not go below mapped files, either. */
		.need = fmax(real(row, SW_STEP_NEED_BYTES, 1),
			     real(row, SW_STEP_FLOOR_BYTES, 1)),
		.requested_bytes = real(row, SW_STEP_REQUESTED_BYTES, 1),
		.requested_cores =
			real(row, SW_STEP_REQUESTED_CPUS_MILLI, 1000),
		.used = real(row, SW_STEP_USAGE_USEC, 1e6),
		.peak_cores = real(row, SW_STEP_PEAK_CORES_MILLI, 1000),
		.tasks = real(row, SW_STEP_TASKS, 1),
		.oom_kills = real(row, SW_STEP_OOM_KILLS, 1),
		.input = real(row, SW_STEP_INPUT_BYTES, 1),
		.throttled = real(row, SW_STEP_THROTTLED_USEC, 1e6),
		.cpu_some = real(row, SW_STEP_CPU_SOME_USEC, 1e6),
		.memory_full = real(row, SW_STEP_MEMORY_FULL_USEC, 1e6),
		.io_full = real(row, SW_STEP_IO_FULL_USEC, 1e6),
		.read_bytes = real(row, SW_STEP_READ_BYTES, 1),
		.written_bytes = real(row, SW_STEP_WRITTEN_BYTES, 1),
		.gpu_seen = real(row, SW_STEP_GPU_SEEN_USEC, 1e6),
		.gpu_busy = real(row, SW_STEP_GPU_BUSY_USEC, 1e6),
		.stall_idle = real(row, SW_STEP_STALL_IDLE_USEC, 1e6),
		.disk_rate = real(row, SW_STEP_DISK_BYTES_PER_SEC, 1),
		.net_rate = real(row, SW_STEP_NET_BYTES_PER_SEC, 1),
	};
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		to->limited[i] = real(row, (enum sw_step_number)(
					   SW_STEP_LIMITED_CPU_USEC + i), 1e6);
	for (i = 0; i < SW_STEP_TEXTS; i++)
		to->text[i] = sw_texts_at(texts, row->text[i]);
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
		.texts = &rows->texts, .has_names = true,
		.take = take, .context = rows,
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
