/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the node's recorder counts since it began: /run/stepwell/counts. */
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
 * Read all of them; -1 where the file, whose path is stored, cannot be read or
 * lacks one: no recorder of this version wrote it.
 */
int sw_node_counted_read(const struct sw_doctor *doctor,
			 struct sw_counted *counts, char *path, size_t size);

#endif
