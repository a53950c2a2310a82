/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add runs to the history.  A run known from the same or another source becomes
 * one row with the data of both.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_internal.h"
#include "common/missing.h"
#include "common/units.h"
#include "common/user.h"

#define EXACT_START_SECONDS 0.001

#define NOT_WRITTEN "nothing was added to the history"

static const char *const texts[SW_HISTORY_STATEMENTS] = {
	[SW_HISTORY_FIND_GROUP_ID] =
		"SELECT id FROM groups WHERE name = ?1",
	[SW_HISTORY_ADD_GROUP] =
		"INSERT INTO groups (name, label, is_of_step) "
		"VALUES (?1, ?2, ?3)",
	[SW_HISTORY_MARK_STATE] =
		"UPDATE runs SET has_slurm_state = 1 WHERE id = ?1",
	[SW_HISTORY_NEXT_ID] =
		"SELECT coalesce(max(id), ?1) + 1 FROM runs "
		"WHERE id >= ?1 AND id < ?2",
};

static char *make_select(const struct sw_history *history, const char *head,
			 const char *tail)
{
	char *columns = sw_history_columns_sql(history), *text = NULL;

	if (columns)
		text = sqlite3_mprintf("SELECT %s, %s FROM runs %s", head,
				       columns, tail);
	sqlite3_free(columns);
	return text;
}

/* The newest runs of a group, and those of a name. */
#define OF_GROUP "WHERE group_id = (SELECT id FROM groups WHERE name = ?1) "
#define NEWEST	 "ORDER BY end_seconds DESC, id DESC LIMIT "

static char *make_attempts(const struct sw_history *history)
{
	char head[128];

	snprintf(head, sizeof(head), "job, name, lineage, source, %s, %s",
		 sw_history_column_sql(history, "has_slurm_state",
				       SW_HISTORY_SINCE_SLURM_STATE),
		 sw_history_column_sql(history, "fingerprint",
				       SW_HISTORY_SINCE_FINGERPRINT));
	return make_select(history, head,
			   OF_GROUP "AND cluster = ?2 AND step = '' "
			   NEWEST "?3");
}

static char *text_of(const struct sw_history *history,
		     enum sw_history_statement which)
{
	bool has_state = history->version > SW_HISTORY_SINCE_SLURM_STATE;

	switch (which) {
	case SW_HISTORY_INSERT:
		return sw_history_write_sql(history, false);
	case SW_HISTORY_UPDATE:
		return sw_history_write_sql(history, true);
	case SW_HISTORY_FIND_RUN:
		return make_select(history,
				   "id, source, restart, cluster, user, "
				   "has_slurm_state, name, group_id, "
				   "(?3 = '' AND user != '') OR "
				   "(?4 = '' AND name != '') OR "
				   "(?5 = '' AND programs != '') OR "
				   "(?6 = '' AND step_program != '')",
				   "WHERE job = ?1 AND step = ?2");
	case SW_HISTORY_SELECT_RUNS:
		return make_select(history, "job, lineage",
				   OF_GROUP NEWEST "?2");
	case SW_HISTORY_SELECT_ALIKE:
		return make_select(history,
				   has_state ? "job, partition, source, "
					       "has_slurm_state" :
					       "job, partition, source, 0",
				   OF_GROUP "AND name = ?2 AND "
				   "cluster = ?3 AND step = '' " NEWEST "?4");
	case SW_HISTORY_SELECT_ATTEMPTS:
		return make_attempts(history);
	case SW_HISTORY_SELECT_PRINTS:
		return make_select(history, "job, fingerprint",
				   OF_GROUP "AND end_seconds < ?2 AND "
				   "fingerprint IS NOT NULL " NEWEST "?3");
	default:
		return sqlite3_mprintf("%s", texts[which]);
	}
}

sqlite3_stmt *sw_history_statement(struct sw_history *history,
				   enum sw_history_statement which,
				   struct sw_error *error)
{
	sqlite3_stmt **statement = &history->statements[which];
	char *text;
	int rc;

	if (*statement) {
		sqlite3_reset(*statement);
		sqlite3_clear_bindings(*statement);
		return *statement;
	}
	text = text_of(history, which);
	rc = text ? sqlite3_prepare_v3(history->db, text, -1,
				       SQLITE_PREPARE_PERSISTENT, statement,
				       NULL) : SQLITE_NOMEM;
	sqlite3_free(text);
	if (rc != SQLITE_OK)
		sw_history_fail(history, rc, "the history was not used",
				error);
	return *statement;
}

static int execute(struct sw_history *history, const char *sql,
		   struct sw_error *error)
{
	int rc = sqlite3_exec(history->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 :
	       sw_history_fail(history, rc, NOT_WRITTEN, error);
}

int sw_history_begin(struct sw_history *history, struct sw_error *error)
{
	if (execute(history, "BEGIN IMMEDIATE", error) < 0)
		return -1;
	history->is_in_transaction = true;
	return 0;
}

int sw_history_commit(struct sw_history *history, struct sw_error *error)
{
	int number;

	if (execute(history, "COMMIT", error) < 0) {
		number = errno;
		sw_history_rollback(history);
		errno = number;
		return -1;
	}
	history->is_in_transaction = false;
	return 0;
}

void sw_history_rollback(struct sw_history *history)
{
	size_t i;

	for (i = 0; i < SW_HISTORY_STATEMENTS; i++)
		sqlite3_reset(history->statements[i]);
	sqlite3_exec(history->db, "ROLLBACK", NULL, NULL, NULL);
	history->is_in_transaction = false;
}

static int bind_text(sqlite3_stmt *statement, int index, const char *text)
{
	return sqlite3_bind_text(statement, index, sw_text(text), -1,
				 SQLITE_STATIC);
}

static int bind_print(sqlite3_stmt *statement, int index,
		      const struct sw_history_run *run)
{
	return run->fingerprint_size == 0 ?
	       sqlite3_bind_null(statement, index) :
	       sqlite3_bind_blob(statement, index, run->fingerprint,
				 (int)run->fingerprint_size, SQLITE_STATIC);
}

int sw_history_group_id(struct sw_history *history,
			const struct sw_history_run *run, sqlite3_int64 *id,
			struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc;

	statement = sw_history_statement(history, SW_HISTORY_FIND_GROUP_ID,
					 error);
	if (!statement)
		return -1;
	bind_text(statement, 1, run->group);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		*id = sqlite3_column_int64(statement, 0);
		sqlite3_reset(statement);
		return 0;
	}
	if (rc != SQLITE_DONE)
		return sw_history_fail(history, rc, NOT_WRITTEN, error);
	statement = sw_history_statement(history, SW_HISTORY_ADD_GROUP, error);
	if (!statement)
		return -1;
	bind_text(statement, 1, run->group);
	bind_text(statement, 2, run->label ? run->label : run->group);
	sqlite3_bind_int(statement, 3, sw_text(run->step)[0] != '\0');
	rc = sqlite3_step(statement);
	if (rc != SQLITE_DONE)
		return sw_history_fail(history, rc, NOT_WRITTEN, error);
	*id = sqlite3_last_insert_rowid(history->db);
	sqlite3_reset(statement);
	return 0;
}

/* An existing row. */
struct row {
	sqlite3_int64 id;	/* 0: none */
	enum sw_history_source source;
	bool has_slurm_state;	/* always true for sacct */
	/* Its group, if made from texts that the new one lacks. */
	sqlite3_int64 group; /* 0: not so */
	unsigned restart;
	struct sw_run run;
};

static bool is_number(const char *text)
{
	return text[strspn(text, "0123456789")] == '\0';
}

/*
 * Names are not known on every machine: a uid and an unknown name may be the
 * same user.
 */
static bool is_other_user(const char *one, const char *two)
{
	uint64_t uid;

	if (!*one || !*two || !strcmp(one, two))
		return false;
	if (is_number(one) == is_number(two))
		return true;
	return sw_count_parse(is_number(one) ? one : two, 0, UINT32_MAX,
			      &uid) == 0 &&
	       sw_user_is(is_number(one) ? two : one, uid) == SW_USER_OTHER;
}

static bool is_trace(enum sw_history_source source)
{
	return source == SW_HISTORY_CSV || source == SW_HISTORY_NEXTFLOW;
}

static bool is_same(const struct sw_history_run *run, sqlite3_stmt *statement,
		    const struct sw_run *there)
{
	const char *cluster = (const char *)sqlite3_column_text(statement, 3);
	const char *user = (const char *)sqlite3_column_text(statement, 4);
	const char *own = sw_text(run->cluster);
	bool has_starts = !isnan(run->run.start_seconds) &&
			  !isnan(there->start_seconds);

	if (cluster && *cluster && *own && strcmp(cluster, own) != 0)
		return false;
	/* A user who claims another's job id ran a job of his own. */
	if (user && is_other_user(user, sw_text(run->user)))
		return false;
	/* Ids of a trace may start again for each kind of task. */
	if (is_trace(run->source) &&
	    sqlite3_column_int(statement, 1) == (int)run->source &&
	    strcmp(sw_text((const char *)sqlite3_column_text(statement, 6)),
		   sw_text(run->name)) != 0)
		return false;
	/* Ids are reused after years, and immediately after a requeue. */
	if (has_starts)
		return fabs(run->run.start_seconds - there->start_seconds) <
		       (run->is_start_exact ? EXACT_START_SECONDS :
					      SW_HISTORY_SAME_START_SECONDS);
	return (unsigned)sqlite3_column_int(statement, 2) == run->restart;
}

static int find_row(struct sw_history *history,
		    const struct sw_history_run *run, struct row *row,
		    struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc;

	*row = (struct row){ .id = 0 };
	statement = sw_history_statement(history, SW_HISTORY_FIND_RUN, error);
	if (!statement)
		return -1;
	bind_text(statement, 1, run->job);
	bind_text(statement, 2, run->step);
	bind_text(statement, 3, run->user);
	bind_text(statement, 4, run->name);
	bind_text(statement, 5, run->programs);
	bind_text(statement, 6, run->step_program);
	while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
		sw_history_read_run(statement, 9, &row->run);
		if (!is_same(run, statement, &row->run))
			continue;
		row->id = sqlite3_column_int64(statement, 0);
		row->source = (enum sw_history_source)
			sqlite3_column_int(statement, 1);
		row->has_slurm_state =
			row->source == SW_HISTORY_SACCT ||
			sqlite3_column_int(statement, 5) != 0;
		row->restart = (unsigned)sqlite3_column_int(statement, 2);
		/* A better source wins, in any order. */
		if (row->source == run->source &&
		    sqlite3_column_int(statement, 8))
			row->group = sqlite3_column_int64(statement, 7);
		sqlite3_reset(statement);
		return 0;
	}
	return rc == SQLITE_DONE ? 0 :
	       sw_history_fail(history, rc, NOT_WRITTEN, error);
}

/*
 * Rows are sorted by id, with those of a group next to each other, so that a
 * thousand of them take some ten pages.
 */
static int next_id(struct sw_history *history, sqlite3_int64 group,
		   sqlite3_int64 *id, struct sw_error *error)
{
	const sqlite3_int64 room = (sqlite3_int64)1 << 32;
	sqlite3_stmt *statement;
	int rc;

	statement = sw_history_statement(history, SW_HISTORY_NEXT_ID, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, group * room);
	sqlite3_bind_int64(statement, 2, (group + 1) * room);
	rc = sqlite3_step(statement);
	*id = sqlite3_column_int64(statement, 0);
	sqlite3_reset(statement);
	return rc == SQLITE_ROW ? 0 :
	       sw_history_fail(history, rc, NOT_WRITTEN, error);
}

static int write_row(struct sw_history *history,
		     const struct sw_history_run *run,
		     const struct sw_run *numbers, const struct row *row,
		     struct sw_error *error)
{
	char lineage[SW_HISTORY_LINEAGE_SIZE];
	const char *const head[] = {
		run->cluster,
		run->job,
		run->step,
		run->user,
		run->name,
		run->partition,
		sw_history_lineage(run, lineage),
		run->programs,
		run->step_program,
	};
	bool is_update = row->id != 0;
	sqlite3_stmt *statement;
	sqlite3_int64 group = row->group, id = row->id;
	size_t i;
	int rc, index = 1;

	if ((!group && sw_history_group_id(history, run, &group, error) < 0) ||
	    (!is_update && next_id(history, group, &id, error) < 0))
		return -1;
	statement = sw_history_statement(history, is_update ?
					 SW_HISTORY_UPDATE :
					 SW_HISTORY_INSERT, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, index++, group);
	for (i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		bind_text(statement, index++, head[i]);
	sqlite3_bind_int(statement, index++, (int)run->source);
	sqlite3_bind_int64(statement, index++,
			   run->restart ? run->restart : row->restart);
	rc = bind_print(statement, index++, run);
	if (rc == SQLITE_OK)
		rc = sw_history_bind_run(statement, index, numbers);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int64(statement, index +
			(int)sw_history_column_count + 4, id);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(statement);
	sqlite3_reset(statement);
	history->last_row = id;
	return rc == SQLITE_DONE ? 0 :
	       sw_history_fail(history, rc, NOT_WRITTEN, error);
}

int64_t sw_history_last_row(const struct sw_history *history)
{
	return history->last_row;
}

/* Known from a better source: only add what that lacked. */
static int complete(struct sw_history *history, const struct row *row,
		    const struct sw_history_run *run, struct sw_error *error)
{
	char *columns = sw_history_columns_sql(history), *text = NULL;
	sqlite3_stmt *statement = NULL;
	int rc = SQLITE_NOMEM, i, count = (int)sw_history_column_count + 4;
	sqlite3_str *built = sqlite3_str_new(NULL);

	if (columns) {
		sqlite3_str_appendf(built, "UPDATE runs SET (%s) = (?1",
				    columns);
		for (i = 2; i <= count; i++)
			sqlite3_str_appendf(built, ", ?%d", i);
		sqlite3_str_appendf(built,
				    "), partition = coalesce(nullif("
				    "partition, ''), ?%d), fingerprint = "
				    "coalesce(fingerprint, ?%d) WHERE id = ?%d",
				    count + 2, count + 3, count + 1);
	}
	text = sqlite3_str_finish(built);
	if (columns && text)
		rc = sqlite3_prepare_v2(history->db, text, -1, &statement,
					NULL);
	if (rc == SQLITE_OK)
		rc = sw_history_bind_run(statement, 1, &row->run);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int64(statement, count + 1, row->id);
	if (rc == SQLITE_OK)
		rc = bind_text(statement, count + 2, run->partition);
	if (rc == SQLITE_OK)
		rc = bind_print(statement, count + 3, run);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(statement);
	if (rc != SQLITE_DONE)
		sw_history_fail(history, rc, NOT_WRITTEN, error);
	sqlite3_finalize(statement);
	sqlite3_free(columns);
	sqlite3_free(text);
	history->last_row = row->id;
	return rc == SQLITE_DONE ? 0 : -1;
}

/* Mark the state of the row as Slurm's, whatever its source. */
static int mark_state(struct sw_history *history, sqlite3_int64 id,
		      struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc;

	statement = sw_history_statement(history, SW_HISTORY_MARK_STATE,
					 error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, id);
	rc = sqlite3_step(statement);
	sqlite3_reset(statement);
	return rc == SQLITE_DONE ? 0 :
	       sw_history_fail(history, rc, NOT_WRITTEN, error);
}

/* Merge sacct's data into a row from a better source. */
static int add_to_better(struct sw_history *history,
			 const struct sw_history_run *run,
			 const struct sw_run *numbers, struct row *row,
			 struct sw_error *error)
{
	bool is_slurms = run->source == SW_HISTORY_SACCT &&
			 numbers->state != SW_RUN_UNKNOWN;

	sw_history_merge(&row->run, numbers);
	if (is_slurms)
		sw_history_take_state(&row->run, numbers);
	if (row->run.is_lower_bound)
		sw_history_keep_larger_need(&row->run, numbers, false);
	if (complete(history, row, run, error) < 0 ||
	    (is_slurms && mark_state(history, row->id, error) < 0))
		return -1;
	return SW_HISTORY_COMPLETED;
}

static int add(struct sw_history *history, const struct sw_history_run *run,
	       struct sw_error *error)
{
	struct sw_run numbers = run->run;
	struct row row;

	sw_history_clean(&numbers);
	if (find_row(history, run, &row, error) < 0)
		return -1;
	if (row.id && run->source < row.source)
		return add_to_better(history, run, &numbers, &row, error);
	if (run->completes_only)
		return SW_HISTORY_LEFT_OUT;
	if (row.id)
		sw_history_merge(&numbers, &row.run);
	if (row.id && row.has_slurm_state && run->source != SW_HISTORY_SACCT)
		sw_history_take_state(&numbers, &row.run);
	if (row.id && numbers.is_lower_bound)
		sw_history_keep_larger_need(&numbers, &row.run,
					    run->source == row.source);
	if (write_row(history, run, &numbers, &row, error) < 0 ||
	    (row.id && row.has_slurm_state &&
	     mark_state(history, row.id, error) < 0))
		return -1;
	return row.id ? SW_HISTORY_REPLACED : SW_HISTORY_NEW;
}

int sw_history_add(struct sw_history *history,
		   const struct sw_history_run *run, struct sw_error *error)
{
	bool is_alone = !history->is_in_transaction;
	int added, number;

	if (is_alone && sw_history_begin(history, error) < 0)
		return -1;
	added = add(history, run, error);
	number = errno;
	if (is_alone && added >= 0 && sw_history_commit(history, error) < 0)
		return -1;
	if (added < 0 && is_alone)
		sw_history_rollback(history);
	errno = number;
	return added;
}
