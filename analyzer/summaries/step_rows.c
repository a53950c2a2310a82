/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make rows from columns. */
#include "analyzer/summaries/step_rows.h"

#include <string.h>

#include "analyzer/trust/digests.h"
#include "common/missing.h"

enum {
	TEXTS = SW_STEP_NUMBERS,
	OTHERS = TEXTS + SW_STEP_TEXTS,
	WANTED = OTHERS + 3,
};

/* Numbers, then texts: those of enum sw_step_text, then others. */
static const char *const wanted[WANTED + 1] = {
	[SW_STEP_JOB_ID] = "job_id",
	[SW_STEP_ARRAY_JOB_ID] = "array_job_id",
	[SW_STEP_ARRAY_TASK_ID] = "array_task_id",
	[SW_STEP_HET_JOB_ID] = "het_job_id",
	[SW_STEP_HET_COMPONENT] = "het_component",
	[SW_STEP_RESTARTS] = "restart_count",
	[SW_STEP_UID] = "uid",
	[SW_STEP_WAIT_STATUS] = "wait_status",
	[SW_STEP_START_USEC] = "start_realtime_usec",
	[SW_STEP_END_USEC] = "end_realtime_usec",
	[SW_STEP_NEED_BYTES] = "need_bytes",
	[SW_STEP_FLOOR_BYTES] = "floor_bytes",
	[SW_STEP_REQUESTED_BYTES] = "requested_memory_bytes",
	[SW_STEP_REQUESTED_CPUS_MILLI] = "requested_cpus_milli",
	[SW_STEP_USAGE_USEC] = "usage_usec",
	[SW_STEP_PEAK_CORES_MILLI] = "peak_cores_milli",
	[SW_STEP_TASKS] = "task_count",
	[SW_STEP_OOM_KILLS] = "oom_kills",
	[SW_STEP_INPUT_BYTES] = "input_bytes",
	[SW_STEP_THROTTLED_USEC] = "throttled_usec",
	[SW_STEP_CPU_SOME_USEC] = "cpu_some_usec",
	[SW_STEP_MEMORY_FULL_USEC] = "memory_full_usec",
	[SW_STEP_IO_FULL_USEC] = "io_full_usec",
	[SW_STEP_READ_BYTES] = "read_bytes",
	[SW_STEP_WRITTEN_BYTES] = "written_bytes",
	[SW_STEP_GPU_SEEN_USEC] = "gpu_seen_usec",
	[SW_STEP_GPU_BUSY_USEC] = "gpu_busy_usec",
	[SW_STEP_STALL_IDLE_USEC] = "stall_idle_usec",
#define AS_COLUMN(NAME, name) \
	[SW_STEP_LIMITED_##NAME##_USEC] = "limited_by_" name "_usec",
	SW_LIMITED_BY_EACH(AS_COLUMN)
	[SW_STEP_DISK_BYTES_PER_SEC] = "disk_bytes_per_sec",
	[SW_STEP_NET_BYTES_PER_SEC] = "net_bytes_per_sec",
	[TEXTS + SW_STEP_STALL_KIND] = "stall_kind",
	[TEXTS + SW_STEP_STALL_FS] = "stall_fs",
	[TEXTS + SW_STEP_STALL_MOUNT] = "stall_mount",
	[TEXTS + SW_STEP_FAILED_PROGRAM] = "failed_program",
	[TEXTS + SW_STEP_FAILED_CAUSE] = "failed_cause",
	[OTHERS] = "cluster",
	"step_id",
	"final_source",
};

const struct sw_reader_only sw_step_rows_only = {
	.table = "step_summaries",
	.columns = wanted,
	.passes_texts = true,
};

struct columns {
	/* Existing columns. */
	const uint64_t *numbers[SW_STEP_NUMBERS];
	enum sw_step_number number[SW_STEP_NUMBERS];
	size_t number_count;
	/* NULL: no such column. */
	const char *const *cluster, *const *step, *const *name, *const *source;
	const char *const *text[SW_STEP_TEXTS];
	struct sw_texts_seen seen;
	uint32_t node, late;
};

static const char *const *find_texts(const struct sw_reader_table *table,
				     const char *name)
{
	const struct sw_reader_column *column =
		sw_reader_find_column(table, name);

	return column ? column->texts : NULL;
}

static int find_columns(struct columns *columns,
			const struct sw_reader_table *table,
			const struct sw_step_rows_taker *taker,
			const char *path)
{
	const struct sw_reader_column *column;
	char node[64];
	size_t i;

	for (i = 0; i < SW_STEP_NUMBERS; i++) {
		column = sw_reader_find_column(table, wanted[i]);
		if (!column || !column->numbers)
			continue;
		columns->number[columns->number_count] =
			(enum sw_step_number)i;
		columns->numbers[columns->number_count++] = column->numbers;
	}
	for (i = 0; i < SW_STEP_TEXTS; i++)
		columns->text[i] = find_texts(table, wanted[TEXTS + i]);
	columns->cluster = find_texts(table, "cluster");
	columns->step = find_texts(table, "step_id");
	columns->source = find_texts(table, "final_source");
	if (taker->has_names)
		columns->name = find_texts(table, "job_name");
	sw_digests_node(path, node, sizeof(node));
	columns->node = sw_texts_add(taker->texts, node);
	columns->late = sw_texts_add(taker->texts, "late");
	return columns->node == SW_TEXT_NONE || columns->late == SW_TEXT_NONE
		       ? -1
		       : 0;
}

static uint32_t text_at(struct columns *columns, const char *const *texts,
			size_t row, struct sw_texts *to)
{
	const char *text = texts ? texts[row] : NULL;

	return sw_texts_add_seen(to, &columns->seen, text ? text : "");
}

static bool has_step(const struct columns *columns, size_t row)
{
	const char *step = columns->step ? columns->step[row] : NULL;

	return step && *step;
}

static int fill(struct sw_step_row *to, struct columns *columns, size_t row,
		struct sw_texts *texts)
{
	size_t i;

	for (i = 0; i < columns->number_count; i++)
		to->n[columns->number[i]] = columns->numbers[i][row];
	for (i = 0; i < SW_STEP_TEXTS; i++) {
		to->text[i] = text_at(columns, columns->text[i], row, texts);
		if (to->text[i] == SW_TEXT_NONE)
			return -1;
	}
	to->cluster = text_at(columns, columns->cluster, row, texts);
	to->step = text_at(columns, columns->step, row, texts);
	to->name = text_at(columns, columns->name, row, texts);
	to->is_correction =
		text_at(columns, columns->source, row, texts) == columns->late;
	to->node = columns->node;
	to->next = 0;
	return to->cluster == SW_TEXT_NONE || to->step == SW_TEXT_NONE ||
			       to->name == SW_TEXT_NONE
		       ? -1
		       : 0;
}

int sw_step_rows_read(const struct sw_step_rows_taker *taker,
		      const struct sw_reader *reader, const char *path,
		      size_t *unnamed)
{
	const struct sw_reader_table *table =
		sw_reader_find(reader, "step_summaries");
	struct columns columns = { .node = SW_TEXT_NONE };
	struct sw_step_row row;
	size_t i;
	int rc;

	if (!table)
		return 0;
	for (i = 0; i < SW_STEP_NUMBERS; i++)
		row.n[i] = SW_MISSING;
	rc = find_columns(&columns, table, taker, path);
	for (i = 0; rc == 0 && i < table->row_count; i++) {
		rc = fill(&row, &columns, i, taker->texts);
		if (rc < 0)
			break;
		if (sw_is_missing(row.n[SW_STEP_JOB_ID]) ||
		    sw_is_missing(row.n[SW_STEP_START_USEC]) ||
		    !has_step(&columns, i))
			(*unnamed)++;
		else
			rc = taker->take(taker->context, &row);
	}
	return rc;
}
