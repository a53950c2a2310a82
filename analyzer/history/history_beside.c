/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read two histories as one: the user's own is copied into memory, and the rows
 * of the other are added by the rules of import.  So every query has one
 * answer, and no file is changed.
 */
#include "analyzer/history/history_beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/history/history_internal.h"
#include "analyzer/print/messages.h"
#include "common/missing.h"

#define COPIED_BYTES_MAX ((sqlite3_int64)64 << 20)
#define NOT_READ	 "the history was not read"

/* Return why the file at path is not trusted, or NULL. */
static const char *distrust(const char *folder, const char *path)
{
	struct stat above, status;

	if (stat(folder, &above) < 0 || lstat(path, &status) < 0)
		return strerror(errno);
	if (!S_ISDIR(above.st_mode) || (above.st_mode & (S_IWGRP | S_IWOTH)))
		return "others than the owner can write to its folder";
	if (!S_ISREG(status.st_mode))
		return "not a regular file";
	if (status.st_mode & (S_IWGRP | S_IWOTH))
		return "others than the owner can write to it";
	if (status.st_uid != geteuid() && status.st_uid != above.st_uid &&
	    status.st_uid != 0)
		return "it is another user's";
	return NULL;
}

static struct sw_history *open_beside(const char *folder,
					  struct sw_error *error)
{
	const struct sw_history_access access = { .leaves_damaged = true };
	struct sw_history *history;
	const char *why;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%lu.sqlite", folder,
		     (unsigned long)geteuid()) >= (int)sizeof(path)) {
		errno = ENOENT;
		return NULL;
	}
	/* No message if there is none. */
	if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return NULL;
	why = distrust(folder, path);
	if (why) {
		sw_complain(SW_EXIT_OK, "%s: %s, so this history was not read",
			    path, why);
		errno = ENOENT;
		return NULL;
	}
	history = sw_history_open_as(path, &access, error);
	if (!history && errno != ENOENT)
		sw_complain(SW_EXIT_OK, "%s", error->text);
	if (!history)
		errno = ENOENT;
	return history;
}

/* Columns in order, before the numbers of a run. */
enum {
	GROUP,
	LABEL,
	CLUSTER,
	JOB,
	STEP,
	USER,
	NAME,
	PARTITION,
	LINEAGE,
	PROGRAMS,
	STEP_PROGRAM,
	SOURCE,
	RESTART,
	HAS_SLURM_STATE,
	FINGERPRINT,
	NUMBERS,
};

static const char *text_of(sqlite3_stmt *statement, int column)
{
	return sw_text((const char *)sqlite3_column_text(statement, column));
}

/* Return false for impossible values, since users can write their file. */
static bool read_row(struct sw_history_run *run, sqlite3_stmt *statement)
{
	int source = sqlite3_column_int(statement, SOURCE);

	*run = (struct sw_history_run){
		.group = text_of(statement, GROUP),
		.label = text_of(statement, LABEL),
		.cluster = text_of(statement, CLUSTER),
		.job = text_of(statement, JOB),
		.step = text_of(statement, STEP),
		.user = text_of(statement, USER),
		.name = text_of(statement, NAME),
		.partition = text_of(statement, PARTITION),
		.lineage = text_of(statement, LINEAGE),
		.programs = text_of(statement, PROGRAMS),
		.step_program = text_of(statement, STEP_PROGRAM),
		.source = (enum sw_history_source)source,
		.restart = (unsigned)sqlite3_column_int(statement, RESTART),
		.fingerprint = sqlite3_column_blob(statement, FINGERPRINT),
	};
	if (run->fingerprint)
		run->fingerprint_size =
			(size_t)sqlite3_column_bytes(statement, FINGERPRINT);
	sw_history_read_run(statement, NUMBERS, &run->run);
	return source >= 0 && source < SW_HISTORY_SOURCES && *run->group &&
	       *run->job;
}

static int pass_on(sqlite3_stmt *statement, sw_history_row_f function,
		   void *context)
{
	struct sw_history_run run;
	enum sw_history_source source;
	int rc = 0;

	if (!read_row(&run, statement))
		return 0;
	source = run.source;
	if (sqlite3_column_int(statement, HAS_SLURM_STATE) &&
	    source != SW_HISTORY_SACCT) {
		run.source = SW_HISTORY_SACCT;
		rc = function(context, &run);
	}
	run.source = source;
	return rc ? rc : function(context, &run);
}

int sw_history_each_run(struct sw_history *history, sw_history_row_f function,
			void *context, struct sw_error *error)
{
	char *columns = sw_history_columns_sql(history), *text = NULL;
	sqlite3_stmt *statement = NULL;
	int rc = SQLITE_NOMEM, answer = 0;

	if (columns)
		text = sqlite3_mprintf(
			"SELECT g.name, g.label, r.cluster, r.job, r.step, "
			"r.user, r.name, r.partition, r.lineage, r.programs, "
			"r.step_program, r.source, r.restart, "
			"%s, %s, %s FROM runs r JOIN groups g "
			"ON g.id = r.group_id ORDER BY r.id",
			sw_history_column_sql(history, "r.has_slurm_state",
					      SW_HISTORY_SINCE_SLURM_STATE),
			sw_history_column_sql(history, "r.fingerprint",
					      SW_HISTORY_SINCE_FINGERPRINT),
			columns);
	if (text)
		rc = sqlite3_prepare_v2(history->db, text, -1, &statement,
					NULL);
	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(statement);
		if (rc != SQLITE_ROW)
			break;
		answer = pass_on(statement, function, context);
		if (answer) {
			rc = SQLITE_DONE;
			break;
		}
	}
	if (rc != SQLITE_DONE)
		answer = sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_finalize(statement);
	sqlite3_free(columns);
	sqlite3_free(text);
	return answer;
}

static sqlite3_int64 pragma(struct sw_history *history, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	sqlite3_int64 number = 0;

	if (sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL) ==
		    SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

static int copy_pages(struct sw_history *to, struct sw_history *from)
{
	sqlite3_backup *backup;
	int rc;

	rc = sqlite3_open_v2(":memory:", &to->db,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				     SQLITE_OPEN_NOMUTEX,
			     NULL);
	if (rc != SQLITE_OK)
		return rc;
	backup = sqlite3_backup_init(to->db, "main", from->db, "main");
	if (!backup)
		return sqlite3_errcode(to->db);
	rc = sqlite3_backup_step(backup, -1);
	sqlite3_backup_finish(backup);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Return a writable copy; NULL if too large, or out of memory. */
static struct sw_history *copy_of(struct sw_history *own)
{
	struct sw_history *copy;
	struct sw_error error;

	if (pragma(own, "PRAGMA page_count") * pragma(own, "PRAGMA page_size") >
	    COPIED_BYTES_MAX)
		return NULL;
	copy = sw_history_new(own->path, own->wait_msec, &error);
	if (copy && copy_pages(copy, own) == SQLITE_OK &&
	    sw_history_migrate(copy, &error) == 0)
		return copy;
	sw_history_close(copy);
	return NULL;
}

struct adding {
	struct sw_history *to;
	struct sw_error *error;
};

static int add_row(void *context, const struct sw_history_run *run)
{
	struct adding *adding = context;

	return sw_history_add(adding->to, run, adding->error) < 0 ? -1 : 0;
}

static int add_all(struct sw_history *to, struct sw_history *from)
{
	struct sw_error error;
	struct adding adding = { .to = to, .error = &error };

	if (sw_history_begin(to, &error) < 0)
		return -1;
	if (sw_history_each_run(from, add_row, &adding, &error) == 0)
		return sw_history_commit(to, &error);
	sw_complain(SW_EXIT_OK, "%s", error.text);
	sw_history_rollback(to);
	return -1;
}

int sw_history_take_beside(struct sw_history *history, const char *folder,
			   size_t *rows, size_t *added)
{
	struct sw_error error;
	struct sw_history *other = open_beside(folder, &error);
	size_t before = 0, after = 0;
	int rc = 0;

	*rows = *added = 0;
	if (!other)
		return 0;
	if (sw_history_count(history, &before, &error) < 0 ||
	    sw_history_count(other, rows, &error) < 0 ||
	    add_all(history, other) < 0 ||
	    sw_history_count(history, &after, &error) < 0)
		rc = -1;
	if (rc < 0)
		*rows = 0;
	else
		*added = after - before;
	sw_history_close(other);
	return rc;
}

struct sw_history *sw_history_join(struct sw_history *own, const char *folder)
{
	struct sw_history *other, *both;
	struct sw_error error;
	int number = errno;

	other = folder ? open_beside(folder, &error) : NULL;
	errno = number;
	if (!own || !other)
		return own ? own : other;
	both = copy_of(own);
	if (both && add_all(both, other) < 0) {
		sw_history_close(both);
		both = NULL;
	}
	sw_history_close(other);
	if (!both)
		return own;
	both->was_damaged = own->was_damaged;
	sw_history_close(own);
	return both;
}

struct sw_history *sw_history_open_both(const char *path, const char *folder,
					const struct sw_history_access *access,
					struct sw_error *error)
{
	struct sw_history *own = sw_history_open_as(path, access, error);

	/* A locked or damaged own history is an error, not ignored. */
	return own || errno == ENOENT ? sw_history_join(own, folder) : NULL;
}

int sw_history_trim(struct sw_history *history, double before_seconds,
		    size_t runs_max, struct sw_error *error)
{
	char *text = sqlite3_mprintf(
		"DELETE FROM runs WHERE end_seconds < %f;"
		"DELETE FROM runs WHERE id IN (SELECT id FROM runs "
		"ORDER BY end_seconds DESC, id DESC LIMIT -1 OFFSET %llu);"
		"DELETE FROM groups WHERE id NOT IN "
		"(SELECT group_id FROM runs)",
		before_seconds, (unsigned long long)runs_max);
	int rc = text ? sqlite3_exec(history->db, text, NULL, NULL, NULL)
		      : SQLITE_NOMEM;

	sqlite3_free(text);
	return rc == SQLITE_OK ? 0
			       : sw_history_fail(history, rc,
						 "old runs stay in it", error);
}
