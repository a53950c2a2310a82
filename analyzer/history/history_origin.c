/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make attempts from rows of the history, the own run last. */
#include "analyzer/history/history_origin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/grouping/thing.h"
#include "analyzer/history/history_internal.h"
#include "common/grow.h"
#include "common/missing.h"
#include "common/text.h"

enum { ROWS_MAX = 500 };

/* Columns of SELECT_ATTEMPTS; numbers of the run follow. */
enum { JOB, NAME, LINEAGE, SOURCE, HAS_SLURM_STATE, FINGERPRINT, NUMBERS };

/* A run, and the texts of its attempt. */
struct row {
	struct sw_run run;
	struct sw_thing thing;
	char place[SW_ORIGIN_PLACES][SW_FINGERPRINT_TEXT];
};

struct reading {
	const struct sw_history_run *own;
	struct sw_run own_run; /* with what only the history has */
	struct row *rows;
	size_t count;
};

static void put_places(struct row *row, const struct sw_fingerprint *print)
{
	const struct sw_fingerprint_environment *from = &print->environment;
	const char *const texts[SW_ORIGIN_PLACES] = {
		[SW_ORIGIN_ON_NODE] = from->node,
		[SW_ORIGIN_ON_MOUNT] = from->mount,
		[SW_ORIGIN_ON_KIND] = from->kind,
	};
	size_t i;

	for (i = 0; i < SW_ORIGIN_PLACES; i++)
		snprintf(row->place[i], sizeof(row->place[i]), "%s", texts[i]);
}

static const char *text_of(sqlite3_stmt *statement, int column)
{
	return sw_text((const char *)sqlite3_column_text(statement, column));
}

static bool is_by_slurm(sqlite3_stmt *statement)
{
	return sqlite3_column_int(statement, SOURCE) == SW_HISTORY_SACCT ||
	       sqlite3_column_int(statement, HAS_SLURM_STATE) != 0;
}

/* A preempted run may have reported a failure: only Slurm knows. */
static bool is_unclear(const struct reading *reading, sqlite3_stmt *statement)
{
	return !strcmp(text_of(statement, JOB), sw_text(reading->own->job)) &&
	       !is_by_slurm(statement);
}

static void take_print(struct row *row, sqlite3_stmt *statement)
{
	const void *bytes = sqlite3_column_blob(statement, FINGERPRINT);
	struct sw_fingerprint print;

	if (!bytes ||
	    sw_fingerprint_decode(
		    &print, bytes,
		    (size_t)sqlite3_column_bytes(statement, FINGERPRINT)) < 0)
		return;
	put_places(row, &print);
	if (print.has_failure && row->run.state == SW_RUN_COMPLETED)
		row->run.state = SW_RUN_UNKNOWN;
}

static int take(void *context, sqlite3_stmt *statement)
{
	struct reading *reading = context;
	struct sw_run run;
	struct row *row;

	sw_history_read_run(statement, NUMBERS, &run);
	if (sw_history_is_run(reading->own, text_of(statement, JOB),
			      run.start_seconds)) {
		sw_history_merge(&reading->own_run, &run);
		if (is_by_slurm(statement))
			sw_history_take_state(&reading->own_run, &run);
		return 0;
	}
	if (sw_grow(&reading->rows, reading->count, sizeof(*row)) < 0)
		return -1;
	row = &reading->rows[reading->count++];
	*row = (struct row){ .run = run };
	sw_thing_find(&row->thing, text_of(statement, NAME),
		      text_of(statement, JOB), text_of(statement, LINEAGE));
	take_print(row, statement);
	if (run.state == SW_RUN_FAILED && is_unclear(reading, statement))
		row->run.state = SW_RUN_UNKNOWN;
	return 0;
}

static int read_rows(struct sw_history *history, struct reading *reading,
		     struct sw_error *error)
{
	sqlite3_stmt *statement = sw_history_statement(
		history, SW_HISTORY_SELECT_ATTEMPTS, error);

	if (!statement)
		return -1;
	sqlite3_bind_text(statement, 1, reading->own->group, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, sw_text(reading->own->cluster), -1,
			  SQLITE_STATIC);
	sqlite3_bind_int(statement, 3, ROWS_MAX);
	return sw_history_each_row(history, statement, take, reading, error);
}

static int add_own(struct reading *reading, const struct sw_fingerprint *print)
{
	const struct sw_history_run *own = reading->own;
	struct row *row;

	if (sw_grow(&reading->rows, reading->count, sizeof(*row)) < 0)
		return -1;
	row = &reading->rows[reading->count++];
	*row = (struct row){ .run = reading->own_run };
	sw_thing_find(&row->thing, sw_text(own->name), sw_text(own->job),
		      sw_text(own->lineage));
	put_places(row, print);
	return 0;
}

static struct sw_origin_attempt attempt_of(const struct row *row)
{
	struct sw_origin_attempt attempt = {
		.thing = row->thing.key,
		.start_seconds = row->run.start_seconds,
		.end_seconds = row->run.end_seconds,
		.state = row->run.state,
		.exit_code = row->run.exit_code,
		.requested_bytes = row->run.requested_bytes,
		.requested_seconds = row->run.requested_seconds,
		.count = 1,
	};
	size_t i;

	for (i = 0; i < SW_ORIGIN_PLACES; i++)
		attempt.place[i] = row->place[i];
	return attempt;
}

/* The own run is the last row. */
static int find(const struct reading *reading, struct sw_origin_told *told)
{
	const struct row *own = &reading->rows[reading->count - 1];
	struct sw_origin_attempt *attempts =
		calloc(reading->count, sizeof(*attempts));
	size_t i;
	int rc = -1;

	for (i = 0; attempts && i < reading->count; i++)
		attempts[i] = attempt_of(&reading->rows[i]);
	if (attempts)
		rc = sw_origin_find(&told->origin, attempts, reading->count,
				    reading->count - 1);
	free(attempts);
	told->what = own->thing.what;
	snprintf(told->thing, sizeof(told->thing), "%s", own->thing.name);
	for (i = 0; i < SW_ORIGIN_PLACES; i++)
		snprintf(told->place[i], sizeof(told->place[i]), "%s",
			 own->place[i]);
	return rc;
}

int sw_history_origin(struct sw_history *history,
		      const struct sw_history_run *own,
		      const struct sw_fingerprint *print,
		      struct sw_origin_told *told, struct sw_error *error)
{
	struct reading reading = { .own = own, .own_run = own->run };
	int rc;

	*told = (struct sw_origin_told){ 0 };
	rc = read_rows(history, &reading, error);
	if (rc == 0 && sw_origin_is_failure(reading.own_run.state) &&
	    !isnan(reading.own_run.start_seconds)) {
		rc = add_own(&reading, print);
		if (rc == 0)
			rc = find(&reading, told);
		rc = rc == 0 ? 1 : sw_error_errno(error, "the runs before");
	}
	free(reading.rows);
	return rc;
}
