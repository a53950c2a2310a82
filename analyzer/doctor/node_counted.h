/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of the node's recorder since its start: /run/stepwell/counts. */
#ifndef SW_ANALYZER_NODE_COUNTED_H
#define SW_ANALYZER_NODE_COUNTED_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/doctor/doctor.h"
#include "common/recorder_counts.h"

struct sw_counted {
	uint64_t number[SW_NODE_COUNTS];
	/* Of the last cgroup that was not understood; "": of none. */
	char cgroup_form[SW_CGROUP_FORM_SIZE];
};

/*
 * Read all counts, and set the path of the file.  Return -1 if it cannot be
 * read or lacks a count: it is not of a recorder of this version.
 */
int sw_node_counted_read(const struct sw_doctor *doctor,
			 struct sw_counted *counts, char *path, size_t size);

#endif
