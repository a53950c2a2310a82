/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A single SQLite table without any index. */
#include "bench/history_plain.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/history/history_internal.h"

struct history_plain {
	sqlite3 *db;
	sqlite3_stmt *insert;
};

static int complain(struct history_plain *plain)
{
	fprintf(stderr, "bench_history: the plain table: %s\n",
		sqlite3_errmsg(plain->db));
	return -1;
}

static char *make_insert(void)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	size_t i;

	sqlite3_str_appendall(text, "INSERT INTO runs VALUES (?1, ?2");
	for (i = 0; i < sw_history_column_count + 4; i++)
		sqlite3_str_appendf(text, ", ?%d", (int)i + 3);
	sqlite3_str_appendall(text, ")");
	return sqlite3_str_finish(text);
}

static int make_table(struct history_plain *plain)
{
	char *columns = sw_history_columns_sql(NULL), *insert = make_insert();
	char *table = sqlite3_mprintf("CREATE TABLE IF NOT EXISTS runs "
				      "(name, job, %s)", columns);
	int rc = sqlite3_exec(plain->db, "PRAGMA journal_mode = WAL;"
			      "PRAGMA synchronous = NORMAL;"
			      "PRAGMA cache_size = -16384", NULL, NULL, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(plain->db, table, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(plain->db, insert, -1, &plain->insert,
					NULL);
	sqlite3_free(columns);
	sqlite3_free(insert);
	sqlite3_free(table);
	return rc;
}

struct history_plain *history_plain_open(const char *path)
{
	struct history_plain *plain = calloc(1, sizeof(*plain));

	if (!plain)
		return NULL;
	if (sqlite3_open(path, &plain->db) == SQLITE_OK &&
	    make_table(plain) == SQLITE_OK)
		return plain;
	complain(plain);
	history_plain_close(plain);
	return NULL;
}

void history_plain_close(struct history_plain *plain)
{
	if (!plain)
		return;
	sqlite3_finalize(plain->insert);
	sqlite3_close(plain->db);
	free(plain);
}

static int execute(struct history_plain *plain, const char *sql)
{
	return sqlite3_exec(plain->db, sql, NULL, NULL, NULL) == SQLITE_OK ?
	       0 : complain(plain);
}

int history_plain_begin(struct history_plain *plain)
{
	return execute(plain, "BEGIN");
}

int history_plain_commit(struct history_plain *plain)
{
	return execute(plain, "COMMIT");
}

int history_plain_add(struct history_plain *plain,
		      const struct sw_history_run *run)
{
	sqlite3_stmt *insert = plain->insert;

	sqlite3_reset(insert);
	sqlite3_bind_text(insert, 1, run->group, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 2, run->job, -1, SQLITE_STATIC);
	sw_history_bind_run(insert, 3, &run->run);
	return sqlite3_step(insert) == SQLITE_DONE ? 0 : complain(plain);
}

long history_plain_read(struct history_plain *plain, const char *group,
			size_t limit)
{
	char *columns = sw_history_columns_sql(NULL);
	char *text = sqlite3_mprintf("SELECT %s FROM runs WHERE name = ?1 "
				     "ORDER BY end_seconds DESC LIMIT ?2",
				     columns);
	sqlite3_stmt *select = NULL;
	struct sw_run run;
	long count = 0;
	int rc;

	sqlite3_free(columns);
	rc = sqlite3_prepare_v2(plain->db, text, -1, &select, NULL);
	sqlite3_free(text);
	if (rc == SQLITE_OK) {
		sqlite3_bind_text(select, 1, group, -1, SQLITE_STATIC);
		sqlite3_bind_int64(select, 2, (sqlite3_int64)limit);
	}
	while (rc == SQLITE_OK && (rc = sqlite3_step(select)) == SQLITE_ROW) {
		sw_history_read_run(select, 0, &run);
		count++;
		rc = SQLITE_OK;
	}
	sqlite3_finalize(select);
	return rc == SQLITE_DONE ? count : complain(plain);
}
