/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a view's computation, for view*.c and for sums of views. */
#ifndef SW_ANALYZER_VIEW_INTERNAL_H
#define SW_ANALYZER_VIEW_INTERNAL_H

#include "analyzer/view/fields.h"
#include "analyzer/view/view.h"

/* The parts of which there is one in a view, with their fields. */
struct sw_view_part {
	const struct sw_field *fields;	/* NULL: the last */
	size_t offset;
};
extern const struct sw_view_part sw_view_parts[];

/* Empty, and no more is known. */
void sw_view_clear(struct sw_view *view);

/* What every part needs: the file, the step, and its row in "summary". */
struct sw_view_parts {
	const struct sw_reader *reader;
	uint64_t step_key;
	struct sw_series steps, summary;	/* tables with a row per step */
	struct sw_series cpu, memory, io, pressure, proc;
	struct sw_series tasks;
};

/* Each fills its part of *view; 0, or -1 with errno ENOMEM. */
int sw_view_fill_cpu(struct sw_view *view, const struct sw_view_parts *parts);
int sw_view_fill_memory(struct sw_view *view,
			const struct sw_view_parts *parts);
int sw_view_fill_io(struct sw_view *view, const struct sw_view_parts *parts);
int sw_view_fill_node(struct sw_view *view, const struct sw_view_parts *parts);
/* After CPU. */
void sw_view_fill_workers(struct sw_view *view,
			  const struct sw_view_parts *parts);
/* After CPU, workers, waits, GPUs, placement, and the node. */
int sw_view_fill_limits(struct sw_view *view,
			const struct sw_view_parts *parts);
int sw_view_fill_waits(struct sw_view *view,
		       const struct sw_view_parts *parts);
int sw_view_fill_programs(struct sw_view *view,
			  const struct sw_view_parts *parts);
/* Of the programs, after the events. */
int sw_view_find_victims(struct sw_view *view);

int sw_view_fill_elsewhere(struct sw_view *view,
			   const struct sw_view_parts *parts);
int sw_view_fill_tasks(struct sw_view *view,
		       const struct sw_view_parts *parts);
/* After the tasks. */
int sw_view_fill_counters(struct sw_view *view,
			  const struct sw_view_parts *parts);
void sw_view_fill_chosen(struct sw_view *view,
			 const struct sw_view_parts *parts);

/*
 * The node's GPUs over the view's time, and what the step, or all steps, did
 * with them.
 */
void sw_view_fill_given(struct sw_view *view,
			const struct sw_view_parts *parts);
int sw_view_fill_gpus(struct sw_view *view, uint64_t step_key);
int sw_view_gather_gpus(struct sw_view *total,
			const struct sw_view *const *view, size_t count);
void sw_view_free_gpus(struct sw_view *view);

/*
 * CPU time and memory peak as the tasks' cgroups counted them: in all, as far
 * as it is known, or of the largest task.
 */
uint64_t sw_view_tasks_cpu(const struct sw_view *view);
uint64_t sw_view_tasks_peak(const struct sw_view *view, bool is_sum);

int sw_view_fill_events(struct sw_view *view,
			const struct sw_view_parts *parts);
int sw_view_fill_hangs(struct sw_view *view,
		       const struct sw_view_parts *parts);
int sw_view_fill_pipes(struct sw_view *view,
		       const struct sw_view_parts *parts);

/* Largest mean of a curve over any stretch of at least half a second; NAN. */
double sw_view_widest_peak(const struct sw_curve *curve);

/*
 * The widest peak of busy CPUs; NAN: samples saw less than the mean, so that
 * most of the work was where they did not see it.
 */
double sw_view_peak_cores(const struct sw_curve *curve, double mean_cores);

/*
 * What the node did while the view's time went on, for a view that has reader,
 * times and CPU.
 */
int sw_view_fill_surroundings(struct sw_view *view);
void sw_view_node_fini(struct sw_view_node *node);

/* A row of a table, and what it is about. */
struct sw_view_row {
	uint64_t key;
	size_t row;
};

/* By key, then by row; of each key the last one alone, and how many. */
void sw_view_sort_rows(struct sw_view_row *rows, size_t count);
size_t sw_view_last_rows(struct sw_view_row *rows, size_t count);

void sw_view_sort_programs(struct sw_view *view);
void sw_view_sort_events(struct sw_view *view);	/* by time */

#endif
