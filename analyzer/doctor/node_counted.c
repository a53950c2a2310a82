/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts that the node's recorder keeps in a file next to its socket. */
#include "analyzer/doctor/node_counted.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/doctor/plugstack.h"

int sw_node_counted_read(const struct sw_doctor *doctor,
			 struct sw_counted *counts, char *path, size_t size)
{
	struct sw_plugstack stack;
	char text[SW_RECORDER_COUNTS_SIZE];
	char *slash;

	sw_plugstack_read(&stack, doctor);
	snprintf(path, size, "%s", stack.socket);
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash, size - (size_t)(slash - path), "/counts");
	if (sw_doctor_read(doctor, path, text, sizeof(text)) <= 0 ||
	    sw_recorder_counts_parse(text, counts->number,
				     counts->cgroup_form) < 0)
		return -1;
	return 0;
}
