/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add up views. */
#include "analyzer/job/view_sum.h"
#include "analyzer/view/view_demand.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/view_sum_internal.h"
#include "common/delta.h"
#include "common/units.h"

struct parts {
	const struct sw_view *const *view;
	uint64_t *shift_usec;	/* to the clock of the first */
	size_t count;
	enum sw_sum how;
};

static uint64_t shifted(uint64_t usec, uint64_t shift_usec)
{
	/* Wrapping is fine: a shift may be negative. */
	return sw_is_missing(usec) ? usec : usec + shift_usec;
}

/* Nodes boot at different times: align their clocks by real time. */
static uint64_t shift_of(const struct sw_view *view,
			 const struct sw_view *first)
{
	if (sw_is_missing(view->start_usec) ||
	    sw_is_missing(first->start_usec))
		return 0;
	if (sw_is_missing(view->start_realtime_usec) ||
	    sw_is_missing(first->start_realtime_usec))
		return first->start_usec - view->start_usec;
	return (view->start_realtime_usec - view->start_usec) -
	       (first->start_realtime_usec - first->start_usec);
}

static void sum_times(struct sw_view *total, const struct parts *parts)
{
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view *view = parts->view[i];
		uint64_t shift = parts->shift_usec[i];

		total->start_usec = sw_min_u64(total->start_usec,
			shifted(view->start_usec, shift));
		total->end_usec = sw_max_u64(total->end_usec,
			shifted(view->end_usec, shift));
	}
	total->elapsed_usec = sw_delta_u64(total->end_usec,
					   total->start_usec);
	total->start_realtime_usec =
		sw_view_realtime_usec(total, total->start_usec);
}

/* Use the script's end, or else the worst end of a part. */
static void sum_state(struct sw_view *total, const struct parts *parts)
{
	static const int weight[] = {
		[SW_STATE_COMPLETED] = 0, [SW_STATE_UNKNOWN] = 1,
		[SW_STATE_INTERRUPTED] = 2, [SW_STATE_FAILED] = 3,
		[SW_STATE_KILLED] = 4,
	};
	const struct sw_view *worst = NULL;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view *view = parts->view[i];
		const char *id = sw_text(view->step_id);

		if (view->is_state_of_script || !strcmp(id, "batch") ||
		    !strcmp(id, "interactive")) {
			total->is_state_of_script = true;
			worst = view;
			break;
		}
		/* slurmd kills extern's processes when the job ends. */
		if (!strcmp(id, "extern") && parts->count > 1)
			continue;
		if (!worst || weight[view->state] > weight[worst->state])
			worst = view;
	}
	if (!worst)
		worst = parts->view[0];
	total->state = worst->state;
	total->exit_code = worst->exit_code;
	total->signal = worst->signal;
	total->interrupt_signal = worst->interrupt_signal;
	total->end_oom_kills = worst->end_oom_kills;
}

/* Do not mix declared with merely available CPUs. */
static void sum_allocated(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_cpu *sum = &total->cpu;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view_cpu *cpu = &parts->view[i]->cpu;

		if (isnan(cpu->allocated_cores) ||
		    cpu->is_requested != sum->is_requested)
			continue;
		if (isnan(sum->allocated_cores))
			sum->allocated_cores = cpu->allocated_cores;
		else if (parts->how == SW_SUM_NODES)
			sum->allocated_cores += cpu->allocated_cores;
		else
			sum->allocated_cores = fmax(sum->allocated_cores,
						    cpu->allocated_cores);
	}
	sum->mean_cores = sw_ratio_u64(sum->used_usec, total->elapsed_usec);
	sum->efficiency = sum->mean_cores / sum->allocated_cores;
	sum->peak_cores = sw_view_peak_cores(&total->cores, sum->mean_cores);
}

static uint64_t add_or_max(bool adds, uint64_t sum, uint64_t value)
{
	return adds ? sw_sum_u64(sum, value) : sw_max_u64(sum, value);
}

static void sum_recording(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_recording *sum = &total->recording;
	bool is_files = parts->how == SW_SUM_FILES;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view_recording *r = &parts->view[i]->recording;

		/* All steps of a node share a recorder. */
		sum->recorder_cpu_usec =
			add_or_max(parts->how != SW_SUM_STEPS,
				   sum->recorder_cpu_usec,
				   r->recorder_cpu_usec);
		sum->gap_usec =
			add_or_max(is_files, sum->gap_usec, r->gap_usec);
		sum->limited_usec = add_or_max(is_files, sum->limited_usec,
					       r->limited_usec);
		if (!sum->backend) {
			sum->backend = r->backend;
			sum->backend_reason = r->backend_reason;
		}
		if (!sum->programs_source) {
			sum->programs_source = r->programs_source;
			sum->programs_reason = r->programs_reason;
		}
	}
}

static int sum_events(struct sw_view *total, const struct parts *parts)
{
	size_t i, j, count = 0;

	for (i = 0; i < parts->count; i++)
		count += parts->view[i]->event_count;
	if (!count)
		return 0;
	total->events = calloc(count, sizeof(*total->events));
	if (!total->events)
		return -1;
	for (i = 0; i < parts->count; i++) {
		for (j = 0; j < parts->view[i]->event_count; j++) {
			struct sw_view_event *event =
				&total->events[total->event_count++];

			*event = parts->view[i]->events[j];
			event->time_usec = shifted(event->time_usec,
						   parts->shift_usec[i]);
		}
	}
	sw_view_sort_events(total);
	return 0;
}

/* Sum the curves at an offset in the views. */
static int sum_curve(struct sw_view *total, const struct parts *parts,
		     size_t offset)
{
	const struct sw_curve **curves;
	size_t i;
	int rc;

	curves = calloc(parts->count, sizeof(const struct sw_curve *));
	if (!curves)
		return -1;
	for (i = 0; i < parts->count; i++)
		curves[i] = (const void *)((const char *)parts->view[i] +
					   offset);
	rc = sw_curve_sum((void *)((char *)total + offset), curves,
			  parts->shift_usec, parts->count);
	free(curves);
	return rc;
}

/* Slurm sets it for the script's step; other steps inherit it. */
static void sum_restarts(struct sw_view *total, const struct parts *parts)
{
	bool *is_known = &total->slurm.is_restart_of_script;
	uint64_t *sum = &total->job.restart_count;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view *view = parts->view[i];
		uint64_t count = view->job.restart_count;
		bool is_of_script = view->slurm.is_restart_of_script ||
				    (view->step_id &&
				     !strcmp(view->step_id, "batch") &&
				     !sw_is_missing(count));

		if (is_of_script == *is_known)
			*sum = sw_max_u64(*sum, count);
		else if (is_of_script)
			*sum = count;
		*is_known |= is_of_script;
	}
}

/* Sum the fields by the rules in their tables. */
static void sum_fields(struct sw_view *total, const struct parts *parts)
{
	const struct sw_view_part *part;
	size_t i;

	for (part = sw_view_parts; part->fields; part++) {
		char *sum = (char *)total + part->offset;

		sw_fields_start(sum, part->fields,
				(const char *)parts->view[0] + part->offset);
		for (i = 1; i < parts->count; i++)
			sw_fields_add(sum, part->fields,
				(const char *)parts->view[i] + part->offset);
	}
}

static void name_sum(struct sw_view *total, const struct parts *parts)
{
	const struct sw_view *first = parts->view[0];
	bool is_nodes = parts->how == SW_SUM_NODES;

	total->reader = first->reader;
	if (is_nodes && parts->count > 1)
		total->node = NULL;
	total->step_id = is_nodes ? first->step_id : NULL;
	total->step_key = is_nodes ? first->step_key : SW_ALL_STEPS;
}

int sw_view_sum(struct sw_view *total, const struct sw_view *const *view,
		size_t count, enum sw_sum how, struct sw_error *error)
{
	struct parts parts = { view, NULL, count, how };
	size_t i;

	memset(total, 0, sizeof(*total));
	sum_fields(total, &parts);
	name_sum(total, &parts);
	parts.shift_usec = calloc(count, sizeof(*parts.shift_usec));
	for (i = 0; parts.shift_usec && how == SW_SUM_NODES && i < count; i++)
		parts.shift_usec[i] = shift_of(view[i], view[0]);
	if (!parts.shift_usec ||
	    sum_curve(total, &parts, offsetof(struct sw_view, cores)) < 0 ||
	    sum_curve(total, &parts, offsetof(struct sw_view, cpu_waits)) < 0 ||
	    sum_curve(total, &parts, offsetof(struct sw_view, io_rate)) < 0 ||
	    sum_events(total, &parts) < 0 ||
	    sw_view_sum_programs(total, view, count) < 0)
		goto error;
	for (i = 0; i < count; i++)
		sw_chosen_add(total->chosen, &total->chosen_count,
			      view[i]->chosen, view[i]->chosen_count);
	sum_restarts(total, &parts);
	sum_times(total, &parts);
	sw_view_sum_given(total, view, count, how);
	sum_state(total, &parts);
	sum_allocated(total, &parts);
	if (sw_view_sum_demand(total, view, count) < 0)
		goto error;
	sum_recording(total, &parts);
	if ((how == SW_SUM_STEPS ? sw_view_fill_gpus(total, SW_ALL_STEPS) :
	     sw_view_gather_gpus(total, view, count)) < 0)
		goto error;
	if ((how == SW_SUM_STEPS ? sw_view_fill_surroundings(total) :
	     sw_view_sum_nearby(total, view, count)) < 0)
		goto error;
	if ((how == SW_SUM_NODES ?
	     sw_view_take_memory(total, view, parts.shift_usec, count) :
	     sw_view_sum_memory(total, view, count)) < 0)
		goto error;
	free(parts.shift_usec);
	return 0;
error:
	free(parts.shift_usec);
	sw_view_fini(total);
	errno = ENOMEM;
	return sw_error_set(error, "not enough memory for the report");
}
