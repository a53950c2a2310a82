/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of a view: the ranks of a Slurm step on this node. */
#include <math.h>
#include <stdio.h>
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

/* A table with a row per task and sample, and the tasks of its subjects. */
struct samples {
	const struct sw_view *view;
	struct sw_series series, names;
	const uint64_t *subject;
	const char *source;
	/*
	 * Task of each subject, or NULL: a recorder that takes over from
	 * another renumbers the remaining tasks.
	 */
	struct sw_view_task *task[SUBJECTS_MAX];
	size_t next;		/* row of names, and its time */
	uint64_t next_usec;
};

/* Return the subject that a row names, and its task; SW_MISSING if none. */
static uint64_t named(const struct samples *samples, size_t row,
		      struct sw_view_task **task)
{
	const struct sw_series *names = &samples->names;
	const char *source = sw_series_text(names, row, "source");
	const char *name = sw_series_text(names, row, "name");
	uint64_t subject = sw_series_at(names, row, "subject");

	if (!source || strcmp(source, samples->source) != 0 ||
	    subject >= SUBJECTS_MAX || !name || name[0] < '0' || name[0] > '9')
		return SW_MISSING;
	*task = find(samples->view, strtoull(name, NULL, 10));
	return subject;
}

static void go_to_name(struct samples *samples, size_t row)
{
	samples->next = row;
	samples->next_usec = sw_series_at(&samples->names, row, "time_usec");
}

/* The first name of a subject also applies to earlier rows. */
static void open_samples(struct samples *samples, const struct sw_view *view,
			 const char *source)
{
	bool is_named[SUBJECTS_MAX] = { false };
	char table[32];
	struct sw_view_task *task;
	uint64_t subject;
	size_t row;

	memset(samples, 0, sizeof(*samples));
	samples->view = view;
	snprintf(table, sizeof(table), "series.%s", source);
	samples->series = sw_series_open(view->reader, table, view->step_key);
	samples->subject = sw_series_numbers(&samples->series, "subject");
	samples->names = sw_series_open(view->reader, "subjects",
					view->step_key);
	samples->source = source;
	for (row = 0; row < sw_series_rows(&samples->names); row++) {
		subject = named(samples, row, &task);
		if (sw_is_missing(subject) || is_named[subject])
			continue;
		is_named[subject] = true;
		samples->task[subject] = task;
	}
	go_to_name(samples, 0);
}

/* Task of a row, or NULL; call in the order of rows. */
static struct sw_view_task *task_at(struct samples *samples, size_t row)
{
	const struct sw_series *series = &samples->series;
	uint64_t subject = sw_series_cell(series, samples->subject, row);
	struct sw_view_task *task;

	if (subject >= SUBJECTS_MAX)
		return NULL;
	while (samples->next < sw_series_rows(&samples->names) &&
	       samples->next_usec <=
		       sw_series_cell(series, series->time_usec, row)) {
		uint64_t renamed = named(samples, samples->next, &task);

		if (!sw_is_missing(renamed))
			samples->task[renamed] = task;
		go_to_name(samples, samples->next + 1);
	}
	return samples->task[subject];
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
static void add_cpu(const struct sw_view *view)
{
	struct sw_view_task *task;
	struct samples samples;
	const uint64_t *usec;
	size_t row;

	open_samples(&samples, view, "task");
	usec = sw_series_numbers(&samples.series, "cpu_usec");
	for (row = 0; usec && row < sw_series_rows(&samples.series); row++) {
		task = task_at(&samples, row);
		if (!task || sw_is_missing(usec[row]))
			continue;
		if (!task->has_own_cpu && has_own_cgroup(task) &&
		    !sw_is_missing(task->cpu_usec))
			continue;
		if (!task->has_own_cpu)
			task->cpu_usec = task->user_usec = task->system_usec =
				SW_MISSING;
		task->has_own_cpu = true;
		task->cpu_usec = sw_max_u64(task->cpu_usec, usec[row]);
	}
}

/* Likewise for memory: watermarks of its cgroup only grow. */
static void add_memory(const struct sw_view *view)
{
	const uint64_t *peak, *current;
	struct sw_view_task *task;
	struct samples samples;
	size_t row;

	open_samples(&samples, view, "task_memory");
	peak = sw_series_numbers(&samples.series, "memory.peak");
	current = sw_series_numbers(&samples.series, "memory.current");
	for (row = 0; row < sw_series_rows(&samples.series); row++) {
		task = task_at(&samples, row);
		if (!task)
			continue;
		task->memory_peak_bytes = sw_max_u64(task->memory_peak_bytes,
			sw_max_u64(sw_series_cell(&samples.series, peak, row),
				   sw_series_cell(&samples.series, current,
						  row)));
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
	add_cpu(view);
	add_memory(view);
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
	const struct sw_view_task *task;	/* NULL: none */
	uint64_t time_usec, cpu_usec;
};

static void add_looks(const struct grid *grid, const struct sw_view *view)
{
	struct look last[SUBJECTS_MAX] = { { .task = NULL } };
	const uint64_t *usec, *time;
	struct samples samples;
	size_t row;

	open_samples(&samples, view, "task");
	usec = sw_series_numbers(&samples.series, "cpu_usec");
	time = samples.series.time_usec;
	for (row = 0; usec && time && row < sw_series_rows(&samples.series);
	     row++) {
		const struct sw_view_task *task = task_at(&samples, row);
		uint64_t subject = sw_series_cell(&samples.series,
						  samples.subject, row);
		struct look *look;

		if (subject >= SUBJECTS_MAX || sw_is_missing(usec[row]) ||
		    sw_is_missing(time[row]))
			continue;
		look = &last[subject];
		if (task && look->task == task && usec[row] >= look->cpu_usec)
			spread_cpu(grid, (size_t)(task - view->tasks),
				   look->time_usec, time[row],
				   usec[row] - look->cpu_usec);
		*look = (struct look){ task, time[row], usec[row] };
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
