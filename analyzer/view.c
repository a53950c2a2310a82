/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a profile says about one step: who, when, how it ended. */
#include "analyzer/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view_internal.h"
#include "common/delta.h"

/* Text of a row; NULL where there is no such column or value. */
static const char *text_at(const struct sw_reader_table *table, size_t row,
			   const char *column)
{
	const struct sw_reader_column *found;

	found = table ? sw_reader_find_column(table, column) : NULL;
	if (!found || !found->texts || row >= table->row_count)
		return NULL;
	return found->texts[row];
}

/* Text of the step's row in a table with one row per step. */
static const char *step_text(const struct sw_series *series,
			     const char *column)
{
	size_t row = sw_series_rows(series);

	while (row-- > 0) {
		if (!series->step || series->step[row] == series->step_key)
			return text_at(series->table, row, column);
	}
	return NULL;
}

static void fill_identity(struct sw_view *view)
{
	const struct sw_reader_table *table;
	struct sw_series row;

	table = sw_reader_find(view->reader, "identity");
	row = sw_series_open(view->reader, "identity", 0);
	view->name = text_at(table, 0, "name");
	view->program = text_at(table, 0, "program");
	view->node = text_at(table, 0, "node");
	view->cluster = text_at(table, 0, "cluster");
	view->kernel = text_at(table, 0, "kernel");
	view->step_id = text_at(table, 0, "step_id");
	view->user = text_at(table, 0, "user");
	view->job_id = sw_series_at(&row, 0, "job_id");
	view->uid = sw_series_at(&row, 0, "uid");
	view->node_cpus = sw_series_at(&row, 0, "node_cpus");
	view->node_memory_bytes = sw_series_at(&row, 0, "node_memory_bytes");
	view->recording.period_usec = sw_series_at(&row, 0, "period_usec");
}

/* The last moment the recording knows of. */
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
	view->requested_time_usec =
		sw_series_last(&parts->steps, "requested_time_usec");
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

static void fill_recording(struct sw_view *view,
			   const struct sw_view_parts *parts)
{
	struct sw_view_recording *r = &view->recording;
	struct sw_series self;

	self = sw_series_open(parts->reader, "series.recorder",
			      parts->step_key);
	r->ladder = step_text(&parts->steps, "ladder");
	r->ladder_reason = step_text(&parts->steps, "ladder_reason");
	r->tools_source = step_text(&parts->steps, "tools_source");
	r->tools_reason = step_text(&parts->steps, "tools_reason");
	r->final_source = step_text(&parts->summary, "final_source");
	r->samples = sw_series_last(&parts->summary, "samples");
	r->lost_samples = sw_series_last(&parts->summary, "lost_ticks");
	r->recorder_cpu_usec = sw_max_u64(
		sw_series_last(&parts->summary, "recorder_cpu_usec"),
		sw_series_last(&self, "cpu_usec"));
	r->recorder_hiwater_bytes = sw_max_u64(
		sw_series_last(&parts->summary, "recorder_hiwater_bytes"),
		sw_series_last(&self, "hiwater_bytes"));
	r->is_finished = sw_reader_health(parts->reader)->is_finished;
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
}

int sw_view_init(struct sw_view *view, const struct sw_reader *reader,
		 struct sw_error *error)
{
	struct sw_view_parts parts;
	struct sw_series steps;

	memset(view, 0, sizeof(*view));
	view->reader = reader;
	steps = sw_series_open(reader, "steps", 0);
	if (sw_series_rows(&steps) == 0) {
		errno = EINVAL;
		return sw_error_set(error, "the profile holds no step: "
				    "its recorder ended before the command "
				    "began, so there is nothing to report");
	}
	open_parts(&parts, reader, steps.step ? steps.step[0] : 0);
	fill_identity(view);
	fill_times(view, &parts);
	fill_state(view, &parts);
	fill_recording(view, &parts);
	/* Memory is bounded by what tools saw, so tools come first. */
	if (sw_view_fill_events(view, &parts) < 0 ||
	    sw_view_fill_tools(view, &parts) < 0 ||
	    sw_view_fill_cpu(view, &parts) < 0 ||
	    sw_view_fill_io(view, &parts) < 0 ||
	    sw_view_fill_memory(view, &parts) < 0) {
		sw_view_fini(view);
		errno = ENOMEM;
		return sw_error_set(error, "not enough memory for the report");
	}
	return 0;
}

void sw_view_fini(struct sw_view *view)
{
	sw_curve_fini(&view->cores);
	sw_curve_fini(&view->memory_bytes);
	sw_curve_fini(&view->io_rate);
	sw_curve_fini(&view->io_stall);
	free(view->tools);
	free(view->events);
	memset(view, 0, sizeof(*view));
}

bool sw_view_has(const struct sw_view *view, const char *table,
		 const char *column)
{
	const struct sw_reader_table *found;
	const struct sw_reader_column *cells;
	size_t row;

	found = sw_reader_find(view->reader, table);
	cells = found ? sw_reader_find_column(found, column) : NULL;
	for (row = 0; cells && row < found->row_count; row++) {
		if (cells->numbers ? !sw_is_missing(cells->numbers[row]) :
				     cells->texts && cells->texts[row])
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
	/* Wrapping is right: usec may lie before the anchor. */
	return realtime + (usec - boottime);
}
