/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a node's day as they are in its file, in 360 bytes each: numbers
 * by their columns, and texts by theirs in a table.
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

/* Texts beside the names; "" where the row has none. */
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
	uint32_t next;		     /* for who keeps rows in lists */
	uint64_t n[SW_STEP_NUMBERS]; /* or SW_MISSING */
};

/* What is done with rows; texts of the jobs' names only if has_names. */
struct sw_step_rows_taker {
	struct sw_texts *texts;
	bool has_names;
	/* Anything but 0 ends the reading. */
	int (*take)(void *context, const struct sw_step_row *row);
	void *context;
};

/* What is read of a file without its jobs' names, for struct sw_reader_want. */
extern const struct sw_reader_only sw_step_rows_only;

/*
 * All rows of a node's day, which is path's; *unnamed counts those that name
 * no step.  0, what take() returned, or -1 (errno ENOMEM).
 */
int sw_step_rows_read(const struct sw_step_rows_taker *taker,
		      const struct sw_reader *reader, const char *path,
		      size_t *unnamed);

#endif
