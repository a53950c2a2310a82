/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read fingerprints from the history. */
#include "analyzer/history/history_prints.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_internal.h"
#include "common/delta.h"
#include "common/grow.h"

/* Take the end from the row, where Slurm's record may have changed it. */
static void take_end(struct sw_fingerprint *print, const struct sw_run *run)
{
	if (run->state != SW_RUN_UNKNOWN)
		print->state = run->state;
	if (run->exit_code >= 0)
		print->exit_code = sw_whole_real(run->exit_code);
}

static int keep(void *context, sqlite3_stmt *statement)
{
	struct sw_history_prints *prints = context;
	const char *job = (const char *)sqlite3_column_text(statement, 0);
	const void *bytes = sqlite3_column_blob(statement, 1);
	struct sw_history_print *item;
	struct sw_run run;

	if (!bytes)
		return 0;
	if (sw_grow(&prints->items, prints->count, sizeof(*prints->items)) < 0)
		return -1;
	item = &prints->items[prints->count];
	if (sw_fingerprint_decode(&item->print, bytes, (size_t)
				  sqlite3_column_bytes(statement, 1)) < 0)
		return 0;
	sw_history_read_run(statement, 2, &run);
	take_end(&item->print, &run);
	item->start_seconds = run.start_seconds;
	item->end_seconds = run.end_seconds;
	item->job = strdup(sw_text(job));
	if (!item->job)
		return -1;
	prints->count++;
	return 0;
}

/* They were read newest first. */
static void turn_around(struct sw_history_prints *prints)
{
	struct sw_history_print item;
	size_t i, j;

	for (i = 0; i < prints->count / 2; i++) {
		j = prints->count - 1 - i;
		item = prints->items[i];
		prints->items[i] = prints->items[j];
		prints->items[j] = item;
	}
}

int sw_history_prints(struct sw_history *history, const char *group,
		      double before_seconds, size_t limit,
		      struct sw_history_prints *prints, struct sw_error *error)
{
	sqlite3_stmt *statement;

	*prints = (struct sw_history_prints){ 0 };
	if (history->version <= SW_HISTORY_SINCE_FINGERPRINT)
		return 0;
	statement =
		sw_history_statement(history, SW_HISTORY_SELECT_PRINTS, error);
	if (!statement)
		return -1;
	sqlite3_bind_text(statement, 1, group, -1, SQLITE_STATIC);
	sqlite3_bind_double(statement, 2, before_seconds);
	sqlite3_bind_int64(statement, 3,
			   limit > INT64_MAX ? INT64_MAX
					     : (sqlite3_int64)limit);
	if (sw_history_each_row(history, statement, keep, prints, error) < 0) {
		sw_history_prints_fini(prints);
		return -1;
	}
	turn_around(prints);
	return 0;
}

void sw_history_prints_fini(struct sw_history_prints *prints)
{
	size_t i;

	for (i = 0; i < prints->count; i++)
		free(prints->items[i].job);
	free(prints->items);
	*prints = (struct sw_history_prints){ 0 };
}
