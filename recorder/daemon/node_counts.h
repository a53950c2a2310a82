/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count hooks and reports that were too late, since the start of the recorder;
 * after a crash, its successor continues the counts.  Written to the log, and
 * to a file next to the socket for "stepwell doctor".
 */
#ifndef SW_RECORDER_NODE_COUNTS_H
#define SW_RECORDER_NODE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"
#include "common/recorder_counts.h"
#include "common/step_cgroup.h"

struct sw_node_counts {
	uint64_t number[SW_NODE_COUNTS];
	uint64_t written[SW_NODE_COUNTS];	/* as in the file */
	uint64_t logged[SW_NODE_COUNTS];
	uint64_t removed_before;	/* by recorders that were killed */
	char cgroup_form[SW_CGROUP_FORM_SIZE];	/* last unknown form; or "" */
	uint64_t log_usec;		/* time of the next log line */
	int steps_fd;			/* the file is next to it; -1: none */
};

/*
 * Start counting, or continue after a crash.  steps_fd is the directory of
 * steps; -1: none.
 */
void sw_node_counts_begin(struct sw_node_counts *counts, int steps_fd);

/* Count an answered message, and whether its hook was still waiting. */
void sw_node_counts_answer(struct sw_node_counts *counts, uint16_t type,
			   enum sw_message_status status, bool is_awaited);

/* Count a step whose cgroup path has a form unknown in any Slurm release. */
void sw_node_counts_unknown(struct sw_node_counts *counts, const char *form);

/* Count a requested report that is not written. */
void sw_node_counts_missing(struct sw_node_counts *counts);

/* Set the number of profiles removed from a full spool. */
void sw_node_counts_removed(struct sw_node_counts *counts, uint64_t count);

/*
 * Write changes: the file, and a log line at most once an hour.  After is_end,
 * the next recorder starts from zero.
 */
void sw_node_counts_write(struct sw_node_counts *counts, bool is_end);

#endif
