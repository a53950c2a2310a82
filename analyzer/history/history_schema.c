/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the history, and migrations from older versions of stepwell. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_internal.h"

/* "StWl": identifies the database as a history. */
enum { APPLICATION_ID = 0x5374576c };

/*
 * Migrations from one version to the next, counted by PRAGMA user_version.
 * Released ones never change; append new ones.  Each may have any number of
 * statements.
 */
static const char *const migrations[] = {
	"CREATE TABLE groups ("
	" id INTEGER PRIMARY KEY,"
	" name TEXT NOT NULL UNIQUE,"
	" label TEXT NOT NULL,"		/* without its user */
	" is_of_step INTEGER NOT NULL);"
	"CREATE INDEX groups_by_label ON groups (label);"
	"CREATE TABLE runs ("
	" id INTEGER PRIMARY KEY,"	/* by group: history_write.c */
	" group_id INTEGER NOT NULL REFERENCES groups (id),"
	" cluster TEXT NOT NULL, job TEXT NOT NULL, step TEXT NOT NULL,"
	" user TEXT NOT NULL, name TEXT NOT NULL, partition TEXT NOT NULL,"
	" lineage TEXT NOT NULL,"
	" programs TEXT NOT NULL, step_program TEXT NOT NULL,"
	" source INTEGER NOT NULL, restart INTEGER NOT NULL,"
	" state INTEGER NOT NULL, attempt INTEGER NOT NULL,"
	" start_seconds REAL, end_seconds REAL, elapsed_seconds REAL,"
	" requested_bytes REAL, need_bytes REAL, need_upper_bytes REAL,"
	" is_lower_bound INTEGER NOT NULL,"
	" requested_seconds REAL, requested_cores REAL,"
	" used_core_seconds REAL, peak_cores REAL, busy BLOB,"
	" nodes REAL, tasks REAL, slowest_task_ratio REAL,"
	" requested_gpus REAL, used_gpus REAL, gpu_busy_ratio REAL,"
	" gpu_memory_bytes REAL, cpu_share REAL, io_share REAL,"
	" network_share REAL, gpu_share REAL, input_bytes REAL);"
	"CREATE INDEX runs_by_group ON runs (group_id, end_seconds);"
	"CREATE INDEX runs_by_job ON runs (job, step);",
	/* 1: the state is Slurm's, for runs from another source. */
	"ALTER TABLE runs ADD COLUMN has_slurm_state INTEGER NOT NULL "
	"DEFAULT 0;",
	/* 2: data that identifies retries. */
	"ALTER TABLE runs ADD COLUMN submit_seconds REAL;"
	"ALTER TABLE runs ADD COLUMN exit_code REAL;"
	"CREATE INDEX runs_by_name ON runs (group_id, name, end_seconds);",
	/* 3: data that identifies hung runs. */
	"ALTER TABLE runs ADD COLUMN waiting_share REAL;",
	/* 4: unit of the request. */
	"ALTER TABLE runs ADD COLUMN memory_per REAL;",
	/* 5: what a need that was sampled leaves open. */
	"ALTER TABLE runs ADD COLUMN open_bytes REAL;",
	/* 6: what a run is compared with its past by, of whole jobs. */
	"ALTER TABLE runs ADD COLUMN fingerprint BLOB;",
};

/* Computed columns in a file might never end. */
static const char not_ours[] =
	"SELECT (SELECT count(*) FROM sqlite_master WHERE "
	"type NOT IN ('table', 'index') OR sql LIKE 'create virtual%') + "
	"(SELECT count(*) FROM sqlite_master AS m, "
	"pragma_table_xinfo(m.name) AS c WHERE m.type = 'table' "
	"AND c.hidden <> 0)";

enum { VERSION = sizeof(migrations) / sizeof(migrations[0]) };

static int ask_number(struct sw_history *history, const char *sql, int *number)
{
	sqlite3_stmt *statement;
	int rc = sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		*number = sqlite3_column_int(statement, 0);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(statement);
	return rc;
}

/*
 * Read application id and version; 0 and version 0 if new and empty.  All in
 * one transaction: another process may be creating the tables.
 */
static int look(struct sw_history *history, int *version,
		struct sw_error *error)
{
	int application = 0, tables = 0, foreign = 0, number, rc;

	rc = sqlite3_exec(history->db, "SAVEPOINT look", NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = ask_number(history, "PRAGMA application_id", &application);
	if (rc == SQLITE_OK)
		rc = ask_number(history, "PRAGMA user_version", version);
	if (rc == SQLITE_OK)
		rc = ask_number(history, "SELECT count(*) FROM sqlite_master",
				&tables);
	if (rc == SQLITE_OK)
		rc = ask_number(history, not_ours, &foreign);
	if (rc != SQLITE_OK)
		sw_history_fail(history, rc, "it is not used", error);
	number = errno;
	sqlite3_exec(history->db, "RELEASE look", NULL, NULL, NULL);
	errno = number;
	if (rc != SQLITE_OK)
		return -1;
	errno = ENOTSUP;
	if (tables && application != APPLICATION_ID)
		return sw_error_set(error, "%s: a database of another program, "
				    "which was not changed; name another file "
				    "with STEPWELL_HISTORY or history_file",
				    history->path);
	if (foreign)
		return sw_error_set(error, "%s: it has views, triggers or "
				    "computed columns, which no history of "
				    "stepwell has; it was not read",
				    history->path);
	if (*version > VERSION || *version < 0)
		return sw_error_set(error, "%s: a history of a newer stepwell "
				    "(version %d, this one knows %d), which "
				    "was not changed", history->path, *version,
				    VERSION);
	return 0;
}

static int apply(struct sw_history *history, int version)
{
	char *pragmas;
	int rc = SQLITE_OK;

	for (; version < VERSION && rc == SQLITE_OK; version++)
		rc = sqlite3_exec(history->db, migrations[version], NULL, NULL,
				  NULL);
	if (rc != SQLITE_OK)
		return rc;
	pragmas = sqlite3_mprintf("PRAGMA application_id = %d;"
				  "PRAGMA user_version = %d",
				  APPLICATION_ID, VERSION);
	if (!pragmas)
		return SQLITE_NOMEM;
	rc = sqlite3_exec(history->db, pragmas, NULL, NULL, NULL);
	sqlite3_free(pragmas);
	return rc;
}

int sw_history_migrate(struct sw_history *history, struct sw_error *error)
{
	int version = 0, rc;

	if (look(history, &version, error) < 0)
		return -1;
	history->version = version;
	if (version == VERSION)
		return 0;
	if (sqlite3_db_readonly(history->db, "main") == 1) {
		/* Columns of later versions are read as unknown. */
		if (version > 0)
			return 0;
		errno = ENOENT;
		return sw_error_set(error, "%s: no runs in it yet",
				    history->path);
	}
	if (sw_history_begin(history, error) < 0)
		return -1;
	/* Another process may have done it meanwhile. */
	if (look(history, &version, error) < 0) {
		sw_history_rollback(history);
		return -1;
	}
	rc = apply(history, version);
	if (rc != SQLITE_OK) {
		sw_history_fail(history, rc, "its tables were not created",
				error);
		sw_history_rollback(history);
		return -1;
	}
	if (sw_history_commit(history, error) < 0)
		return -1;
	history->version = VERSION;
	return 0;
}
