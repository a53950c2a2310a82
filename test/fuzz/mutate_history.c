/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damages the row values and the pages of a history. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "test/fuzz/mutate.h"

enum { JOURNAL_AT = 18 };

static const char *const values[] = {
	"NULL",
	"0",
	"-1",
	"1e308",
	"-1e308",
	"9e999",
	"-9e999",
	"1e19",
	"9223372036854775807",
	"-9223372036854775808",
	"0.5",
	"''",
	"'x'",
	"x'00ff'",
	"zeroblob(100000)",
	"CAST(x'ff00fe' AS TEXT)",
	"printf('%.10000c', 'a')",
	"char(27)||'[2J'",
	"random()",
	"random() % 1000",
	"id * 1e9",
	"id",
	"'inf'",
	"'1001_4'",
	"'../x'",
};

static const char *const columns[] = {
	"group_id",
	"cluster",
	"job",
	"step",
	"user",
	"name",
	"partition",
	"lineage",
	"programs",
	"step_program",
	"source",
	"restart",
	"state",
	"attempt",
	"start_seconds",
	"end_seconds",
	"elapsed_seconds",
	"requested_bytes",
	"need_bytes",
	"need_upper_bytes",
	"is_lower_bound",
	"requested_seconds",
	"requested_cores",
	"used_core_seconds",
	"peak_cores",
	"busy",
	"nodes",
	"tasks",
	"slowest_task_ratio",
	"requested_gpus",
	"used_gpus",
	"gpu_busy_ratio",
	"gpu_memory_bytes",
	"cpu_share",
	"io_share",
	"network_share",
	"gpu_share",
	"input_bytes",
	"has_slurm_state",
	"submit_seconds",
	"exit_code",
	"waiting_share",
	"fingerprint",
};

static const char *const others[] = {
	"UPDATE groups SET is_of_step = NOT is_of_step",
	"DELETE FROM groups",
	"DELETE FROM runs WHERE id % 2",
	"UPDATE groups SET label = NULL WHERE 0",
	"ALTER TABLE runs DROP COLUMN waiting_share",
	"ALTER TABLE runs ADD COLUMN more TEXT DEFAULT 'x'",
	"PRAGMA user_version = 0",
	"PRAGMA user_version = 99",
	"PRAGMA application_id = 1",
	"DROP INDEX runs_by_job",
	"CREATE TABLE other (a)",
	"ALTER TABLE runs RENAME TO r; CREATE VIEW runs AS WITH RECURSIVE "
	"n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT r.* FROM n, r",
	"CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET id = "
	"id + 1000000; END",
};

#define PICK(list) ((list)[dice_below(dice, sizeof(list) / sizeof((list)[0]))])

static void change(sqlite3 *db, struct dice *dice)
{
	char sql[512];

	if (dice_below(dice, 10) == 0)
		snprintf(sql, sizeof(sql), "%s", PICK(others));
	else
		snprintf(sql, sizeof(sql),
			 "UPDATE runs SET %s = %s WHERE id %% %zu = 0",
			 PICK(columns), PICK(values), 1 + dice_below(dice, 4));
	/* Changes that the schema forbids are skipped. */
	(void)sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void change_rows(sqlite3 *db, struct input *input, struct dice *dice)
{
	size_t count = (size_t)1 << dice_below(dice, 5);
	sqlite3_int64 size;
	unsigned char *bytes;

	if (input->size < JOURNAL_AT + 2)
		return;
	/* A database in memory cannot have a log (sqlite.org/fileformat). */
	memset(input->bytes + JOURNAL_AT, 1, 2);
	if (sqlite3_deserialize(db, "main", input->bytes,
				(sqlite3_int64)input->size, INPUT_SIZE_MAX,
				0) != SQLITE_OK)
		return;
	while (count-- > 0)
		change(db, dice);
	bytes = sqlite3_serialize(db, "main", &size, 0);
	if (bytes && size <= INPUT_SIZE_MAX) {
		memmove(input->bytes, bytes, (size_t)size);
		input->size = (size_t)size;
	}
	sqlite3_free(bytes);
}

void mutate_history(struct input *input, const struct input *other,
		    struct dice *dice)
{
	sqlite3 *db = NULL;

	if (dice_below(dice, 4) && sqlite3_open(":memory:", &db) == SQLITE_OK)
		change_rows(db, input, dice);
	else
		mutate_bytes(input, other, dice);
	sqlite3_close(db);
}
