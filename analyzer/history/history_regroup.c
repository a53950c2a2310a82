/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assign the runs of the history to groups by new rules. */
#include "analyzer/history/history_regroup.h"

#include <errno.h>
#include <string.h>

#include "analyzer/history/history_internal.h"
#include "common/missing.h"

#define NOT_MOVED "no run changed its group"

static const char *text_at(sqlite3_stmt *rows, int index)
{
	const char *text = (const char *)sqlite3_column_text(rows, index);

	return sw_text(text);
}

/* Return 1 if it moved, 0 if not, or -1. */
static int move(struct sw_history *history, sqlite3_stmt *rows,
		sqlite3_stmt *update, const struct sw_group_rules *rules,
		struct sw_error *error)
{
	const struct sw_job_names names = {
		.user = text_at(rows, 2), .name = text_at(rows, 3),
		.partition = text_at(rows, 4), .cluster = text_at(rows, 5),
		.step = text_at(rows, 6), .programs = text_at(rows, 7),
		.step_program = text_at(rows, 8),
	};
	struct sw_job_group group;
	sqlite3_int64 id;
	int rc;

	sw_job_group_find(&group, rules, &names);
	if (!strcmp(group.group, text_at(rows, 1)))
		return 0;
	if (sw_history_group_id(history, &(struct sw_history_run){
			.group = group.group, .label = group.label,
			.step = names.step }, &id, error) < 0)
		return -1;
	sqlite3_bind_int64(update, 1, id);
	sqlite3_bind_int64(update, 2, sqlite3_column_int64(rows, 0));
	rc = sqlite3_step(update);
	sqlite3_reset(update);
	return rc == SQLITE_DONE ? 1 :
	       sw_history_fail(history, rc, NOT_MOVED, error);
}

static int move_all(struct sw_history *history, sqlite3_stmt *rows,
		    sqlite3_stmt *update, const struct sw_group_rules *rules,
		    size_t *moved, struct sw_error *error)
{
	int rc, one;

	while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
		one = move(history, rows, update, rules, error);
		if (one < 0)
			return -1;
		*moved += (size_t)one;
	}
	if (rc != SQLITE_DONE)
		return sw_history_fail(history, rc, NOT_MOVED, error);
	rc = sqlite3_exec(history->db, "DELETE FROM groups WHERE id NOT IN "
			  "(SELECT group_id FROM runs)", NULL, NULL, NULL);
	return rc == SQLITE_OK ? 0 :
	       sw_history_fail(history, rc, NOT_MOVED, error);
}

int sw_history_regroup(struct sw_history *history,
		       const struct sw_group_rules *rules, size_t *moved,
		       struct sw_error *error)
{
	sqlite3_stmt *rows = NULL, *update = NULL;
	int rc;

	*moved = 0;
	if (sw_history_begin(history, error) < 0)
		return -1;
	/* In the order of rows, which the update does not change. */
	rc = sqlite3_prepare_v2(history->db, "SELECT r.id, g.name, r.user, "
		"r.name, r.partition, r.cluster, r.step, r.programs, "
		"r.step_program FROM runs r NOT INDEXED JOIN groups g "
		"ON g.id = r.group_id ORDER BY r.id", -1, &rows, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(history->db, "UPDATE runs SET "
			"group_id = ?1 WHERE id = ?2", -1, &update, NULL);
	rc = rc == SQLITE_OK ? move_all(history, rows, update, rules, moved,
					error) :
	     sw_history_fail(history, rc, NOT_MOVED, error);
	sqlite3_finalize(rows);
	sqlite3_finalize(update);
	if (rc == 0)
		return sw_history_commit(history, error);
	rc = errno;
	sw_history_rollback(history);
	errno = rc;
	return -1;
}
