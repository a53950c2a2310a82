/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sample of a step says of what limits it, and what the samples around
 * an interval say of the interval.  The recorder fills readings from the rows
 * that it has just written, the analyzer from those in a profile.
 */
#ifndef SW_COMMON_STEP_READING_H
#define SW_COMMON_STEP_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

/*
 * The latest row of each source.  "usec" is when that row was read, on the
 * boot-time clock; it stays where a source had no row in this sample, and is
 * SW_MISSING until the source had one.  All other members are counters, but for
 * those of "runnable", which are of the time since the row before.
 */
struct sw_step_rows {
	struct {
		uint64_t usec, usage_usec;
		/* The quota of the step's own cgroup, and the nearest one of a
		 * cgroup above: periods, and those in which it was used up. */
		uint64_t periods, throttled;
		uint64_t above_periods, above_throttled;
	} cpu;
	struct {
		uint64_t usec, user_usec, system_usec, queued_usec, read_bytes;
	} proc;
	struct {
		/* Pages that were read back after they had been evicted. */
		uint64_t usec, refaults_file, refaults_anon;
	} memory;
	struct {
		uint64_t usec, read_bytes, written_bytes;
	} io;
	struct {
		uint64_t usec, io_full_usec, memory_full_usec;
	} pressure;
	struct {
		uint64_t usec, received_bytes, sent_bytes;
	} net;
	struct {
		uint64_t usec, threads, cpus;
		uint64_t workers, workers_usec, busiest_usec, workers_ran;
	} runnable;
};

struct sw_step_reading {
	struct sw_step_rows rows;
	struct {
		uint64_t usec, idle_usec[SW_LIMIT_WAITS];
		uint64_t io_thread_usec, lock_thread_usec;
	} waits;
	/*
	 * In each sample the busiest of the step's GPUs counts: while one of
	 * them works the step goes on, as with CPUs.  seen_usec: the time that
	 * the samples speak for.
	 */
	struct {
		uint64_t usec, busy_usec, seen_usec;
	} gpu;
	uint64_t link_bytes_per_sec;	/* each way, of the node; 0: unknown */
	bool is_by_proc;	/* CPU time: the processes', no cgroup's */
};

/* A member of the rows, by the recorder's names of the source and column. */
struct sw_step_field {
	const char *source, *column;	/* "time_usec": when it was read */
	size_t offset;			/* in struct sw_step_rows */
};

enum { SW_STEP_FIELDS = sizeof(struct sw_step_rows) / sizeof(uint64_t) };
extern const struct sw_step_field sw_step_fields[SW_STEP_FIELDS];

/* All missing. */
void sw_step_reading_init(struct sw_step_reading *reading);
void sw_step_rows_set(struct sw_step_rows *rows,
		      const struct sw_step_field *field, uint64_t value);

/* The CPU time used so far, and when it was read; SW_MISSING. */
uint64_t sw_step_reading_usage(const struct sw_step_reading *reading);
uint64_t sw_step_reading_usec(const struct sw_step_reading *reading);

/*
 * Readings in the order of time.  Sources are read one after the other, some
 * less often than others and some late; what a counter did in an interval is
 * taken from all its rows whose time overlaps with it.  A counter that went
 * back or is missing says nothing of the time between two rows.
 */
enum { SW_STEP_READINGS = 32 };
struct sw_step_readings {
	size_t first, count;
	struct sw_step_reading items[SW_STEP_READINGS];
};

struct sw_step_reading *
sw_step_readings_at(const struct sw_step_readings *readings, size_t index);

/* Whether all sources that have rows at all have one at usec or later. */
bool sw_step_readings_cover(const struct sw_step_readings *readings,
			    uint64_t usec);

/*
 * What was seen between a reading and the next one, except for what looks at
 * the threads tell.  page_bytes: of a page of memory.
 */
void sw_step_readings_judge(const struct sw_step_readings *readings,
			    size_t index, double page_bytes,
			    struct sw_sight *sight);

/* Workers that ran in that interval, on average; NAN. */
double sw_step_readings_ran(const struct sw_step_readings *readings,
			    size_t index);

#endif
