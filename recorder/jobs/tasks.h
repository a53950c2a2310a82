/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the table "tasks": each task of a step on this node, and how it
 * ended. */
#ifndef SW_RECORDER_TASKS_H
#define SW_RECORDER_TASKS_H

#include <stdint.h>

#include "common/protocol.h"
#include "profiles/writer.h"
#include "recorder/jobs/final_values.h"

/* A row; the last one of a task counts. */
struct sw_task_row {
	uint64_t step;			/* key of its step in the profile */
	const struct sw_message_task *task;
	uint64_t start_usec;
	uint64_t end_usec;		/* SW_MISSING: running */
	uint64_t wait_status;		/* SW_MISSING likewise */
	const struct sw_final_values *final_values;	/* NULL: unknown */
	const char *final_source;	/* "hook", "drop"; NULL: none */
};

void sw_task_write(const struct sw_task_row *row, struct sw_writer *writer,
		   uint64_t now_usec);

#endif
