/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs, events, hangs and pipes of a view: rows that are no time series. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/recorder_keys.h"
#include "common/search.h"
#include "common/units.h"

/* Exit records (BPF) include the peak; earlier samples may miss it. */
static bool is_sampling(const char *source)
{
	return source && strcmp(source, "bpf") != 0;
}

static void fill_program(struct sw_view_program *program,
			 const struct sw_series *series, size_t row,
			 bool is_sampled)
{
	sw_fields_read(program, sw_program_fields, series, row);
	if (sw_is_missing(program->cpu_usec))
		program->cpu_usec =
			sw_add_u64(program->user_usec, program->system_usec);
	program->is_cpu_of_ended = !is_sampled &&
				   !sw_is_missing(program->cpu_usec) &&
				   sw_zero_if_missing(program->running) > 0;
	program->is_peak_sampled = !sw_is_missing(program->peak_bytes) &&
				   (!program->is_complete || is_sampled);
	program->name = program->name ? program->name : "?";
}

static int compare_programs(const void *a, const void *b)
{
	const struct sw_view_program *one = a, *two = b;
	uint64_t cpu_one = sw_zero_if_missing(one->cpu_usec);
	uint64_t cpu_two = sw_zero_if_missing(two->cpu_usec);

	if (cpu_one != cpu_two)
		return cpu_one < cpu_two ? 1 : -1;
	return strcmp(one->name, two->name);
}

void sw_view_sort_programs(struct sw_view *view)
{
	if (view->program_count)
		qsort(view->programs, view->program_count,
		      sizeof(*view->programs), compare_programs);
}

static int compare_keys(const void *a, const void *b)
{
	const struct sw_view_row *one = a, *two = b;

	if (one->key != two->key)
		return one->key < two->key ? -1 : 1;
	return one->row < two->row ? -1 : one->row > two->row;
}

static int compare_only_keys(const void *a, const void *b)
{
	const struct sw_view_row *one = a, *two = b;

	return one->key < two->key ? -1 : one->key > two->key;
}

void sw_view_sort_rows(struct sw_view_row *rows, size_t count)
{
	if (count)
		qsort(rows, count, sizeof(*rows), compare_keys);
}

size_t sw_view_last_rows(struct sw_view_row *rows, size_t count)
{
	size_t i, kept = 0;

	sw_view_sort_rows(rows, count);
	for (i = 0; i < count; i++) {
		if (i + 1 == count || rows[i + 1].key != rows[i].key)
			rows[kept++] = rows[i];
	}
	return kept;
}

/* Drop shells that only forked: they have no data of their own. */
static void leave_out_unused(struct sw_view *view)
{
	size_t i, kept = 0;

	for (i = 0; i < view->program_count; i++) {
		if (view->programs[i].started)
			view->programs[kept++] = view->programs[i];
	}
	view->program_count = kept;
}

/*
 * Exclude the time before the command begins, in which its process waited for
 * the recorder.
 */
static void bound_elapsed(const struct sw_view *view,
			  struct sw_view_program *program)
{
	uint64_t *const elapsed[] = {
		&program->elapsed_p50_usec,
		&program->elapsed_p95_usec,
		&program->elapsed_max_usec,
	};
	size_t i;

	for (i = 0; i < sizeof(elapsed) / sizeof(elapsed[0]); i++) {
		if (!sw_is_missing(*elapsed[i]) &&
		    *elapsed[i] > view->elapsed_usec)
			*elapsed[i] = view->elapsed_usec;
	}
}

/*
 * Programs left running by a killed recorder are not followed by its successor;
 * when Slurm has ended a step, none of them still runs.
 */
static void end_program(struct sw_view_program *program)
{
	if (sw_is_missing(program->running) || program->running == 0)
		return;
	program->unseen_ends = program->running;
	program->running = 0;
	program->is_complete = false;
}

static const struct sw_view_row *find_key(const struct sw_view_row *rows,
					  size_t count, uint64_t key)
{
	const struct sw_view_row wanted = { .key = key };

	return bsearch(&wanted, rows, count, sizeof(*rows), compare_only_keys);
}

/* Return the kind of exit of a row; SW_EXIT_KINDS for any other. */
static unsigned kind_of(const struct sw_series *series, size_t row)
{
	uint64_t status = sw_series_at(series, row, "exit_status");
	uint64_t signal = sw_series_at(series, row, "signal");

	if (!sw_is_missing(status) && status < SW_EXIT_SIGNAL)
		return (unsigned)status;
	if (!sw_is_missing(signal) && signal < SW_EXIT_KINDS - SW_EXIT_SIGNAL)
		return SW_EXIT_SIGNAL + (unsigned)signal;
	return SW_EXIT_KINDS;
}

/* Read how programs ended; rows are sorted by the programs' keys. */
static void fill_exits(struct sw_view *view, const struct sw_view_parts *parts,
		       const struct sw_view_row *rows)
{
	struct sw_series series = sw_series_open(parts->reader, "program_exits",
						 parts->step_key);
	size_t i;

	for (i = 0; i < sw_series_rows(&series); i++) {
		const struct sw_view_row *of = sw_series_is_ours(&series, i) ?
			find_key(rows, view->program_count,
				 sw_series_at(&series, i, "program")) : NULL;
		uint64_t processes = sw_series_at(&series, i, "processes");

		if (of && !sw_is_missing(processes))
			sw_exit_counts_raise(&view->programs[of - rows].exits,
					     kind_of(&series, i), processes);
	}
}

int sw_view_fill_programs(struct sw_view *view,
			  const struct sw_view_parts *parts)
{
	struct sw_series series =
		sw_series_open(parts->reader, "programs", parts->step_key);
	size_t i, used = 0, count = sw_series_rows(&series);
	struct sw_view_row *rows;

	/* Without the column, all programs belong to the first step. */
	if (count == 0 || (!series.step && parts->step_key != 0))
		return 0;
	rows = calloc(count, sizeof(*rows));
	view->programs = calloc(count, sizeof(*view->programs));
	if (!rows || !view->programs) {
		free(rows);
		return -1;
	}
	for (i = 0; i < count; i++) {
		if (!sw_series_is_ours(&series, i))
			continue;
		rows[used].key = sw_series_at(&series, i, "program");
		rows[used++].row = i;
	}
	/* Rows are cumulative. */
	view->program_count = sw_view_last_rows(rows, used);
	if (view->program_count > SW_VIEW_PROGRAMS_MAX)
		view->program_count = SW_VIEW_PROGRAMS_MAX;
	for (i = 0; i < view->program_count; i++) {
		fill_program(&view->programs[i], &series, rows[i].row,
			     is_sampling(view->recording.programs_source));
		bound_elapsed(view, &view->programs[i]);
		if (view->slurm.is_slurm && sw_series_rows(&parts->summary))
			end_program(&view->programs[i]);
	}
	fill_exits(view, parts, rows);
	free(rows);
	leave_out_unused(view);
	if (sw_view_find_victims(view) < 0)
		return -1;
	sw_view_sort_programs(view);
	return 0;
}

static int compare_events(const void *a, const void *b)
{
	const struct sw_view_event *one = a, *two = b;

	if (one->time_usec != two->time_usec)
		return one->time_usec < two->time_usec ? -1 : 1;
	return strcmp(one->kind, two->kind);
}

void sw_view_sort_events(struct sw_view *view)
{
	if (view->event_count)
		qsort(view->events, view->event_count, sizeof(*view->events),
		      compare_events);
}

static void add_gap(struct sw_view_recording *recording,
		    const struct sw_view_event *event)
{
	const char *limit = sw_recorder_keys[SW_KEY_CPU_LIMIT_PERCENT].name;

	if (strcmp(event->kind, "gap") != 0 || sw_is_missing(event->value))
		return;
	recording->gap_usec += event->value;
	if (event->detail && !strcmp(event->detail, limit))
		recording->limited_usec += event->value;
}

int sw_view_fill_events(struct sw_view *view,
			const struct sw_view_parts *parts)
{
	struct sw_series series = sw_series_open(parts->reader, "events",
						 parts->step_key);
	size_t i, count = sw_series_rows(&series);
	size_t room = sw_series_room(&series, SW_VIEW_EVENTS_MAX);
	struct sw_view_event *event;

	if (count == 0)
		return 0;
	view->events = calloc(room, sizeof(*view->events));
	if (!view->events)
		return -1;
	for (i = 0; i < count && view->event_count < room; i++) {
		event = &view->events[view->event_count];
		sw_fields_read(event, sw_event_fields, &series, i);
		if (!event->kind)
			continue;
		add_gap(&view->recording, event);
		view->event_count++;
	}
	sw_view_sort_events(view);
	return 0;
}

static int compare_hangs(const void *a, const void *b)
{
	const struct sw_view_hang *one = *(struct sw_view_hang *const *)a;
	const struct sw_view_hang *two = *(struct sw_view_hang *const *)b;

	if (one->time_usec != two->time_usec)
		return one->time_usec < two->time_usec ? -1 : 1;
	if (one->tid != two->tid)
		return one->tid < two->tid ? -1 : 1;
	return one < two ? -1 : one > two;
}

static bool is_hang_before(const void *item, const void *key)
{
	const struct sw_view_hang *one = *(struct sw_view_hang *const *)item;
	const struct sw_view_hang *two = key;

	return one->time_usec != two->time_usec ?
		       one->time_usec < two->time_usec : one->tid < two->tid;
}

/* Add the stack of each thread, read slightly later. */
static int fill_stacks(struct sw_view *view, const struct sw_series *stacks)
{
	const uint64_t *time = sw_series_numbers(stacks, "time_usec");
	const uint64_t *tid = sw_series_numbers(stacks, "tid");
	size_t i, row, count = time && tid ? sw_series_rows(stacks) : 0;
	struct sw_view_hang **sorted;

	if (!count || !view->hang_count)
		return 0;
	sorted = calloc(view->hang_count, sizeof(struct sw_view_hang *));
	if (!sorted)
		return -1;
	for (i = 0; i < view->hang_count; i++)
		sorted[i] = &view->hangs[i];
	qsort(sorted, view->hang_count, sizeof(struct sw_view_hang *),
	      compare_hangs);
	for (row = 0; row < count; row++) {
		const struct sw_view_hang of = { .time_usec = time[row],
						 .tid = tid[row] };

		/* A sample has a thread at most once. */
		i = sw_lower_bound(sorted, view->hang_count, sizeof(*sorted),
				   is_hang_before, &of);
		if (i == view->hang_count ||
		    sorted[i]->time_usec != of.time_usec ||
		    sorted[i]->tid != of.tid)
			continue;
		sorted[i]->stack = sw_series_text(stacks, row, "stack");
		sorted[i]->stack_left_out =
			sw_series_text(stacks, row, "left_out");
	}
	free(sorted);
	return 0;
}

/* True if the newest row exceeds the maximum for a sample. */
static bool is_beyond_sample(const struct sw_view *view)
{
	size_t last = view->hang_count - 1;

	return last >= SW_VIEW_HANGS_AT_ONCE_MAX &&
	       view->hangs[last - SW_VIEW_HANGS_AT_ONCE_MAX].time_usec ==
		       view->hangs[last].time_usec;
}

int sw_view_fill_hangs(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	struct sw_series series = sw_series_open(parts->reader, "hangs",
						 parts->step_key);
	struct sw_series stacks = sw_series_open(parts->reader, "stacks",
						 parts->step_key);
	size_t i, count = sw_series_rows(&series);
	size_t room = sw_series_room(&series, SW_VIEW_HANGS_MAX);

	if (count == 0)
		return 0;
	view->hangs = calloc(room, sizeof(*view->hangs));
	if (!view->hangs)
		return -1;
	for (i = 0; i < count && view->hang_count < room; i++) {
		struct sw_view_hang *hang = &view->hangs[view->hang_count];

		sw_fields_read(hang, sw_hang_fields, &series, i);
		if (!hang->kind)
			continue;
		/* Samples are written in order. */
		if (view->hang_count &&
		    hang->time_usec < view->hangs[view->hang_count - 1].time_usec)
			continue;
		view->hang_count++;
		view->hang_count -= is_beyond_sample(view);
	}
	return fill_stacks(view, &stacks);
}

int sw_view_fill_pipes(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	struct sw_series series = sw_series_open(parts->reader, "pipes",
						 parts->step_key);
	size_t i, count = sw_series_rows(&series);
	size_t room = sw_series_room(&series, SW_VIEW_PIPES_MAX);

	if (count == 0)
		return 0;
	view->pipes = calloc(room, sizeof(*view->pipes));
	if (!view->pipes)
		return -1;
	for (i = 0; i < count && view->pipe_count < room; i++) {
		if (sw_series_is_ours(&series, i))
			sw_fields_read(&view->pipes[view->pipe_count++],
				       sw_pipe_fields, &series, i);
	}
	return 0;
}
