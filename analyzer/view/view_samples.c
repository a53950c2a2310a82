/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The readings that the recorder had, from the rows of a profile: it writes
 * the rows of one sample one after the other, and those of the next one later.
 */
#include "analyzer/view/view_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/gpu_list.h"
#include "common/units.h"

/* The rows of one source, as far as they were read, and its fields. */
struct source {
	struct sw_series series;
	size_t next, first_field, end_field;
};

enum { SOURCES_MAX = 8 };

/* All that readings are filled from. */
struct replay {
	const struct sw_view *view;
	const uint64_t *column[SW_STEP_FIELDS];
	struct source sources[SOURCES_MAX];
	size_t source_count;
	struct source *clock;	/* whose rows the samples are */
	const struct sw_wait_track *waits;
	size_t next_wait;
	struct {
		const struct sw_curve *busy;
		uint64_t since_usec;	/* it is the step's */
	} gpus[SW_GPU_NUMBERS];
	size_t gpu_count, next_gpu;
	struct sw_step_reading reading;
};

static void open_sources(struct replay *replay,
			 const struct sw_view_parts *parts)
{
	const char *last = "", *clock = replay->reading.is_by_proc ? "proc" :
								     "cpu";
	char table[32];
	size_t i;

	for (i = 0; i < SW_STEP_FIELDS; i++) {
		const struct sw_step_field *field = &sw_step_fields[i];
		struct source *source;

		if (strcmp(field->source, last) != 0) {
			snprintf(table, sizeof(table), "series.%s",
				 field->source);
			source = &replay->sources[replay->source_count++];
			source->first_field = i;
			source->series = sw_series_open(parts->reader, table,
							parts->step_key);
			if (!strcmp(field->source, clock))
				replay->clock = source;
			last = field->source;
		}
		source = &replay->sources[replay->source_count - 1];
		source->end_field = i + 1;
		replay->column[i] = sw_series_numbers(&source->series,
						      field->column);
	}
}

static bool has_time(const struct source *source, size_t row)
{
	return sw_series_is_ours(&source->series, row) &&
	       !sw_is_missing(source->series.time_usec[row]);
}

/* The last row of a source before a time, if it was not read yet. */
static void read_rows(struct replay *replay, struct source *source,
		      uint64_t end_usec)
{
	const uint64_t *time = source->series.time_usec;
	size_t i, row = SIZE_MAX;

	for (; time && source->next < source->series.count; source->next++) {
		if (!has_time(source, source->next))
			continue;
		if (time[source->next] >= end_usec)
			break;
		row = source->next;
	}
	if (row == SIZE_MAX)
		return;
	for (i = source->first_field; i < source->end_field; i++)
		sw_step_rows_set(&replay->reading.rows, &sw_step_fields[i],
				 replay->column[i] ? replay->column[i][row] :
						     SW_MISSING);
}

/* Counters of waits, which begin with the first look. */
static void read_waits(struct replay *replay, uint64_t end_usec)
{
	struct sw_step_reading *reading = &replay->reading;
	const struct sw_wait_interval *interval;
	size_t i;

	for (; replay->next_wait < replay->waits->count; replay->next_wait++) {
		interval = &replay->waits->items[replay->next_wait];
		if (interval->end_usec >= end_usec)
			break;
		reading->waits.usec = interval->end_usec;
		for (i = 0; i < SW_LIMIT_WAITS; i++)
			reading->waits.idle_usec[i] += interval->idle_usec[i];
		reading->waits.io_thread_usec += interval->io_thread_usec;
		reading->waits.lock_thread_usec += interval->lock_thread_usec;
	}
}

/* How busy the busiest of the step's was; NAN. */
static double busiest_of(const struct replay *replay, uint64_t start_usec,
			 uint64_t end_usec)
{
	double busiest = NAN;
	size_t i;

	for (i = 0; i < replay->gpu_count; i++) {
		if (replay->gpus[i].since_usec <= end_usec)
			busiest = fmax(busiest,
				       sw_curve_mean(replay->gpus[i].busy,
						     start_usec, end_usec));
	}
	return busiest;
}

/* Samples of GPUs, which are all taken at the same times. */
static void read_gpus(struct replay *replay, uint64_t end_usec)
{
	struct sw_step_reading *reading = &replay->reading;
	const struct sw_curve *first = replay->gpus[0].busy;
	uint64_t start, end;
	double busiest;

	for (; replay->gpu_count && replay->next_gpu < first->count;
	     replay->next_gpu++) {
		start = first->start_usec[replay->next_gpu];
		end = first->end_usec[replay->next_gpu];
		if (sw_is_missing(reading->gpu.usec))
			reading->gpu.usec = start;
		if (end >= end_usec)
			break;
		reading->gpu.usec = end;
		busiest = busiest_of(replay, start, end);
		if (isnan(busiest) || end - start > SW_GPU_SAMPLE_USEC_MAX)
			continue;
		reading->gpu.seen_usec += end - start;
		reading->gpu.busy_usec += (uint64_t)(
			busiest * (double)(end - start) + 0.5);
	}
}

/* Those of a source that the step was given; 0: not known. */
static uint64_t given_gpus(const struct sw_view *view, const char *source)
{
	uint64_t all = 0;
	size_t i;
	int number;

	for (i = 0; i < view->gpu_count; i++) {
		if (strcmp(view->gpus[i].source, source) != 0)
			continue;
		number = view->gpus[i].is_mig ?
				 -1 : sw_gpu_number(view->gpus[i].name);
		if (number < 0)
			return 0;
		all |= (uint64_t)1 << number;
	}
	return sw_gpus_given(view->given_gpu_bits, view->allocated_gpus, all,
			     !strcmp(source, "gpu"));
}

/* The step's GPUs: those it was given, or else was seen to use. */
static void open_gpus(struct replay *replay)
{
	const struct sw_view *view = replay->view;
	const struct sw_view_gpu *gpu;
	uint64_t given, since;
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		gpu = &view->gpus[i];
		given = given_gpus(view, gpu->source);
		since = !given ? gpu->used_since_usec :
			given >> sw_gpu_number(gpu->name) & 1 ? 0 : SW_MISSING;
		if (sw_is_missing(since) ||
		    replay->gpu_count == SW_GPU_NUMBERS)
			continue;
		replay->gpus[replay->gpu_count].busy = &gpu->busy;
		replay->gpus[replay->gpu_count++].since_usec = since;
	}
}

static uint64_t link_speed(const struct sw_view *view)
{
	const struct sw_view_link *link =
		sw_view_busiest_device(&view->nearby);

	return link ? sw_zero_if_missing(link->bits_per_sec) / 8 : 0;
}

/* The next sample's row of the clock, from its next row on; its count: none. */
static size_t next_sample(const struct replay *replay, size_t row)
{
	const struct source *clock = replay->clock;

	while (row < clock->series.count && !has_time(clock, row))
		row++;
	return row;
}

static void read_all(struct replay *replay, struct sw_step_limits *limits)
{
	const struct sw_series *clock = &replay->clock->series;
	size_t row, next, i;
	uint64_t end_usec;

	if (!clock->time_usec)
		return;
	for (row = next_sample(replay, 0); row < clock->count; row = next) {
		next = next_sample(replay, row + 1);
		end_usec = next < clock->count ? clock->time_usec[next] :
						 SW_MISSING;
		for (i = 0; i < replay->source_count; i++)
			read_rows(replay, &replay->sources[i], end_usec);
		read_waits(replay, end_usec);
		read_gpus(replay, end_usec);
		sw_step_limits_add(limits, &replay->reading);
	}
	sw_step_limits_end(limits);
}

int sw_view_read_samples(const struct sw_view *view,
			 const struct sw_view_parts *parts,
			 const struct sw_wait_track *waits,
			 struct sw_step_limits *limits)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return -1;
	replay->view = view;
	replay->waits = waits;
	sw_step_reading_init(&replay->reading);
	replay->reading.is_by_proc = view->cpu.is_by_proc;
	replay->reading.link_bytes_per_sec = link_speed(view);
	limits->cpus = fmin(view->cpu.allocated_cores,
			    view->cpu.available_cores);
	limits->page_bytes = sw_view_pages_bytes(view, 1);
	limits->start_usec = view->start_usec;
	open_sources(replay, parts);
	open_gpus(replay);
	read_all(replay, limits);
	free(replay);
	return 0;
}
