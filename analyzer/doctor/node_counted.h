/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the node's recorder counts since it began: /run/stepwell/counts. */
#ifndef SW_ANALYZER_NODE_COUNTED_H
#define SW_ANALYZER_NODE_COUNTED_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/doctor/doctor.h"
#include "common/step_cgroup.h"

enum sw_node_counted {
	SW_COUNTED_STEPS,
	SW_COUNTED_UNARMED,
	SW_COUNTED_STEPDS_UNKNOWN,
	SW_COUNTED_STARTS_LATE,
	SW_COUNTED_ENDS,
	SW_COUNTED_ENDS_LATE,
	SW_COUNTED_ENDS_DROPPED,
	SW_COUNTED_REPORTS,
	SW_COUNTED_REPORTS_LATE,
	SW_COUNTED_REPORTS_MISSING,
	SW_COUNTED_REPORTS_QUIET,
	SW_COUNTED_REPORTS_NO_FILE,
	SW_COUNTED_REPORTS_FOREIGN,
	SW_COUNTED_REPORTS_UNWRITABLE,
	SW_COUNTED_REMOVED,
	SW_COUNTED_CGROUPS_UNKNOWN,
	SW_COUNTED_LAST_START_USEC,
	SW_NODE_COUNTED,
};

struct sw_counted {
	uint64_t number[SW_NODE_COUNTED];
	/* Of the last cgroup that was not understood; "": of none. */
	char cgroup_form[SW_CGROUP_FORM_SIZE];
};

/*
 * Read all of them; -1 where the file, whose path is stored, cannot be read or
 * lacks one: no recorder of this version wrote it.
 */
int sw_node_counted_read(const struct sw_doctor *doctor,
			 struct sw_counted *counts, char *path, size_t size);

#endif
