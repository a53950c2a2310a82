/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Map the numbers of a run to columns of the history. */
#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_internal.h"
#include "common/missing.h"

/* Upper bounds of bytes, seconds and counts. */
#define BYTES_MAX 1e18
#define SECONDS_MAX 1e11
#define COUNT_MAX 1e9

#define COLUMN_SINCE(version, field, largest) \
	{ #field, offsetof(struct sw_run, field), largest, version }
#define COLUMN(field, largest) COLUMN_SINCE(0, field, largest)

/* A new column also needs a migration in history_schema.c. */
const struct sw_history_column sw_history_columns[] = {
	COLUMN(start_seconds, SECONDS_MAX),
	COLUMN(end_seconds, SECONDS_MAX),
	COLUMN(elapsed_seconds, SECONDS_MAX),
	COLUMN(requested_bytes, BYTES_MAX),
	COLUMN(need_bytes, BYTES_MAX),
	COLUMN(need_upper_bytes, BYTES_MAX),
	COLUMN(requested_seconds, SECONDS_MAX),
	COLUMN(requested_cores, COUNT_MAX),
	COLUMN(used_core_seconds, SECONDS_MAX * COUNT_MAX),
	COLUMN(peak_cores, COUNT_MAX),
	COLUMN(nodes, COUNT_MAX),
	COLUMN(tasks, COUNT_MAX),
	COLUMN(slowest_task_ratio, COUNT_MAX),
	COLUMN(requested_gpus, COUNT_MAX),
	COLUMN(used_gpus, COUNT_MAX),
	COLUMN(gpu_busy_ratio, 1.0),
	COLUMN(gpu_memory_bytes, BYTES_MAX),
	COLUMN(cpu_share, 1.0),
	COLUMN(io_share, 1.0),
	COLUMN(network_share, 1.0),
	COLUMN(gpu_share, 1.0),
	COLUMN(input_bytes, BYTES_MAX),
	COLUMN_SINCE(2, submit_seconds, SECONDS_MAX),
	COLUMN_SINCE(2, exit_code, COUNT_MAX),
	COLUMN_SINCE(3, waiting_share, 1.0),
	COLUMN_SINCE(4, memory_per, SW_MEMORY_PER_GPU),
	COLUMN_SINCE(5, open_bytes, BYTES_MAX),
};

const size_t sw_history_column_count =
	sizeof(sw_history_columns) / sizeof(sw_history_columns[0]);

double *sw_history_value(struct sw_run *run,
			 const struct sw_history_column *column)
{
	return (double *)(void *)((char *)run + column->offset);
}

/* Use the same byte order on every machine. */
static int bind_busy(sqlite3_stmt *statement, int index,
		     const struct sw_run *run)
{
	uint64_t bits[SW_BUSY_LEVELS];
	size_t i;

	if (!run->has_busy)
		return sqlite3_bind_null(statement, index);
	memcpy(bits, run->busy_seconds, sizeof(bits));
	for (i = 0; i < SW_BUSY_LEVELS; i++)
		bits[i] = htole64(bits[i]);
	return sqlite3_bind_blob(statement, index, bits, sizeof(bits),
				 SQLITE_TRANSIENT);
}

static void read_busy(sqlite3_stmt *statement, int index, struct sw_run *run)
{
	const void *blob = sqlite3_column_blob(statement, index);
	uint64_t bits[SW_BUSY_LEVELS];
	size_t i;

	run->has_busy = blob && sqlite3_column_bytes(statement, index) ==
			(int)sizeof(bits);
	if (!run->has_busy)
		return;
	memcpy(bits, blob, sizeof(bits));
	for (i = 0; i < SW_BUSY_LEVELS; i++)
		bits[i] = le64toh(bits[i]);
	memcpy(run->busy_seconds, bits, sizeof(bits));
	for (i = 0; i < SW_BUSY_LEVELS; i++) {
		if (!(run->busy_seconds[i] >= 0 &&
		      run->busy_seconds[i] <= SECONDS_MAX))
			run->has_busy = false;
	}
}

int sw_history_bind_run(sqlite3_stmt *statement, int first,
			const struct sw_run *run)
{
	struct sw_run copy = *run;
	size_t i;
	int rc = SQLITE_OK;

	for (i = 0; i < sw_history_column_count && rc == SQLITE_OK; i++)
		rc = sqlite3_bind_double(statement, first++, *sw_history_value(
			&copy, &sw_history_columns[i]));
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int(statement, first++, (int)run->state);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int64(statement, first++, run->attempt);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int(statement, first++,
				      run->is_lower_bound);
	return rc == SQLITE_OK ? bind_busy(statement, first, run) : rc;
}

void sw_history_read_run(sqlite3_stmt *statement, int first,
			 struct sw_run *run)
{
	int state;
	size_t i;

	*run = sw_run_unknown;
	for (i = 0; i < sw_history_column_count; i++, first++) {
		if (sqlite3_column_type(statement, first) != SQLITE_NULL)
			*sw_history_value(run, &sw_history_columns[i]) =
				sqlite3_column_double(statement, first);
	}
	state = sqlite3_column_int(statement, first++);
	if (state > SW_RUN_UNKNOWN && state <= SW_RUN_CANCELLED)
		run->state = (enum sw_run_state)state;
	run->attempt = (unsigned)sqlite3_column_int(statement, first++);
	run->is_lower_bound = sqlite3_column_int(statement, first++) != 0;
	read_busy(statement, first, run);
}

size_t sw_history_clean(struct sw_run *run)
{
	size_t dropped = 0, i;
	double *value;

	for (i = 0; i < sw_history_column_count; i++) {
		value = sw_history_value(run, &sw_history_columns[i]);
		if (isnan(*value) || (*value >= 0 &&
				      *value <= sw_history_columns[i].max))
			continue;
		*value = NAN;
		dropped++;
	}
	/* 0 stands for "everything" and for "not measured". */
	if (run->requested_bytes == 0)
		run->requested_bytes = NAN;
	if (run->need_bytes == 0)
		run->need_bytes = NAN;
	if (run->requested_seconds == 0)
		run->requested_seconds = NAN;
	if (run->requested_cores == 0)
		run->requested_cores = NAN;
	if (run->need_upper_bytes < run->need_bytes)
		run->need_upper_bytes = run->need_bytes;
	if (isnan(run->need_bytes))
		run->is_lower_bound = false;
	return dropped;
}

const char *sw_history_lineage(const struct sw_history_run *run,
			       char buf[SW_HISTORY_LINEAGE_SIZE])
{
	const char *job = sw_text(run->job);

	if (run->lineage)
		return run->lineage;
	if (run->is_start_exact)
		return "";
	/* Ids that are not of Slurm name their scheduler: "lsf:7". */
	if (*job < '0' || *job > '9')
		snprintf(buf, SW_HISTORY_LINEAGE_SIZE, "%s", job);
	else
		snprintf(buf, SW_HISTORY_LINEAGE_SIZE, "%.100s:%s",
			 sw_text(run->cluster), job);
	return buf;
}

/* What every row has besides the numbers, in the order of bind_texts(). */
#define HEAD "group_id, cluster, job, step, user, name, partition, lineage, " \
	"programs, step_program, source, restart, fingerprint"
enum { HEAD_COUNT = 13 };

const char *sw_history_column_sql(const struct sw_history *history,
				  const char *name, int since)
{
	return !history || history->version > since ? name : "NULL";
}

char *sw_history_columns_sql(const struct sw_history *history)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	size_t i;

	for (i = 0; i < sw_history_column_count; i++) {
		const struct sw_history_column *one = &sw_history_columns[i];

		sqlite3_str_appendf(text, "%s, ",
				    sw_history_column_sql(history, one->name,
							  one->since));
	}
	sqlite3_str_appendall(text, "state, attempt, is_lower_bound, busy");
	return sqlite3_str_finish(text);
}

/* What a source does not know does not overwrite what is known. */
static void append_value(sqlite3_str *text, int number, bool is_update)
{
	static const char *const kept[HEAD_COUNT + 1] = {
		[2] = "cluster",       [5] = "user",	[6] = "name",
		[7] = "partition",     [8] = "lineage", [9] = "programs",
		[10] = "step_program", [13] = "fingerprint",
	};
	const char *name = number <= HEAD_COUNT ? kept[number] : NULL;

	sqlite3_str_appendall(text, number > 1 ? ", " : "");
	if (is_update && name)
		sqlite3_str_appendf(text, "coalesce(nullif(?%d, ''), %s)",
				    number, name);
	else
		sqlite3_str_appendf(text, "?%d", number);
}

char *sw_history_write_sql(const struct sw_history *history, bool is_update)
{
	char *columns = sw_history_columns_sql(history), *result = NULL;
	sqlite3_str *text = sqlite3_str_new(NULL);
	size_t i, count = HEAD_COUNT + sw_history_column_count + 4;

	if (columns) {
		sqlite3_str_appendf(text, is_update ?
			"UPDATE runs SET (%s, %s) = (" :
			"INSERT INTO runs (%s, %s, id) VALUES (", HEAD,
			columns);
		for (i = 1; i <= count; i++)
			append_value(text, (int)i, is_update);
		sqlite3_str_appendf(text, is_update ? ") WHERE id = ?%d" :
				    ", ?%d)", (int)count + 1);
	}
	result = sqlite3_str_finish(text);
	if (!columns) {
		sqlite3_free(result);
		result = NULL;
	}
	sqlite3_free(columns);
	return result;
}
