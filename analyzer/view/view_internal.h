/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a view's computation, for view*.c and for sums of views. */
#ifndef SW_ANALYZER_VIEW_INTERNAL_H
#define SW_ANALYZER_VIEW_INTERNAL_H

#include "analyzer/view/fields.h"
#include "analyzer/view/view.h"

/* Members that a view has once, with their fields. */
struct sw_view_part {
	const struct sw_field *fields;	/* NULL at the end */
	size_t offset;
};
extern const struct sw_view_part sw_view_parts[];

/* Set everything to unknown. */
void sw_view_clear(struct sw_view *view);

/* Input of every part: the file, the step, and its row in "summary". */
struct sw_view_parts {
	const struct sw_reader *reader;
	uint64_t step_key;
	struct sw_series steps, summary;	/* one row per step */
	struct sw_series cpu, memory, io, pressure, proc;
	struct sw_series tasks;
};

/* Each fills its part of *view.  Return 0, or -1 with errno ENOMEM. */
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
/* Uses programs and events. */
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
 * GPUs of the node over the view's time, and their use by the step, or by all
 * steps.
 */
void sw_view_fill_given(struct sw_view *view,
			const struct sw_view_parts *parts);
int sw_view_fill_gpus(struct sw_view *view, uint64_t step_key);
int sw_view_gather_gpus(struct sw_view *total,
			const struct sw_view *const *view, size_t count);
void sw_view_free_gpus(struct sw_view *view);

/*
 * CPU time and memory peak of the tasks' cgroups: the sum as far as known, or
 * the largest.
 */
uint64_t sw_view_tasks_cpu(const struct sw_view *view);
uint64_t sw_view_tasks_peak(const struct sw_view *view, bool is_sum);

int sw_view_fill_events(struct sw_view *view,
			const struct sw_view_parts *parts);
int sw_view_fill_hangs(struct sw_view *view,
		       const struct sw_view_parts *parts);
int sw_view_fill_pipes(struct sw_view *view,
		       const struct sw_view_parts *parts);

/* Largest mean of a curve over any interval of half a second or more; NAN. */
double sw_view_widest_peak(const struct sw_curve *curve);

/*
 * Return the widest peak of busy CPUs; NAN if samples saw less than the mean:
 * then most of the work was done where they did not look.
 */
double sw_view_peak_cores(const struct sw_curve *curve, double mean_cores);

/*
 * Fill the activity of the node during the view's time; needs the view's
 * reader, times and CPU.
 */
int sw_view_fill_surroundings(struct sw_view *view);
void sw_view_node_fini(struct sw_view_node *node);

/* A row of a table, and its key. */
struct sw_view_row {
	uint64_t key;
	size_t row;
};

/* Sort by key, then by row.  Keep the last row of each key; return how many. */
void sw_view_sort_rows(struct sw_view_row *rows, size_t count);
size_t sw_view_last_rows(struct sw_view_row *rows, size_t count);

void sw_view_sort_programs(struct sw_view *view);
void sw_view_sort_events(struct sw_view *view);	/* by time */

#endif
