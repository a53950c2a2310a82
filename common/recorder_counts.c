/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format and parse the file of a recorder's counters with one table. */
#include "common/recorder_counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

static const char *const names[SW_NODE_COUNTS] = {
	[SW_COUNT_STEPS] = "steps",
	[SW_COUNT_UNARMED] = "unarmed",
	[SW_COUNT_STEPDS_UNKNOWN] = "stepds_unknown",
	[SW_COUNT_STARTS_LATE] = "starts_late",
	[SW_COUNT_ENDS] = "ends",
	[SW_COUNT_ENDS_LATE] = "ends_late",
	[SW_COUNT_ENDS_DROPPED] = "ends_dropped",
	[SW_COUNT_REPORTS] = "reports",
	[SW_COUNT_REPORTS_LATE] = "reports_late",
	[SW_COUNT_REPORTS_MISSING] = "reports_missing",
	[SW_COUNT_REPORTS_QUIET] = "reports_quiet",
	[SW_COUNT_REPORTS_NO_FILE] = "reports_no_file",
	[SW_COUNT_REPORTS_FOREIGN] = "reports_foreign",
	[SW_COUNT_REPORTS_UNWRITABLE] = "reports_unwritable",
	[SW_COUNT_REMOVED] = "removed",
	[SW_COUNT_CGROUPS_UNKNOWN] = "cgroups_unknown",
	[SW_COUNT_LAST_START_USEC] = "last_start_usec",
};

/* Line behind the numbers: the form of the last unknown cgroup */
static const char form_name[] = "cgroup_form";

size_t sw_recorder_counts_format(char *text, size_t size,
				 const uint64_t number[SW_NODE_COUNTS],
				 const char *form)
{
	size_t i;

	text[0] = '\0';
	for (i = 0; i < SW_NODE_COUNTS; i++)
		sw_text_add(text, size, "%s %" PRIu64 "\n", names[i],
			    number[i]);
	if (*form)
		sw_text_add(text, size, "%s %s\n", form_name, form);
	return strlen(text);
}

int sw_recorder_counts_parse(const char *text, uint64_t number[SW_NODE_COUNTS],
			     char form[SW_CGROUP_FORM_SIZE])
{
	const char *value;
	int rc = 0;
	size_t i;

	for (i = 0; i < SW_NODE_COUNTS; i++) {
		value = sw_text_line_value(text, names[i]);
		number[i] = value ? strtoull(value, NULL, 10) : 0;
		rc = value ? rc : -1;
	}
	value = sw_text_line_value(text, form_name);
	snprintf(form, SW_CGROUP_FORM_SIZE, "%.*s",
		 value ? (int)strcspn(value, "\n") : 0, value ? value : "");
	return rc;
}
