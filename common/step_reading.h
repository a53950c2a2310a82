/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluate samples of a step for what limits it: readings and the observations
 * of an interval between them.  The recorder fills readings from the rows that
 * it has just written, the analyzer from the rows in a profile.
 */
#ifndef SW_COMMON_STEP_READING_H
#define SW_COMMON_STEP_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

/*
 * Latest row of each source.  "usec" is the boot-time clock when that row was
 * read; it stays if a source has no row in this sample, and is SW_MISSING until
 * its first row.  All other members are counters, except for those of
 * "runnable", which cover the time since the previous row.
 */
struct sw_step_rows {
	struct {
		uint64_t usec, usage_usec;
		/* Quotas of the step's own cgroup and of the nearest ancestor
		 * that has one: periods, and throttled periods */
		uint64_t periods, throttled;
		uint64_t above_periods, above_throttled;
	} cpu;
	struct {
		uint64_t usec, user_usec, system_usec, queued_usec, read_bytes;
	} proc;
	struct {
		/* workingset_refault_*: evicted pages that were read back */
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
	 * them works the step makes progress, as with CPUs.  seen_usec: time
	 * covered by the samples.
	 */
	struct {
		uint64_t usec, busy_usec, seen_usec;
	} gpu;
	uint64_t link_bytes_per_sec;	/* of the node, each way; 0: unknown */
	bool is_by_proc;	/* CPU time is from processes, not the cgroup */
};

/* Member of the rows, by the recorder's names of the source and column */
struct sw_step_field {
	const char *source, *column;	/* "time_usec": time of the row */
	size_t offset;			/* in struct sw_step_rows */
};

enum { SW_STEP_FIELDS = sizeof(struct sw_step_rows) / sizeof(uint64_t) };
extern const struct sw_step_field sw_step_fields[SW_STEP_FIELDS];

/* Set all members to missing. */
void sw_step_reading_init(struct sw_step_reading *reading);
void sw_step_rows_set(struct sw_step_rows *rows,
		      const struct sw_step_field *field, uint64_t value);

/* Return the CPU time used so far, and when it was read; SW_MISSING. */
uint64_t sw_step_reading_usage(const struct sw_step_reading *reading);
uint64_t sw_step_reading_usec(const struct sw_step_reading *reading);

/*
 * Readings in order of time.  Sources are read one after the other, some less
 * often than others and some late; the growth of a counter in an interval is
 * taken from all its rows that overlap with it.  A counter that decreased or is
 * missing gives no value between two rows.
 */
enum { SW_STEP_READINGS = 32 };
struct sw_step_readings {
	size_t first, count;
	struct sw_step_reading items[SW_STEP_READINGS];
};

struct sw_step_reading *
sw_step_readings_at(const struct sw_step_readings *readings, size_t index);

/* Check if each source that has rows has one at usec or later. */
bool sw_step_readings_cover(const struct sw_step_readings *readings,
			    uint64_t usec);

/*
 * Evaluate the interval between a reading and the next one, except for what
 * samples of threads show.  page_bytes: size of a page of memory.
 */
void sw_step_readings_judge(const struct sw_step_readings *readings,
			    size_t index, double page_bytes,
			    struct sw_sight *sight);

/* Return the mean number of workers that ran in that interval; NAN. */
double sw_step_readings_ran(const struct sw_step_readings *readings,
			    size_t index);

#endif
