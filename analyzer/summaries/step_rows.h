/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a node's day as stored in its file, in 360 bytes each: numbers by
 * column, and texts by their id in a table.
 */
#ifndef SW_ANALYZER_STEP_ROWS_H
#define SW_ANALYZER_STEP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/keyed/texts.h"
#include "common/limits.h"
#include "profiles/reader.h"

#define SW_STEP_LIMITED(NAME, name) SW_STEP_LIMITED_##NAME##_USEC,
enum sw_step_number {
	SW_STEP_JOB_ID,
	SW_STEP_ARRAY_JOB_ID,
	SW_STEP_ARRAY_TASK_ID,
	SW_STEP_HET_JOB_ID,
	SW_STEP_HET_COMPONENT,
	SW_STEP_RESTARTS,
	SW_STEP_UID,
	SW_STEP_WAIT_STATUS,
	SW_STEP_START_USEC,
	SW_STEP_END_USEC,
	SW_STEP_NEED_BYTES,
	SW_STEP_FLOOR_BYTES,
	SW_STEP_REQUESTED_BYTES,
	SW_STEP_REQUESTED_CPUS_MILLI,
	SW_STEP_USAGE_USEC,
	SW_STEP_PEAK_CORES_MILLI,
	SW_STEP_TASKS,
	SW_STEP_OOM_KILLS,
	SW_STEP_INPUT_BYTES,
	SW_STEP_THROTTLED_USEC,
	SW_STEP_CPU_SOME_USEC,
	SW_STEP_MEMORY_FULL_USEC,
	SW_STEP_IO_FULL_USEC,
	SW_STEP_READ_BYTES,
	SW_STEP_WRITTEN_BYTES,
	SW_STEP_GPU_SEEN_USEC,
	SW_STEP_GPU_BUSY_USEC,
	SW_STEP_STALL_IDLE_USEC,
	SW_LIMITED_BY_EACH(SW_STEP_LIMITED)
	SW_STEP_DISK_BYTES_PER_SEC,
	SW_STEP_NET_BYTES_PER_SEC,
	SW_STEP_NUMBERS,
};

/* Texts other than names; "" if the row has none. */
enum sw_step_text {
	SW_STEP_STALL_KIND,
	SW_STEP_STALL_FS,
	SW_STEP_STALL_MOUNT,
	SW_STEP_FAILED_PROGRAM,
	SW_STEP_FAILED_CAUSE,
	SW_STEP_TEXTS,
};

struct sw_step_row {
	uint32_t cluster, node, step, name; /* in a struct sw_texts */
	uint32_t text[SW_STEP_TEXTS];
	uint32_t is_correction;
	uint32_t next;		     /* for lists of rows */
	uint64_t n[SW_STEP_NUMBERS]; /* or SW_MISSING */
};

/* Receiver of rows; job names are only read if has_names. */
struct sw_step_rows_taker {
	struct sw_texts *texts;
	bool has_names;
	/* A nonzero result ends the reading. */
	int (*take)(void *context, const struct sw_step_row *row);
	void *context;
};

/* Columns to read without job names, for struct sw_reader_want. */
extern const struct sw_reader_only sw_step_rows_only;

/*
 * Read all rows of a node's day from path; *unnamed counts rows without a step.
 * Return 0, the result of take(), or -1 (errno ENOMEM).
 */
int sw_step_rows_read(const struct sw_step_rows_taker *taker,
		      const struct sw_reader *reader, const char *path,
		      size_t *unnamed);

#endif
