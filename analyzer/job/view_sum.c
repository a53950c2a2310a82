/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views added up. */
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
	/* Wrapping is right: a shift can be negative. */
	return sw_is_missing(usec) ? usec : usec + shift_usec;
}

/* Nodes boot at different times: their clocks meet in real time. */
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

	total->start_usec = total->end_usec = SW_MISSING;
	total->requested_time_usec = SW_MISSING;
	for (i = 0; i < parts->count; i++) {
		const struct sw_view *view = parts->view[i];
		uint64_t shift = parts->shift_usec[i];

		total->start_usec = sw_min_u64(total->start_usec,
			shifted(view->start_usec, shift));
		total->end_usec = sw_max_u64(total->end_usec,
			shifted(view->end_usec, shift));
		total->requested_time_usec =
			sw_max_u64(total->requested_time_usec,
				   view->requested_time_usec);
	}
	total->elapsed_usec = sw_delta_u64(total->end_usec,
					   total->start_usec);
	total->start_realtime_usec =
		sw_view_realtime_usec(total, total->start_usec);
}

/* The script's end is the job's; without one the worst of the parts'. */
static void sum_state(struct sw_view *total, const struct parts *parts)
{
	static const int weight[] = {
		[SW_STATE_COMPLETED] = 0, [SW_STATE_UNKNOWN] = 1,
		[SW_STATE_FAILED] = 2, [SW_STATE_KILLED] = 3,
	};
	const struct sw_view *worst = NULL;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view *view = parts->view[i];
		const char *id = view->step_id ? view->step_id : "";

		if (view->is_state_of_script || !strcmp(id, "batch") ||
		    !strcmp(id, "interactive")) {
			total->is_state_of_script = true;
			worst = view;
			break;
		}
		/* slurmd kills what is in extern when the job ends. */
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
	total->end_oom_kills = worst->end_oom_kills;
}

static void sum_cpu(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_cpu *sum = &total->cpu;
	size_t i;

	memset(sum, 0xff, sizeof(*sum));
	sum->source = NULL;
	sum->is_quota_above = sum->is_declared = false;
	sum->is_wait_complete = true;
	sum->allocated_cores = NAN;
	for (i = 0; i < parts->count; i++) {
		const struct sw_view_cpu *cpu = &parts->view[i]->cpu;

		if (!sum->source)
			sum->source = cpu->source;
		sum->used_usec = sw_sum_u64(sum->used_usec, cpu->used_usec);
		sum->user_usec = sw_sum_u64(sum->user_usec, cpu->user_usec);
		sum->system_usec =
			sw_sum_u64(sum->system_usec, cpu->system_usec);
		sum->throttled_usec =
			sw_sum_u64(sum->throttled_usec, cpu->throttled_usec);
		sum->throttled_periods = sw_sum_u64(sum->throttled_periods,
						   cpu->throttled_periods);
		sum->periods = sw_sum_u64(sum->periods, cpu->periods);
		sum->run_queue_wait_usec = sw_sum_u64(
			sum->run_queue_wait_usec, cpu->run_queue_wait_usec);
		sum->is_wait_complete &= cpu->is_wait_complete;
		sum->is_declared |= cpu->is_declared;
		sum->is_quota_above |= cpu->is_quota_above;
	}
}

/* What was declared is not mixed with what happened to be available. */
static void sum_allocated(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_cpu *sum = &total->cpu;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct sw_view_cpu *cpu = &parts->view[i]->cpu;

		if (isnan(cpu->allocated_cores) ||
		    cpu->is_declared != sum->is_declared)
			continue;
		if (isnan(sum->allocated_cores))
			sum->allocated_cores = cpu->allocated_cores;
		else if (parts->how == SW_SUM_NODES)
			sum->allocated_cores += cpu->allocated_cores;
		else
			sum->allocated_cores = fmax(sum->allocated_cores,
						    cpu->allocated_cores);
	}
	sum->mean_cores = NAN;
	if (!sw_is_missing(sum->used_usec) &&
	    !sw_is_missing(total->elapsed_usec) && total->elapsed_usec)
		sum->mean_cores = (double)sum->used_usec /
				  (double)total->elapsed_usec;
	sum->efficiency = sum->mean_cores / sum->allocated_cores;
	sum->peak_cores = sw_view_widest_peak(&total->cores);
	if (isnan(sum->peak_cores))
		sum->peak_cores = sum->mean_cores;
}

static void sum_io(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_io *sum = &total->io;
	size_t i;

	memset(sum, 0xff, sizeof(*sum));
	sum->source = sum->stalled_source = sum->waited_source = NULL;
	sum->wait_count = 0;
	/* Waits at the same time do not add up to a share of the time. */
	memset(&total->pressure, 0xff, sizeof(total->pressure));
	for (i = 0; i < parts->count; i++) {
		const struct sw_view_io *io = &parts->view[i]->io;

		if (!sum->source)
			sum->source = io->source;
		sum->read_bytes = sw_sum_u64(sum->read_bytes, io->read_bytes);
		sum->written_bytes =
			sw_sum_u64(sum->written_bytes, io->written_bytes);
		sum->call_read_bytes =
			sw_sum_u64(sum->call_read_bytes, io->call_read_bytes);
		sum->call_written_bytes = sw_sum_u64(sum->call_written_bytes,
						    io->call_written_bytes);
	}
}

static void sum_counters(struct sw_view *total, const struct parts *parts)
{
	size_t i;

	sw_counters_clear(&total->counters);
	for (i = 0; i < parts->count; i++)
		sw_counters_add(&total->counters, &parts->view[i]->counters);
}

static void sum_recording(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_recording *sum = &total->recording;
	bool is_apart = parts->how != SW_SUM_STEPS;
	size_t i;

	*sum = parts->view[0]->recording;
	for (i = 1; i < parts->count; i++) {
		const struct sw_view_recording *r = &parts->view[i]->recording;

		sum->samples = sw_sum_u64(sum->samples, r->samples);
		sum->lost_samples =
			sw_sum_u64(sum->lost_samples, r->lost_samples);
		/* One recorder serves all steps of a node. */
		sum->recorder_cpu_usec = is_apart ?
			sw_sum_u64(sum->recorder_cpu_usec,
				  r->recorder_cpu_usec) :
			sw_max_u64(sum->recorder_cpu_usec,
				   r->recorder_cpu_usec);
		sum->recorder_hiwater_bytes =
			sw_max_u64(sum->recorder_hiwater_bytes,
				   r->recorder_hiwater_bytes);
		sum->gap_usec = parts->how == SW_SUM_FILES ?
			sw_sum_u64(sum->gap_usec, r->gap_usec) :
			sw_max_u64(sum->gap_usec, r->gap_usec);
		sum->limited_usec = parts->how == SW_SUM_FILES ?
			sw_sum_u64(sum->limited_usec, r->limited_usec) :
			sw_max_u64(sum->limited_usec, r->limited_usec);
		sum->is_finished &= r->is_finished;
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

static int compare_events(const void *a, const void *b)
{
	const struct sw_view_event *one = a, *two = b;

	if (one->time_usec != two->time_usec)
		return one->time_usec < two->time_usec ? -1 : 1;
	return strcmp(one->kind, two->kind);
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
	qsort(total->events, count, sizeof(*total->events), compare_events);
	return 0;
}

static int sum_curves(struct sw_view *total, const struct parts *parts)
{
	const struct sw_curve **curves;
	size_t i;
	int rc;

	curves = calloc(parts->count, sizeof(const struct sw_curve *));
	if (!curves)
		return -1;
	for (i = 0; i < parts->count; i++)
		curves[i] = &parts->view[i]->cores;
	rc = sw_curve_sum(&total->cores, curves, parts->shift_usec,
			  parts->count);
	for (i = 0; i < parts->count; i++)
		curves[i] = &parts->view[i]->cpu_waits;
	if (rc == 0)
		rc = sw_curve_sum(&total->cpu_waits, curves, parts->shift_usec,
				  parts->count);
	for (i = 0; i < parts->count; i++)
		curves[i] = &parts->view[i]->io_rate;
	if (rc == 0)
		rc = sw_curve_sum(&total->io_rate, curves, parts->shift_usec,
				  parts->count);
	free(curves);
	return rc;
}

/* The script's step is told it by Slurm, others by the script. */
static void sum_restarts(struct sw_view_slurm *sum, const struct sw_view *view)
{
	const struct sw_view_slurm *slurm = &view->slurm;
	bool is_of_script = slurm->is_restart_of_script ||
			    (view->step_id && !strcmp(view->step_id, "batch") &&
			     !sw_is_missing(slurm->restart_count));

	if (!sum->sluid)
		sum->sluid = slurm->sluid;
	sum->limit_realtime_usec = sw_max_u64(sum->limit_realtime_usec,
					      slurm->limit_realtime_usec);
	if (is_of_script == sum->is_restart_of_script)
		sum->restart_count = sw_max_u64(sum->restart_count,
						slurm->restart_count);
	else if (is_of_script)
		sum->restart_count = slurm->restart_count;
	sum->is_restart_of_script |= is_of_script;
}

static void sum_counts(struct sw_view *total, const struct parts *parts)
{
	struct sw_view_slurm *sum = &total->slurm;
	size_t i;

	*sum = parts->view[0]->slurm;
	sum->record = sum->job_record = NULL;
	sum->is_restart_of_script = false;
	for (i = 0; i < parts->count; i++) {
		const struct sw_view_slurm *slurm = &parts->view[i]->slurm;

		sum_restarts(sum, parts->view[i]);
		sum->job_node_count = sw_max_u64(sum->job_node_count,
						 slurm->job_node_count);
		sum->step_node_count = sw_max_u64(sum->step_node_count,
						  slurm->step_node_count);
		sum->task_count = sw_max_u64(sum->task_count,
					     slurm->task_count);
		sum->node_task_count = sw_max_u64(sum->node_task_count,
						  slurm->node_task_count);
		/* Armed is what all were. */
		sum->is_armed = sw_min_u64(sum->is_armed, slurm->is_armed);
	}
}

static void copy_identity(struct sw_view *total, const struct parts *parts)
{
	const struct sw_view *first = parts->view[0];
	bool is_nodes = parts->how == SW_SUM_NODES;

	memset(total, 0, sizeof(*total));
	total->reader = first->reader;
	total->name = first->name;
	total->program = first->program;
	total->node = is_nodes && parts->count > 1 ? NULL : first->node;
	total->cluster = first->cluster;
	total->kernel = first->kernel;
	total->user = first->user;
	total->job_id = first->job_id;
	total->uid = first->uid;
	total->node_cpus = first->node_cpus;
	total->node_memory_bytes = first->node_memory_bytes;
	total->page_bytes = first->page_bytes;
	total->step_id = is_nodes ? first->step_id : NULL;
	total->step_key = is_nodes ? first->step_key : SW_ALL_STEPS;
}

int sw_view_sum(struct sw_view *total, const struct sw_view *const *view,
		size_t count, enum sw_sum how, struct sw_error *error)
{
	struct parts parts = { view, NULL, count, how };
	size_t i;

	copy_identity(total, &parts);
	parts.shift_usec = calloc(count, sizeof(*parts.shift_usec));
	for (i = 0; parts.shift_usec && how == SW_SUM_NODES && i < count; i++)
		parts.shift_usec[i] = shift_of(view[i], view[0]);
	if (!parts.shift_usec || sum_curves(total, &parts) < 0 ||
	    sum_events(total, &parts) < 0 ||
	    sw_view_sum_programs(total, view, count) < 0)
		goto error;
	sum_counts(total, &parts);
	sum_times(total, &parts);
	sw_view_sum_given(total, view, count, how);
	sum_state(total, &parts);
	sum_cpu(total, &parts);
	sum_allocated(total, &parts);
	sum_io(total, &parts);
	if (sw_view_sum_demand(total, view, count) < 0)
		goto error;
	sum_counters(total, &parts);
	sum_recording(total, &parts);
	if ((how == SW_SUM_STEPS ? sw_view_fill_gpus(total, SW_ALL_STEPS) :
	     sw_view_gather_gpus(total, view, count)) < 0)
		goto error;
	sw_view_clear_node(total);
	sw_view_sum_network(total, view, count);
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
