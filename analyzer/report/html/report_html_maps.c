/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps of the HTML report, of all nodes and of all tasks.  They show idle or
 * late ones at a glance.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/html/svg.h"
#include "analyzer/report/html/report_html.h"
#include "common/text.h"
#include "common/units.h"

enum {
	COLUMNS_MAX = 120,
	CELLS_MAX = 6000,	/* 60 KB if each differs from its neighbor */
	TASKS_MAX = 8192,	/* more need too much memory */
	NAME_SIZE = 80,
};

/* Rows over time; if there are many, a row is the mean of several. */
struct grid {
	double *cells;
	char (*names)[NAME_SIZE];
	size_t rows, columns;
	size_t per_row;		/* after grid_fold() */
};

static int grid_init(struct grid *grid, size_t rows)
{
	size_t shown = rows < SW_SVG_MAP_ROWS_MAX ? rows : SW_SVG_MAP_ROWS_MAX;
	size_t i;

	grid->rows = rows;
	grid->columns = CELLS_MAX / shown < COLUMNS_MAX ? CELLS_MAX / shown :
							  COLUMNS_MAX;
	grid->per_row = 1;
	grid->cells = calloc(rows * grid->columns, sizeof(*grid->cells));
	grid->names = calloc(rows, sizeof(*grid->names));
	if (!grid->cells || !grid->names)
		return -1;
	for (i = 0; i < rows * grid->columns; i++)
		grid->cells[i] = NAN;
	return 0;
}

static void grid_fini(struct grid *grid)
{
	free(grid->cells);
	free(grid->names);
}

static double *row_of(const struct grid *grid, size_t row)
{
	return &grid->cells[row * grid->columns];
}

/* Mean of per_row rows from this one on, without missing values. */
static double mean_of(const struct grid *grid, size_t row, size_t column)
{
	double sum = 0;
	size_t i, count = 0;

	for (i = row; i < row + grid->per_row && i < grid->rows; i++) {
		double value = row_of(grid, i)[column];

		if (isnan(value))
			continue;
		sum += value;
		count++;
	}
	return count ? sum / (double)count : NAN;
}

static void grid_fold(struct grid *grid)
{
	size_t row, to = 0, column;

	grid->per_row = (grid->rows + SW_SVG_MAP_ROWS_MAX - 1) /
			SW_SVG_MAP_ROWS_MAX;
	/* In place: rows are written in front of those yet to be read. */
	for (row = 0; row < grid->rows; row += grid->per_row, to++) {
		for (column = 0; column < grid->columns; column++)
			row_of(grid, to)[column] = mean_of(grid, row, column);
		if (to != row)
			memcpy(grid->names[to], grid->names[row], NAME_SIZE);
	}
	grid->rows = to;
}

/* what: kind of the rows, e.g. "nodes"; length_usec: width in time. */
static void write_grid(const struct sw_page *page, struct grid *grid,
		       const char *title, const char *what,
		       const char *text, uint64_t length_usec)
{
	const char *names[SW_SVG_MAP_ROWS_MAX];
	char words[512];
	size_t i;

	grid_fold(grid);
	for (i = 0; i < grid->rows; i++)
		names[i] = grid->names[i];
	snprintf(words, sizeof(words), "%s; hatched where nothing was seen",
		 text);
	if (grid->per_row > 1)
		sw_text_add(words, sizeof(words), "; each row is the mean of "
			    "%zu %s", grid->per_row, what);
	sw_svg_map(page->html, &(struct sw_svg_words){ title, words },
		   &(struct sw_svg_map){ grid->cells, grid->rows,
					 grid->columns, names,
					 { "0", sw_duration_text(length_usec).s,
					   (double)length_usec /
						   SW_USEC_PER_SEC } });
}

/* Nodes share real time; the curve has the node's time since boot. */
static void fill_node(const struct grid *grid, size_t row,
		      const struct sw_view *total, const struct sw_view *node)
{
	/* Wrapping is fine: the curve has no values before its start. */
	uint64_t start = node->start_usec +
			 (total->start_realtime_usec -
			  node->start_realtime_usec);
	uint64_t length = total->elapsed_usec;
	size_t i, count = grid->columns;

	for (i = 0; i < count; i++)
		row_of(grid, row)[i] = sw_curve_mean(&node->cores,
			sw_part_start(start, length, i, count),
			sw_part_start(start, length, i + 1, count)) /
			node->cpu.allocated_cores;
	snprintf(grid->names[row], NAME_SIZE, "%.*s", NAME_SIZE - 1,
		 node->node ? node->node : "?");
}

static bool has_times(const struct sw_view *view)
{
	return !sw_is_missing(view->start_usec) &&
	       !sw_is_missing(view->elapsed_usec) && view->elapsed_usec &&
	       !sw_is_missing(view->start_realtime_usec);
}

static void write_nodes(const struct sw_page *page, const struct sw_job *job)
{
	struct grid grid;
	size_t i;

	if (job->node_count < 2 || !has_times(&job->total))
		return;
	if (grid_init(&grid, job->node_count) == 0) {
		for (i = 0; i < job->node_count; i++)
			fill_node(&grid, i, &job->total, &job->nodes[i].total);
		write_grid(page, &grid, "Were all nodes alike?", "nodes",
			   "CPUs in use on each node, of those it had there",
			   job->total.elapsed_usec);
	}
	grid_fini(&grid);
}

static int compare_rank(const void *key, const void *item)
{
	const uint64_t *rank = key;
	const struct sw_job_task *task = item;

	return *rank < task->task->rank ? -1 : *rank > task->task->rank;
}

/* Fill the tasks of one node, each into the row of its rank. */
static void fill_tasks(const struct grid *grid, const struct sw_view *step,
		       const struct sw_view *node,
		       const struct sw_job_task *tasks)
{
	const size_t row_size = grid->columns * sizeof(*grid->cells);
	double *cpus = calloc(node->task_count + 1, row_size);
	uint64_t start = node->start_usec + (step->start_realtime_usec -
					     node->start_realtime_usec);
	const struct sw_job_task *task;
	size_t i;

	if (cpus && sw_view_tasks_over(node, start, start + step->elapsed_usec,
				       grid->columns, cpus) == 0) {
		for (i = 0; i < node->task_count; i++) {
			task = bsearch(&node->tasks[i].rank, tasks, grid->rows,
				       sizeof(*tasks), compare_rank);
			if (task)
				memcpy(row_of(grid, (size_t)(task - tasks)),
				       &cpus[i * grid->columns], row_size);
		}
	}
	free(cpus);
}

/* Scale CPUs to shares of the largest value; return it, NAN without data. */
static double scale_to_most(const struct grid *grid)
{
	size_t i, count = grid->rows * grid->columns;
	double most = NAN;

	for (i = 0; i < count; i++)
		most = fmax(most, grid->cells[i]);
	for (i = 0; i < count; i++)
		grid->cells[i] /= most;
	return most > 0 ? most : NAN;
}

/* The step with most CPU time among those with several tasks. */
static const struct sw_job_step *find_step(const struct sw_job *job)
{
	const struct sw_job_step *most = NULL, *step;
	size_t i, j, tasks;

	for (i = 0; i < job->step_count; i++) {
		step = &job->steps[i];
		for (tasks = 0, j = 0; j < step->node_count; j++)
			tasks += step->on_nodes[j]->task_count;
		if (tasks > 1 && has_times(&step->view) &&
		    (!most || sw_zero_if_missing(step->view.cpu.used_usec) >
		     sw_zero_if_missing(most->view.cpu.used_usec)))
			most = step;
	}
	return most;
}

static void write_ranks(const struct sw_page *page, struct grid *grid,
			const struct sw_job_step *step,
			const struct sw_job_task *tasks)
{
	char title[96], text[160];
	double most;
	size_t i;

	for (i = 0; i < grid->rows; i++)
		snprintf(grid->names[i], NAME_SIZE, "rank %llu",
			 (unsigned long long)tasks[i].task->rank);
	for (i = 0; i < step->node_count; i++)
		fill_tasks(grid, &step->view, step->on_nodes[i], tasks);
	most = scale_to_most(grid);
	if (isnan(most))
		return;
	snprintf(title, sizeof(title), "Were all tasks of step %.32s alike?",
		 step->view.step_id ? step->view.step_id : "?");
	snprintf(text, sizeof(text), "CPUs that each task used, as a share of "
		 "the largest use by one of them (%.1f CPUs)", most);
	write_grid(page, grid, title, "tasks", text,
		   step->view.elapsed_usec);
}

static void write_tasks(const struct sw_page *page, const struct sw_job *job)
{
	const struct sw_job_step *step = find_step(job);
	struct sw_job_task *tasks;
	struct grid grid;
	size_t count;

	if (!step)
		return;
	tasks = sw_job_tasks(step, &count);
	if (tasks && count > 1 && count <= TASKS_MAX) {
		if (grid_init(&grid, count) == 0)
			write_ranks(page, &grid, step, tasks);
		grid_fini(&grid);
	}
	free(tasks);
}

void sw_report_html_maps(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;

	if (!job)
		return;
	write_nodes(page, job);
	write_tasks(page, job);
}
