/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of a view: the ranks of a Slurm step on this node. */
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

/*
 * Rank of each subject of a source at a time: a recorder that takes over from
 * another renumbers the remaining tasks.
 */
struct ranks {
	struct sw_series names;
	const char *source;
	size_t next;		/* row of names */
	uint64_t of[SUBJECTS_MAX];
};

/* Return the subject that a row names, and its rank; SW_MISSING if none. */
static uint64_t named(const struct ranks *ranks, size_t row, uint64_t *rank)
{
	const char *source = sw_series_text(&ranks->names, row, "source");
	const char *name = sw_series_text(&ranks->names, row, "name");
	uint64_t subject = sw_series_at(&ranks->names, row, "subject");

	if (!source || strcmp(source, ranks->source) != 0 ||
	    subject >= SUBJECTS_MAX || !name || name[0] < '0' || name[0] > '9')
		return SW_MISSING;
	*rank = strtoull(name, NULL, 10);
	return subject;
}

/* The first name of a subject also applies to earlier rows. */
static void open_ranks(struct ranks *ranks, const struct sw_view_parts *parts,
		       const char *source)
{
	uint64_t subject, rank;
	size_t row;

	ranks->names = sw_series_open(parts->reader, "subjects",
				      parts->step_key);
	ranks->source = source;
	ranks->next = 0;
	sw_set_missing(ranks->of, SUBJECTS_MAX);
	for (row = 0; row < sw_series_rows(&ranks->names); row++) {
		subject = named(ranks, row, &rank);
		if (!sw_is_missing(subject) &&
		    sw_is_missing(ranks->of[subject]))
			ranks->of[subject] = rank;
	}
}

/* Rank of the subject in a row; call in the order of rows. */
static uint64_t rank_at(struct ranks *ranks, const struct sw_series *series,
			size_t row)
{
	uint64_t now = sw_series_at(series, row, "time_usec");
	uint64_t subject, rank;

	for (; ranks->next < sw_series_rows(&ranks->names); ranks->next++) {
		if (sw_series_at(&ranks->names, ranks->next, "time_usec") > now)
			break;
		subject = named(ranks, ranks->next, &rank);
		if (!sw_is_missing(subject))
			ranks->of[subject] = rank;
	}
	subject = sw_series_at(series, row, "subject");
	return subject < SUBJECTS_MAX ? ranks->of[subject] : SW_MISSING;
}

/* With several tasks in a cgroup, each read the counters of all. */
static bool has_own_cgroup(const struct sw_view_task *task)
{
	return task->cgroup_kind && !strcmp(task->cgroup_kind, "task");
}

/*
 * Use samples of its processes for a task whose cgroup has no CPU time of its
 * own: it still runs, its end was not read, or the cgroup is shared.
 */
static void add_cpu(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_series looks = sw_series_open(parts->reader, "series.task",
						parts->step_key);
	struct sw_view_task *task;
	struct ranks ranks;
	uint64_t usec;
	size_t row;

	open_ranks(&ranks, parts, "task");
	for (row = 0; row < sw_series_rows(&looks); row++) {
		usec = sw_series_at(&looks, row, "cpu_usec");
		task = find(view, rank_at(&ranks, &looks, row));
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

/* Likewise for memory: watermarks of its cgroup only grow. */
static void add_memory(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_series memory = sw_series_open(
		parts->reader, "series.task_memory", parts->step_key);
	struct sw_view_task *task;
	struct ranks ranks;
	size_t row;

	open_ranks(&ranks, parts, "task_memory");
	for (row = 0; row < sw_series_rows(&memory); row++) {
		task = find(view, rank_at(&ranks, &memory, row));
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
	/* A row at a task's start and one at its end: use the last one. */
	view->task_count = sw_view_last_rows(rows, used);
	if (view->task_count > SW_VIEW_TASKS_MAX)
		view->task_count = SW_VIEW_TASKS_MAX;
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

/* CPU time summed over time, and how much of the time was sampled. */
struct grid {
	uint64_t start_usec, end_usec;
	size_t columns;
	double *cpu_usec, *seen_usec;
};

/* Spread the CPU time between two samples of a task evenly. */
static void spread_cpu(const struct grid *grid, size_t task, uint64_t from,
		       uint64_t to, uint64_t cpu_usec)
{
	double width = (double)(grid->end_usec - grid->start_usec) /
		       (double)grid->columns;
	size_t column;

	if (from < grid->start_usec || to > grid->end_usec || from >= to)
		return;
	column = sw_whole_real((double)(from - grid->start_usec) / width);
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

/* Last row of a subject. */
struct look {
	uint64_t rank, time_usec, cpu_usec;
};

static void add_looks(const struct grid *grid, const struct sw_view *view)
{
	const struct sw_view_parts parts = { .reader = view->reader,
					     .step_key = view->step_key };
	struct sw_series looks = sw_series_open(view->reader, "series.task",
						view->step_key);
	struct look last[SUBJECTS_MAX], now;
	struct sw_view_task *task;
	struct ranks ranks;
	uint64_t subject;
	size_t row;

	open_ranks(&ranks, &parts, "task");
	for (row = 0; row < SUBJECTS_MAX; row++)
		last[row].rank = SW_MISSING;
	for (row = 0; row < sw_series_rows(&looks); row++) {
		subject = sw_series_at(&looks, row, "subject");
		now.cpu_usec = sw_series_at(&looks, row, "cpu_usec");
		now.time_usec = sw_series_at(&looks, row, "time_usec");
		if (subject >= SUBJECTS_MAX || sw_is_missing(now.cpu_usec) ||
		    sw_is_missing(now.time_usec))
			continue;
		now.rank = rank_at(&ranks, &looks, row);
		task = find(view, now.rank);
		if (task && last[subject].rank == now.rank &&
		    now.cpu_usec >= last[subject].cpu_usec)
			spread_cpu(grid, (size_t)(task - view->tasks),
				   last[subject].time_usec, now.time_usec,
				   now.cpu_usec - last[subject].cpu_usec);
		last[subject] = now;
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
