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
#include "common/step_cgroup.h"

enum sw_node_count {
	SW_COUNT_STEPS,		/* announced by their hooks */
	SW_COUNT_UNARMED,	/* of these: not fully observed before exec */
	SW_COUNT_STEPDS_UNKNOWN,	/* of these: slurmstepd not found */
	SW_COUNT_STARTS_LATE,	/* of these: the hook had timed out */
	SW_COUNT_ENDS,		/* of steps, as hooks announced them */
	SW_COUNT_ENDS_LATE,	/* of these: the hook had timed out */
	SW_COUNT_ENDS_DROPPED,	/* found in the drop file instead */
	SW_COUNT_REPORTS,	/* that were wanted and could be written */
	SW_COUNT_REPORTS_LATE,	/* of these: after the hook had timed out */
	SW_COUNT_REPORTS_MISSING,	/* of these: not written */
	/* Batch scripts without one: that want none, whose error file is no
	 * regular one, or another user's, or takes no more. */
	SW_COUNT_REPORTS_QUIET,
	SW_COUNT_REPORTS_NO_FILE,
	SW_COUNT_REPORTS_FOREIGN,
	SW_COUNT_REPORTS_UNWRITABLE,
	SW_COUNT_REMOVED,	/* profiles, of a full spool */
	SW_COUNT_CGROUPS_UNKNOWN,	/* steps in a cgroup not understood */
	/* No count: when a hook last announced a step, CLOCK_BOOTTIME. */
	SW_COUNT_LAST_START_USEC,
	SW_NODE_COUNTS,
};

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
