/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view's tasks: the ranks of a Slurm step on this node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"

static int compare_rank(const void *key, const void *item)
{
	const uint64_t *rank = key;
	const struct sw_view_task *task = item;

	if (*rank != task->rank)
		return *rank < task->rank ? -1 : 1;
	return 0;
}

static struct sw_view_task *find(const struct sw_view *view, uint64_t rank)
{
	if (!view->task_count)
		return NULL;
	return bsearch(&rank, view->tasks, view->task_count,
		       sizeof(*view->tasks), compare_rank);
}

enum { SUBJECTS_MAX = 256 };

/* The rank that each subject of a source is. */
static void find_ranks(uint64_t *ranks, const struct sw_view_parts *parts,
		       const char *source)
{
	struct sw_series s = sw_series_open(parts->reader, "subjects",
					    parts->step_key);
	const char *text;
	uint64_t subject;
	size_t row;

	sw_set_missing(ranks, SUBJECTS_MAX);
	for (row = 0; row < sw_series_rows(&s); row++) {
		text = sw_series_text(&s, row, "source");
		subject = sw_series_at(&s, row, "subject");
		if (!text || strcmp(text, source) != 0 ||
		    subject >= SUBJECTS_MAX)
			continue;
		text = sw_series_text(&s, row, "name");
		if (text && text[0] >= '0' && text[0] <= '9')
			ranks[subject] = strtoull(text, NULL, 10);
	}
}

/* Several tasks in one cgroup: each read the counters of all of them. */
static bool has_own_cgroup(const struct sw_view_task *task)
{
	return task->cgroup_kind && !strcmp(task->cgroup_kind, "task");
}

/*
 * What looks at its processes saw is a task's CPU time where its cgroup does
 * not tell: it goes on, nobody read its end, or the cgroup is that of others,
 * too.
 */
static void add_cpu(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_series looks = sw_series_open(parts->reader, "series.task",
						parts->step_key);
	uint64_t ranks[SUBJECTS_MAX], subject, usec;
	struct sw_view_task *task;
	size_t row;

	find_ranks(ranks, parts, "task");
	for (row = 0; row < sw_series_rows(&looks); row++) {
		subject = sw_series_at(&looks, row, "subject");
		usec = sw_series_at(&looks, row, "cpu_usec");
		task = subject < SUBJECTS_MAX ? find(view, ranks[subject]) :
						NULL;
		if (!task || sw_is_missing(usec))
			continue;
		if (!task->has_own_cpu && has_own_cgroup(task) &&
		    !sw_is_missing(task->cpu_usec))
			continue;
		if (!task->has_own_cpu)
			task->cpu_usec = task->user_usec = task->system_usec =
				SW_MISSING;
		task->has_own_cpu = true;
		task->cpu_usec = sw_max_u64(task->cpu_usec, usec);
	}
}

/* Likewise its memory: marks of its cgroup only grow. */
static void add_memory(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_series memory = sw_series_open(
		parts->reader, "series.task_memory", parts->step_key);
	uint64_t ranks[SUBJECTS_MAX], subject;
	struct sw_view_task *task;
	size_t row;

	find_ranks(ranks, parts, "task_memory");
	for (row = 0; row < sw_series_rows(&memory); row++) {
		subject = sw_series_at(&memory, row, "subject");
		task = subject < SUBJECTS_MAX ? find(view, ranks[subject]) :
						NULL;
		if (!task)
			continue;
		task->memory_peak_bytes = sw_max_u64(task->memory_peak_bytes,
			sw_max_u64(sw_series_at(&memory, row, "memory.peak"),
				   sw_series_at(&memory, row,
						"memory.current")));
	}
}

int sw_view_fill_tasks(struct sw_view *view, const struct sw_view_parts *parts)
{
	const struct sw_series *series = &parts->tasks;
	size_t i, used = 0, count = sw_series_rows(series);
	struct sw_view_row *rows;

	if (count == 0)
		return 0;
	rows = calloc(count, sizeof(*rows));
	view->tasks = calloc(count, sizeof(*view->tasks));
	if (!rows || !view->tasks) {
		free(rows);
		return -1;
	}
	for (i = 0; i < count; i++) {
		rows[used].key = sw_series_at(series, i, "task");
		rows[used].row = i;
		used += !sw_is_missing(rows[used].key);
	}
	/* One when the task starts, one when it ends: the last one counts. */
	view->task_count = sw_view_last_rows(rows, used);
	for (i = 0; i < view->task_count; i++)
		sw_fields_read(&view->tasks[i], sw_task_fields, series,
			       rows[i].row);
	free(rows);
	add_cpu(view, parts);
	add_memory(view, parts);
	return 0;
}

static uint64_t combine(uint64_t sum, uint64_t value, bool is_sum)
{
	return is_sum ? sw_sum_u64(sum, value) : sw_max_u64(sum, value);
}

uint64_t sw_view_tasks_cpu(const struct sw_view *view)
{
	uint64_t used = SW_MISSING;
	size_t i;

	for (i = 0; i < view->task_count; i++)
		used = combine(used, view->tasks[i].cpu_usec,
			       view->tasks[i].has_own_cpu ||
			       has_own_cgroup(&view->tasks[i]));
	return used;
}

uint64_t sw_view_tasks_peak(const struct sw_view *view, bool is_sum)
{
	uint64_t peak = SW_MISSING;
	size_t i;

	for (i = 0; i < view->task_count; i++)
		peak = combine(peak, view->tasks[i].memory_peak_bytes,
			       is_sum && has_own_cgroup(&view->tasks[i]));
	return peak;
}

/* Where CPU time over time is added up, and how much of the time was seen. */
struct grid {
	uint64_t start_usec, end_usec;
	size_t columns;
	double *cpu_usec, *seen_usec;
};

/* An interval between two looks at a task: its CPU time, spread evenly. */
static void spread_cpu(const struct grid *grid, size_t task, uint64_t from,
		       uint64_t to, uint64_t cpu_usec)
{
	double width = (double)(grid->end_usec - grid->start_usec) /
		       (double)grid->columns;
	size_t column;

	if (from < grid->start_usec || to > grid->end_usec || from >= to)
		return;
	column = (size_t)((double)(from - grid->start_usec) / width);
	for (; column < grid->columns; column++) {
		double left = (double)grid->start_usec +
			      (double)column * width;
		double part = fmin((double)to, left + width) -
			      fmax((double)from, left);
		size_t cell = task * grid->columns + column;

		if (part <= 0)
			break;
		grid->seen_usec[cell] += part;
		grid->cpu_usec[cell] += part * (double)cpu_usec /
					(double)(to - from);
	}
}

static void add_looks(const struct grid *grid, const struct sw_view *view)
{
	const struct sw_view_parts parts = { .reader = view->reader,
					     .step_key = view->step_key };
	struct sw_series looks = sw_series_open(view->reader, "series.task",
						view->step_key);
	uint64_t ranks[SUBJECTS_MAX], at[SUBJECTS_MAX], before[SUBJECTS_MAX];
	size_t row;

	find_ranks(ranks, &parts, "task");
	sw_set_missing(at, SUBJECTS_MAX);
	for (row = 0; row < sw_series_rows(&looks); row++) {
		uint64_t subject = sw_series_at(&looks, row, "subject");
		uint64_t usec = sw_series_at(&looks, row, "cpu_usec");
		uint64_t now = sw_series_at(&looks, row, "time_usec");
		struct sw_view_task *task;

		if (subject >= SUBJECTS_MAX || sw_is_missing(usec) ||
		    sw_is_missing(now))
			continue;
		task = find(view, ranks[subject]);
		if (task && !sw_is_missing(at[subject]) &&
		    usec >= before[subject])
			spread_cpu(grid, (size_t)(task - view->tasks),
				   at[subject], now, usec - before[subject]);
		at[subject] = now;
		before[subject] = usec;
	}
}

int sw_view_tasks_over(const struct sw_view *view, uint64_t start_usec,
		       uint64_t end_usec, size_t columns, double *cpus)
{
	size_t i, count = view->task_count * columns;
	struct grid grid = { start_usec, end_usec, columns, cpus,
			     calloc(count ? count : 1, sizeof(double)) };

	if (!grid.seen_usec)
		return -1;
	for (i = 0; i < count; i++)
		cpus[i] = 0;
	add_looks(&grid, view);
	for (i = 0; i < count; i++)
		cpus[i] = grid.seen_usec[i] > 0 ?
			  cpus[i] / grid.seen_usec[i] : NAN;
	free(grid.seen_usec);
	return 0;
}
