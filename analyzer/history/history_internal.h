/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals shared by the files of the history.  The only user of sqlite3.h. */
#ifndef SW_ANALYZER_HISTORY_INTERNAL_H
#define SW_ANALYZER_HISTORY_INTERNAL_H

#include <sqlite3.h>

#include "analyzer/history/history.h"

/* Maximum difference between clocks of scheduler and recorder. */
#define SW_HISTORY_SAME_START_SECONDS 90.0

/* Versions after these have columns that are no numbers of a run. */
enum { SW_HISTORY_SINCE_SLURM_STATE = 1, SW_HISTORY_SINCE_FINGERPRINT = 6 };

enum sw_history_statement {
	SW_HISTORY_FIND_RUN,
	SW_HISTORY_MARK_STATE,
	SW_HISTORY_NEXT_ID,
	SW_HISTORY_INSERT,
	SW_HISTORY_UPDATE,
	SW_HISTORY_FIND_GROUP_ID,
	SW_HISTORY_ADD_GROUP,
	SW_HISTORY_SELECT_RUNS,
	SW_HISTORY_SELECT_ALIKE,
	SW_HISTORY_SELECT_ATTEMPTS,
	SW_HISTORY_SELECT_PRINTS,
	SW_HISTORY_STATEMENTS,
};

struct sw_history {
	sqlite3 *db;
	char *path;
	int wait_msec;		/* for locks */
	int version;		/* migrations that were applied to it */
	bool was_damaged;
	bool is_in_transaction;
	int64_t last_row;	/* written last */
	/* Prepared on first use. */
	sqlite3_stmt *statements[SW_HISTORY_STATEMENTS];
};

/* A number of a run with its own column, where NAN is NULL. */
struct sw_history_column {
	const char *name;
	size_t offset;		/* in struct sw_run */
	double max;		/* upper bound of valid values */
	int since;		/* versions after this one have it */
};

extern const struct sw_history_column sw_history_columns[];
extern const size_t sw_history_column_count;

double *sw_history_value(struct sw_run *run,
			 const struct sw_history_column *column);

/*
 * Set the error of SQLite for this file, with the consequence, and an errno of
 * history.h.  Return -1.
 */
int sw_history_fail(struct sw_history *history, int code,
		    const char *consequence, struct sw_error *error);

/* Return the statement, ready to be bound; NULL with *error. */
sqlite3_stmt *sw_history_statement(struct sw_history *history,
				   enum sw_history_statement which,
				   struct sw_error *error);

/*
 * Pass each row of a bound statement to a function, which returns -1 if it is
 * out of memory, and reset it.  Return 0, or -1 with *error.
 */
int sw_history_each_row(struct sw_history *history, sqlite3_stmt *statement,
			int (*take)(void *context, sqlite3_stmt *statement),
			void *context, struct sw_error *error);

/*
 * Is the row of this job and start the run itself?  The clocks of scheduler and
 * recorder may differ; a start that is not known may be any.
 */
bool sw_history_is_run(const struct sw_history_run *run, const char *job,
		       double start_seconds);

/* Find the id of the run's group, creating a new group if needed. */
int sw_history_group_id(struct sw_history *history,
			const struct sw_history_run *run, sqlite3_int64 *id,
			struct sw_error *error);

/* Allocate without a file; NULL with *error (ENOMEM). */
struct sw_history *sw_history_new(const char *path, int wait_msec,
				  struct sw_error *error);

/* Create the tables, or migrate those of an older stepwell. */
int sw_history_migrate(struct sw_history *history, struct sw_error *error);

enum { SW_HISTORY_LINEAGE_SIZE = 256 };

/*
 * What all attempts at one thing have in common, whichever source tells of
 * them: where the source does not know better, cluster and job, "c1:120_3".
 * "": a run that is attempted once.
 */
const char *sw_history_lineage(const struct sw_history_run *run,
			       char buf[SW_HISTORY_LINEAGE_SIZE]);

/*
 * The text of INSERT (is_update: UPDATE) and SELECT; the caller frees it.  A
 * file of an older version is only read: what it lacks is NULL.  history NULL:
 * of this version.
 */
char *sw_history_write_sql(const struct sw_history *history, bool is_update);
char *sw_history_columns_sql(const struct sw_history *history);
const char *sw_history_column_sql(const struct sw_history *history,
				  const char *name, int since);

/*
 * Read the runs of a statement, newest first: job, lineage, and the columns of
 * sw_history_columns_sql().
 */
int sw_history_read_runs(struct sw_history *history, sqlite3_stmt *statement,
			 struct sw_history_runs *runs, struct sw_error *error);

/*
 * Only Slurm knows why it ended a run; an OOM kill is also known to the kernel,
 * and not always to Slurm.
 */
void sw_history_take_state(struct sw_run *run, const struct sw_run *slurms);

/*
 * For a partially known need: nodes or intervals missing from this import may
 * have needed more.
 */
void sw_history_keep_larger_need(struct sw_run *run, const struct sw_run *there,
				 bool is_same_source);

/* Name of this user, or "". */
const char *sw_history_own_name(void);

/* Numbers of a row, from column first on. */
void sw_history_read_run(sqlite3_stmt *statement, int first,
			 struct sw_run *run);
int sw_history_bind_run(sqlite3_stmt *statement, int first,
			const struct sw_run *run);

#endif
