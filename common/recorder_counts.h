/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a node's recorder counts, and the file of it beside its socket, which
 * the doctor reads: "name number" a line.
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

/* Enough for every number, the longest form, and what is behind them. */
enum {
	SW_RECORDER_COUNTS_SIZE =
		48 * SW_NODE_COUNTS + 2 * SW_CGROUP_FORM_SIZE,
};

/* Format the lines; form is of the last unknown cgroup, or "". */
size_t sw_recorder_counts_format(char *text, size_t size,
				 const uint64_t number[SW_NODE_COUNTS],
				 const char *form);

/*
 * Parse the lines.  -1 where one of the numbers is not there, which is 0 then:
 * the text is of a recorder of another version.
 */
int sw_recorder_counts_parse(const char *text, uint64_t number[SW_NODE_COUNTS],
			     char form[SW_CGROUP_FORM_SIZE]);

#endif
