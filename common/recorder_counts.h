/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of a node's recorder, and their file beside its socket, which the
 * doctor reads: "name number" per line.
 */
#ifndef SW_COMMON_RECORDER_COUNTS_H
#define SW_COMMON_RECORDER_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/step_cgroup.h"

enum sw_recorder_count {
	SW_COUNT_STEPS,		/* announced by their hooks */
	SW_COUNT_UNARMED,	/* of these: not fully observed before exec */
	SW_COUNT_STEPDS_UNKNOWN,	/* of these: slurmstepd not found */
	SW_COUNT_STARTS_LATE,	/* of these: the hook had timed out */
	SW_COUNT_ENDS,		/* step ends announced by hooks */
	SW_COUNT_ENDS_LATE,	/* of these: the hook had timed out */
	SW_COUNT_ENDS_DROPPED,	/* found in the drop file instead */
	SW_COUNT_REPORTS,	/* requested and possible to write */
	SW_COUNT_REPORTS_LATE,	/* of these: after the hook had timed out */
	SW_COUNT_REPORTS_MISSING,	/* of these: not written */
	/* Batch scripts without a report: not requested, or stderr is not a
	 * regular file, belongs to another user, or cannot be written. */
	SW_COUNT_REPORTS_QUIET,
	SW_COUNT_REPORTS_NO_FILE,
	SW_COUNT_REPORTS_FOREIGN,
	SW_COUNT_REPORTS_UNWRITABLE,
	SW_COUNT_REMOVED,	/* profiles removed from a full spool */
	SW_COUNT_CGROUPS_UNKNOWN,	/* steps in an unknown form of cgroup */
	/* Not a counter: CLOCK_BOOTTIME when a hook last announced a step */
	SW_COUNT_LAST_START_USEC,
	SW_NODE_COUNTS,
};

/* Room for all numbers, the longest form, and the text behind them */
enum {
	SW_RECORDER_COUNTS_SIZE =
		48 * SW_NODE_COUNTS + 2 * SW_CGROUP_FORM_SIZE,
};

/* Format the lines; form: of the last unknown cgroup, or "". */
size_t sw_recorder_counts_format(char *text, size_t size,
				 const uint64_t number[SW_NODE_COUNTS],
				 const char *form);

/*
 * Parse the lines.  Returns -1 if a number is missing, which is set to 0: the
 * text is from another version of the recorder.
 */
int sw_recorder_counts_parse(const char *text, uint64_t number[SW_NODE_COUNTS],
			     char form[SW_CGROUP_FORM_SIZE]);

#endif
