/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the history: what its files share.  The only user of sqlite3.h. */
#ifndef SW_ANALYZER_HISTORY_INTERNAL_H
#define SW_ANALYZER_HISTORY_INTERNAL_H

#include <sqlite3.h>

#include "analyzer/history/history.h"

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
	SW_HISTORY_STATEMENTS,
};

struct sw_history {
	sqlite3 *db;
	char *path;
	int wait_msec;		/* for a lock */
	bool was_damaged;
	bool is_in_transaction;
	int64_t last_row;	/* that was written */
	/* Prepared where they are first used. */
	sqlite3_stmt *statements[SW_HISTORY_STATEMENTS];
};

/* A number of a run that is a column of its own; NAN is NULL there. */
struct sw_history_column {
	const char *name;
	size_t offset;		/* into struct sw_run */
	double max;		/* more cannot be */
};

extern const struct sw_history_column sw_history_columns[];
extern const size_t sw_history_column_count;

double *sw_history_value(struct sw_run *run,
			 const struct sw_history_column *column);

/*
 * Say what sqlite3 answered, of this file, and with which consequence; errno
 * as history.h has it.  Returns -1.
 */
int sw_history_fail(struct sw_history *history, int code,
		    const char *consequence, struct sw_error *error);

/* The statement, ready to be bound; NULL with *error. */
sqlite3_stmt *sw_history_statement(struct sw_history *history,
				   enum sw_history_statement which,
				   struct sw_error *error);

/* The number of the run's group, which is made where it is new. */
int sw_history_group_id(struct sw_history *history,
			const struct sw_history_run *run, sqlite3_int64 *id,
			struct sw_error *error);

/* One without a file yet; NULL with *error (ENOMEM). */
struct sw_history *sw_history_new(const char *path, int wait_msec,
				  struct sw_error *error);

/* Make the tables, or bring those of an older stepwell up to date. */
int sw_history_migrate(struct sw_history *history, struct sw_error *error);

enum { SW_HISTORY_LINEAGE_SIZE = 256 };

/*
 * What all attempts at one thing have in common, whichever source tells of
 * them: where the source does not know better, cluster and job, "c1:120_3".
 * "": a run that is attempted once.
 */
const char *sw_history_lineage(const struct sw_history_run *run,
			       char buf[SW_HISTORY_LINEAGE_SIZE]);

/* The text of INSERT (is_update: UPDATE) and SELECT; the caller frees it. */
char *sw_history_write_sql(bool is_update);
char *sw_history_columns_sql(void);

/*
 * The runs that a statement has, the newest first: job, lineage, and numbers as
 * sw_history_columns_sql() has them.
 */
int sw_history_read_runs(struct sw_history *history, sqlite3_stmt *statement,
			 struct sw_history_runs *runs, struct sw_error *error);

/*
 * Only Slurm knows why it ended a run; of an OOM kill the kernel knows as well,
 * and Slurm not always.
 */
void sw_history_take_state(struct sw_run *run, const struct sw_run *slurms);

/*
 * For a need that was seen in part: nodes or time that this import does not
 * have may have needed more.
 */
void sw_history_keep_larger_need(struct sw_run *run, const struct sw_run *there,
				 bool is_same_source);

/* What this user is called; "". */
const char *sw_history_own_name(void);

/* Numbers of a row from the statement's column `first` on. */
void sw_history_read_run(sqlite3_stmt *statement, int first,
			 struct sw_run *run);
int sw_history_bind_run(sqlite3_stmt *statement, int first,
			const struct sw_run *run);

#endif
