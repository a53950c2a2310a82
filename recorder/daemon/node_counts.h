/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often hooks and reports came too late, since the recorder was started;
 * one that follows a recorder that was killed goes on counting.  For the log,
 * and in a file beside the socket for "stepwell doctor".
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
	char cgroup_form[SW_CGROUP_FORM_SIZE];	/* the last of these; "" */
	uint64_t log_usec;		/* of the next line */
	int steps_fd;			/* the file is beside it; -1: none */
};

/*
 * Count from now on, or go on where a recorder was killed; steps_fd is the
 * folder of steps, -1: there is none.
 */
void sw_node_counts_begin(struct sw_node_counts *counts, int steps_fd);

/* A message of this type was answered; did its hook still wait? */
void sw_node_counts_answer(struct sw_node_counts *counts, uint16_t type,
			   enum sw_message_status status, bool is_awaited);

/* A step began in a cgroup whose path has this form, which no Slurm had. */
void sw_node_counts_unknown(struct sw_node_counts *counts, const char *form);

/* A report was wanted, and is not written. */
void sw_node_counts_missing(struct sw_node_counts *counts);

/* So many profiles were removed of a full spool. */
void sw_node_counts_removed(struct sw_node_counts *counts, uint64_t count);

/*
 * Write what has changed: the file, and once an hour a line of the log.  After
 * is_end the next recorder begins anew.
 */
void sw_node_counts_write(struct sw_node_counts *counts, bool is_end);

#endif
