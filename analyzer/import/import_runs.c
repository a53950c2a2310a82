/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Store runs of any kind of file in the history, and count them. */
#include "analyzer/import/import.h"

#include <stdio.h>
#include <string.h>

/* Commit in between, so that a large import does not block other writers. */
enum { ROWS_AT_ONCE = 20000 };

void sw_import_skip(struct sw_import *import, const char *why,
		    const char *where)
{
	struct sw_import_reason *reason = NULL;
	size_t i;

	import->skipped++;
	for (i = 0; i < import->reason_count; i++) {
		if (!strncmp(import->reasons[i].text, why,
			     SW_IMPORT_WHERE_SIZE - 1))
			reason = &import->reasons[i];
	}
	if (!reason && import->reason_count < SW_IMPORT_REASONS) {
		reason = &import->reasons[import->reason_count++];
		snprintf(reason->text, sizeof(reason->text), "%s", why);
		snprintf(reason->where, sizeof(reason->where), "%s", where);
	}
	if (reason)
		reason->count++;
}

int sw_import_begin(struct sw_import *import, struct sw_error *error)
{
	return sw_history_begin(import->history, error);
}

int sw_import_end(struct sw_import *import, struct sw_error *error)
{
	return sw_history_commit(import->history, error);
}

static int note_merged(struct sw_import *import)
{
	uint64_t row = (uint64_t)sw_history_last_row(import->history);
	bool is_new;

	if (!sw_numbered_need(&import->seen, row, &is_new))
		return -1;
	import->merged += !is_new;
	return 0;
}

int sw_import_run(struct sw_import *import, const struct sw_history_run *run,
		  struct sw_error *error)
{
	struct sw_history_run clean = *run;
	int added;

	import->impossible += sw_history_clean(&clean.run);
	added = sw_history_add(import->history, &clean, error);
	if (added < 0)
		return -1;
	if (added != SW_HISTORY_LEFT_OUT && note_merged(import) < 0)
		return sw_error_errno(error, "the import");
	import->rows++;
	import->steps += run->step && *run->step;
	import->added += added == SW_HISTORY_NEW;
	import->replaced += added == SW_HISTORY_REPLACED;
	import->completed += added == SW_HISTORY_COMPLETED;
	if (import->rows % ROWS_AT_ONCE)
		return 0;
	return sw_import_end(import, error) < 0 ? -1 :
	       sw_import_begin(import, error);
}
