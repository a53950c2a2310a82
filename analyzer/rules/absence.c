/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a recording lacks a table. */
#include "analyzer/rules/absence.h"

#include <string.h>

const char *sw_absence_reason(const struct sw_view *view, const char *table)
{
	const char *source = strchr(table, '.');
	size_t i, length;

	source = source ? source + 1 : table;
	length = strlen(source);
	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strncmp(event->kind, "source_", 7) && event->detail &&
		    !strncmp(event->detail, source, length) &&
		    event->detail[length] == ':')
			return event->detail + length + 1 +
			       strspn(event->detail + length + 1, " ");
	}
	return NULL;
}
