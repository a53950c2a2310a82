/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compute the view of one step: identity, times, and how it ended. */
#include "analyzer/view/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_demand.h"
#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

/* CPU time outside of the cgroup beyond doubt, plus a twentieth of all: five
 * clock ticks.  Chosen by hand. */
static const uint64_t LEFT_USEC = 50000;

static void fill_identity(struct sw_view *view)
{
	struct sw_series row = sw_series_open(view->reader, "identity", 0);

	sw_fields_read(view, sw_view_fields, &row, 0);
	sw_fields_read(&view->job, sw_job_fields, &row, 0);
	if (view->page_bytes == 0)
		view->page_bytes = SW_MISSING;
	view->recording.period_usec = sw_series_at(&row, 0, "period_usec");
}

static void fill_slurm(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	struct sw_series row = sw_series_open(view->reader, "identity", 0);
	const char *origin = sw_series_text(&row, 0, "origin");
	const char *step_id = sw_series_last_text(&parts->steps, "step_id");
	struct sw_view_slurm *slurm = &view->slurm;
	uint64_t restarts;

	slurm->is_slurm = origin && !strcmp(origin, "slurm");
	sw_fields_read(slurm, sw_slurm_fields, &row, 0);
	row = parts->steps;
	slurm->step_node_count = sw_series_last(&row, "node_count");
	slurm->node_index = sw_series_last(&row, "node_index");
	slurm->task_count = sw_series_last(&row, "task_count");
	slurm->node_task_count = sw_series_last(&row, "node_task_count");
	slurm->job_task_count = sw_series_last(&row, "job_task_count");
	slurm->is_armed = sw_series_last(&row, "is_armed");
	slurm->sluid = sw_series_last_text(&parts->summary, "sluid");
	/* The rows written at a task's end know more about the job. */
	restarts = sw_series_last(&parts->summary, "restart_count");
	if (!sw_is_missing(restarts))
		view->job.restart_count = restarts;
	if (step_id)
		view->step_id = step_id;
}

/* Last time in the recording. */
static uint64_t last_time(const struct sw_view_parts *parts)
{
	const struct sw_series *const all[] = {
		&parts->cpu, &parts->memory, &parts->io,
		&parts->pressure, &parts->proc,
	};
	uint64_t last = SW_MISSING;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		last = sw_max_u64(last, sw_series_max(all[i], "time_usec"));
	return last;
}

static void fill_times(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	view->start_usec = sw_series_last(&parts->steps, "start_usec");
	view->end_usec = sw_series_last(&parts->summary, "end_usec");
	if (sw_is_missing(view->end_usec))
		view->end_usec = last_time(parts);
	view->elapsed_usec = sw_delta_u64(view->end_usec, view->start_usec);
	view->start_realtime_usec =
		sw_view_realtime_usec(view, view->start_usec);
	/* Known at the start of "stepwell run", at the end of a Slurm step. */
	view->requested_time_usec = sw_max_u64(
		sw_series_last(&parts->steps, "requested_time_usec"),
		sw_series_last(&parts->summary, "requested_time_usec"));
	view->slurm.limit_realtime_usec =
		sw_series_last(&parts->summary, "limit_realtime_usec");
}

static void fill_state(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	view->exit_code = sw_series_last(&parts->summary, "exit_code");
	view->signal = sw_series_last(&parts->summary, "signal");
	if (!sw_is_missing(view->signal))
		view->state = SW_STATE_KILLED;
	else if (sw_is_missing(view->exit_code))
		view->state = SW_STATE_UNKNOWN;
	else
		view->state = view->exit_code ? SW_STATE_FAILED :
						SW_STATE_COMPLETED;
}

/* Longest cleanup after Ctrl-C; a later failure is not due to it.  Chosen by
 * hand. */
#define INTERRUPT_USEC (10 * SW_USEC_PER_SEC)

/* True if it was killed by the key's signal, or failed soon after it. */
static bool has_ended_by(const struct sw_view *view,
			 const struct sw_view_event *event)
{
	if (view->state == SW_STATE_KILLED)
		return view->signal == event->value;
	return view->state == SW_STATE_FAILED &&
	       (view->exit_code == SW_STATUS_SIGNAL + event->value ||
		sw_delta_u64(view->end_usec, event->time_usec) <=
			INTERRUPT_USEC);
}

static void fill_interrupt(struct sw_view *view)
{
	size_t i;

	view->interrupt_signal = SW_MISSING;
	for (i = view->event_count; i-- > 0;) {
		if (strcmp(view->events[i].kind, "interrupted") != 0)
			continue;
		if (has_ended_by(view, &view->events[i])) {
			view->state = SW_STATE_INTERRUPTED;
			view->interrupt_signal = view->events[i].value;
		}
		return;
	}
}

/*
 * Return true if processes were moved out of the cgroup.  Otherwise it has seen
 * at least the CPU time that the kernel accounts to waited-for children.
 */
static bool has_left_cgroup(const struct sw_view_parts *parts)
{
	uint64_t seen = sw_series_growth(&parts->cpu, "usage_usec");
	uint64_t waited;

	waited = sw_add_u64(sw_series_last(&parts->summary,
					   "rusage_user_usec"),
			    sw_series_last(&parts->summary,
					   "rusage_system_usec"));
	return !sw_is_missing(seen) && !sw_is_missing(waited) &&
	       sw_excess_u64(waited, seen) > LEFT_USEC + seen / 20;
}

static void fill_recording(struct sw_view *view,
			   const struct sw_view_parts *parts)
{
	struct sw_view_recording *r = &view->recording;
	struct sw_series self;

	self = sw_series_open(parts->reader, "series.recorder",
			      parts->step_key);
	r->backend = sw_series_last_text(&parts->steps, "backend");
	r->backend_reason = sw_series_last_text(&parts->steps, "backend_reason");
	r->programs_source = sw_series_last_text(&parts->steps, "programs_source");
	r->programs_reason = sw_series_last_text(&parts->steps, "programs_reason");
	r->failures_source = sw_series_last_text(&parts->steps, "failures_source");
	r->failures_reason = sw_series_last_text(&parts->steps, "failures_reason");
	r->final_source = sw_series_last_text(&parts->summary, "final_source");
	/* The last sample had lost the cgroup. */
	r->is_cgroup_lost = r->final_source &&
			    (!strcmp(r->final_source, "proc") ||
			     !strcmp(r->final_source, "none")) &&
			    sw_series_rows(&parts->cpu) > 0;
	r->has_left_cgroup = !r->is_cgroup_lost && has_left_cgroup(parts);
	r->unparsed_processes =
		sw_series_max(&parts->proc, "unparsed_processes");
	/* A recorder that replaced a killed one only counts its own samples. */
	r->samples = sw_series_last(&parts->summary, "samples");
	if (!sw_is_missing(r->samples))
		r->samples = sw_max_u64(r->samples,
					sw_series_rows(&parts->cpu));
	r->lost_samples = sw_series_last(&parts->summary, "lost_samples");
	r->recorder_cpu_usec = sw_max_u64(
		sw_series_last(&parts->summary, "recorder_cpu_usec"),
		sw_series_last(&self, "cpu_usec"));
	r->recorder_hiwater_bytes = sw_max_u64(
		sw_series_last(&parts->summary, "recorder_hiwater_bytes"),
		sw_series_last(&self, "hiwater_bytes"));
	r->is_finished = sw_reader_health(parts->reader)->is_finished;
	r->gap_usec = r->limited_usec = 0;
}

static void open_parts(struct sw_view_parts *parts,
		       const struct sw_reader *reader, uint64_t key)
{
	parts->reader = reader;
	parts->step_key = key;
	parts->steps = sw_series_open(reader, "steps", key);
	parts->summary = sw_series_open(reader, "summary", key);
	parts->cpu = sw_series_open(reader, "series.cpu", key);
	parts->memory = sw_series_open(reader, "series.memory", key);
	parts->io = sw_series_open(reader, "series.io", key);
	parts->pressure = sw_series_open(reader, "series.pressure", key);
	parts->proc = sw_series_open(reader, "series.proc", key);
	parts->tasks = sw_series_open(reader, "tasks", key);
}

static int compare_rows(const void *a, const void *b)
{
	const struct sw_view_row *one = a, *two = b;

	return one->row < two->row ? -1 : one->row > two->row;
}

/* Keep the first row of each key, in the order of rows. */
static size_t keep_first_rows(struct sw_view_row *rows, size_t count)
{
	size_t i, kept = 0;

	sw_view_sort_rows(rows, count);
	for (i = 0; i < count; i++) {
		if (i == 0 || rows[i].key != rows[kept - 1].key)
			rows[kept++] = rows[i];
	}
	qsort(rows, kept, sizeof(*rows), compare_rows);
	return kept;
}

int sw_view_steps(const struct sw_reader *reader, uint64_t **keys,
		  size_t *count, struct sw_error *error)
{
	const struct sw_reader_table *table = sw_reader_find(reader, "steps");
	const struct sw_reader_column *step;
	struct sw_view_row *rows;
	size_t i;

	if (!table || table->row_count == 0) {
		errno = EINVAL;
		return sw_error_set(error, "the profile holds no step: "
				    "its recorder ended before the command "
				    "began, so there is nothing to report");
	}
	step = sw_reader_find_column(table, "step");
	rows = calloc(table->row_count, sizeof(*rows));
	*keys = calloc(table->row_count, sizeof(**keys));
	if (!rows || !*keys) {
		free(rows);
		free(*keys);
		return sw_error_set(error, "not enough memory for the report");
	}
	for (i = 0; i < table->row_count; i++) {
		rows[i].key = step && step->numbers ? step->numbers[i] : 0;
		rows[i].row = i;
	}
	*count = keep_first_rows(rows, table->row_count);
	for (i = 0; i < *count; i++)
		(*keys)[i] = rows[i].key;
	free(rows);
	return 0;
}

void sw_view_clear(struct sw_view *view)
{
	const struct sw_view_part *part;

	memset(view, 0, sizeof(*view));
	for (part = sw_view_parts; part->fields; part++)
		sw_fields_clear((char *)view + part->offset, part->fields);
}

int sw_view_init(struct sw_view *view, const struct sw_reader *reader,
		 uint64_t step_key, struct sw_error *error)
{
	struct sw_view_parts parts;

	sw_view_clear(view);
	view->reader = reader;
	view->step_key = step_key;
	open_parts(&parts, reader, step_key);
	fill_identity(view);
	fill_slurm(view, &parts);
	fill_times(view, &parts);
	sw_view_fill_given(view, &parts);
	fill_state(view, &parts);
	fill_recording(view, &parts);
	sw_view_fill_chosen(view, &parts);
	/* Programs and tasks are lower bounds of CPU and memory. */
	if (sw_view_fill_events(view, &parts) < 0 ||
	    sw_view_fill_hangs(view, &parts) < 0 ||
	    sw_view_fill_pipes(view, &parts) < 0 ||
	    sw_view_fill_tasks(view, &parts) < 0 ||
	    sw_view_fill_counters(view, &parts) < 0 ||
	    sw_view_fill_programs(view, &parts) < 0 ||
	    sw_view_fill_elsewhere(view, &parts) < 0 ||
	    sw_view_fill_cpu(view, &parts) < 0 ||
	    sw_view_fill_io(view, &parts) < 0 ||
	    sw_view_fill_demand(view) < 0 ||
	    sw_view_fill_waits(view, &parts) < 0 ||
	    sw_view_fill_memory(view, &parts) < 0 ||
	    sw_view_fill_gpus(view, step_key) < 0 ||
	    sw_placement_init(&view->placement, reader, step_key) < 0 ||
	    sw_view_fill_node(view, &parts) < 0 ||
	    sw_view_fill_limits(view, &parts) < 0) {
		sw_view_fini(view);
		errno = ENOMEM;
		return sw_error_set(error, "not enough memory for the report");
	}
	view->end_oom_kills = sw_zero_if_missing(view->memory.oom_kills);
	fill_interrupt(view);
	return 0;
}

void sw_view_fini(struct sw_view *view)
{
	sw_curve_fini(&view->cores);
	sw_curve_fini(&view->cpu_waits);
	sw_curve_fini(&view->memory_bytes);
	sw_curve_fini(&view->io_rate);
	sw_curve_fini(&view->device_rate);
	sw_curve_fini(&view->io_stall);
	sw_view_node_fini(&view->nearby);
	sw_spans_fini(&view->elsewhere);
	free(view->programs);
	free(view->events);
	free(view->hangs);
	free(view->pipes);
	free(view->phases);
	free(view->tasks);
	sw_view_free_gpus(view);
	sw_placement_fini(&view->placement);
	memset(view, 0, sizeof(*view));
}

bool sw_view_has(const struct sw_view *view, const char *table,
		 const char *column)
{
	const struct sw_reader_table *found = sw_reader_find(view->reader,
							     table);
	const uint64_t *numbers;
	struct sw_series series;
	size_t row;

	if (!found || !sw_reader_find_column(found, column))
		return false;
	/* Rows of the node are written with any of its steps. */
	series = sw_series_open(view->reader, table,
				found->scope == SW_SCOPE_NODE ?
					SW_ALL_STEPS : view->step_key);
	numbers = sw_series_numbers(&series, column);
	for (row = 0; row < sw_series_rows(&series); row++) {
		if (!sw_series_is_ours(&series, row))
			continue;
		if (numbers ? !sw_is_missing(numbers[row]) :
			      sw_series_text(&series, row, column) != NULL)
			return true;
	}
	return false;
}

uint64_t sw_view_realtime_usec(const struct sw_view *view, uint64_t usec)
{
	struct sw_series row = sw_series_open(view->reader, "identity", 0);
	uint64_t boottime, realtime;

	boottime = sw_series_at(&row, 0, "anchor_boottime_usec");
	realtime = sw_series_at(&row, 0, "anchor_realtime_usec");
	if (sw_is_missing(usec) || sw_is_missing(boottime) ||
	    sw_is_missing(realtime))
		return SW_MISSING;
	/* Wrapping is fine: usec may be before the anchor. */
	return realtime + (usec - boottime);
}

bool sw_view_is_shorter(const struct sw_view *view, double seconds)
{
	return sw_is_missing(view->elapsed_usec) ||
	       (double)view->elapsed_usec / SW_USEC_PER_SEC < seconds;
}
