/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counts that the node's recorder keeps in a file beside its socket. */
#include "analyzer/doctor/node_counted.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/doctor/plugstack.h"
#include "common/text.h"

/* As recorder/daemon/node_counts.c writes them; the test holds the two together. */
static const char *const names[SW_NODE_COUNTED] = {
	[SW_COUNTED_STEPS] = "steps",
	[SW_COUNTED_UNARMED] = "unarmed",
	[SW_COUNTED_STEPDS_UNKNOWN] = "stepds_unknown",
	[SW_COUNTED_STARTS_LATE] = "starts_late",
	[SW_COUNTED_ENDS] = "ends",
	[SW_COUNTED_ENDS_LATE] = "ends_late",
	[SW_COUNTED_ENDS_DROPPED] = "ends_dropped",
	[SW_COUNTED_REPORTS] = "reports",
	[SW_COUNTED_REPORTS_LATE] = "reports_late",
	[SW_COUNTED_REPORTS_MISSING] = "reports_missing",
	[SW_COUNTED_REPORTS_QUIET] = "reports_quiet",
	[SW_COUNTED_REPORTS_NO_FILE] = "reports_no_file",
	[SW_COUNTED_REPORTS_FOREIGN] = "reports_foreign",
	[SW_COUNTED_REPORTS_UNWRITABLE] = "reports_unwritable",
	[SW_COUNTED_REMOVED] = "removed",
	[SW_COUNTED_CGROUPS_UNKNOWN] = "cgroups_unknown",
	[SW_COUNTED_LAST_START_USEC] = "last_start_usec",
};

/* "name number" a line; false where one of them is not there. */
static bool parse(const char *text, struct sw_counted *counts)
{
	const char *value;
	size_t i;

	for (i = 0; i < SW_NODE_COUNTED; i++) {
		value = sw_text_line_value(text, names[i]);
		if (!value)
			return false;
		counts->number[i] = strtoull(value, NULL, 10);
	}
	value = sw_text_line_value(text, "cgroup_form");
	snprintf(counts->cgroup_form, sizeof(counts->cgroup_form), "%.*s",
		 value ? (int)strcspn(value, "\n") : 0, value ? value : "");
	return true;
}

int sw_node_counted_read(const struct sw_doctor *doctor,
			 struct sw_counted *counts, char *path, size_t size)
{
	struct sw_plugstack stack;
	char text[1024];
	char *slash;

	sw_plugstack_read(&stack, doctor);
	snprintf(path, size, "%s", stack.socket);
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash, size - (size_t)(slash - path), "/counts");
	if (sw_doctor_read(doctor, path, text, sizeof(text)) <= 0 ||
	    !parse(text, counts))
		return -1;
	return 0;
}
