/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads a trace, by stepwell and by HDF5.
 *
 * Fails if a writer or a reader fails; wrong values are counted.
 */
#include "bench/profile_sides.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/baseline_hdf5.h"
#include "bench/measure.h"
#include "common/delta.h"
#include "profiles/reader.h"
#include "profiles/writer.h"

enum {
	ROWS_AT_ONCE = 1000,	/* of HDF5's reader */
	OWN_COLUMNS = 2,	/* time_usec and step (sampler.c) */
	LINE_SIZE = 1024,
	USEC_PER_SECOND = 1000000,
};

static const char stepwell_name[] = "trace.stepwell";
static const char hdf5_name[] = "trace.h5";
static const char table_name[] = "series.trace";

uint64_t side_sample_count(const struct trace *trace)
{
	return trace->tick_count * trace->task_count *
		(trace->column_count - 1);
}

static uint64_t size_of(const struct side_task *task, const char *name)
{
	char path[PATH_MAX];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%s", task->folder, name);
	return stat(path, &status) < 0 ? SW_MISSING : (uint64_t)status.st_size;
}

/* Return the resident bytes of mapped files with this in their name. */
static uint64_t resident_of(const char *name)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	char line[LINE_SIZE];
	bool is_wanted = false;
	uint64_t bytes = 0;

	if (!file)
		return SW_MISSING;
	while (fgets(line, sizeof(line), file)) {
		if (strchr(line, '/'))
			is_wanted = strstr(line, name) != NULL;
		else if (strchr(line, '-') && strchr(line, ':') > line + 20)
			is_wanted = false;
		if (is_wanted && !strncmp(line, "Rss:", 4))
			bytes += strtoull(line + 4, NULL, 10) * 1024;
	}
	fclose(file);
	return bytes;
}

/* CPU stopwatch that pauses while memory is measured. */
struct watch {
	struct measure before;
	uint64_t began_nsec;
};

static void watch_start(struct watch *watch)
{
	measure_reset_high_water();
	measure_take(&watch->before);
	watch->began_nsec = measure_cpu_nsec();
}

static void watch_memory(struct watch *watch, struct side_written *written)
{
	struct measure now;
	uint64_t growth;

	written->cpu_nsec += measure_cpu_nsec() - watch->began_nsec;
	measure_take(&now);
	growth = sw_excess_u64(now.rss_bytes, watch->before.rss_bytes);
	if (growth > written->rss_bytes) {
		written->rss_bytes = growth;
		written->tail_bytes = resident_of(".tail");
	}
	written->high_water_bytes = sw_excess_u64(
		now.high_water_bytes, watch->before.high_water_bytes);
	watch->began_nsec = measure_cpu_nsec();
}

/* Prevents reading the values from being optimized out. */
static volatile uint64_t sum_of_all;

static int write_nothing(const struct side_task *task,
			 struct side_written *written)
{
	const struct trace *trace = task->trace;
	struct watch watch;

	watch_start(&watch);
	for (uint64_t tick = 0; tick < trace->tick_count; tick++)
		for (uint64_t i = 0; i < trace->task_count; i++) {
			const uint64_t *row = trace_row(trace, tick, i);
			uint64_t row_sum = 0;

			for (uint64_t j = 0; j < trace->column_count; j++)
				row_sum += row[j];
			sum_of_all += row_sum;
		}
	watch_memory(&watch, written);
	return 0;
}

/* Define a table as recorder/sampler/sampler.c does for a source. */
static int define_table(struct sw_writer *writer, const struct trace *trace,
			struct sw_error *error)
{
	struct sw_column columns[OWN_COLUMNS + TRACE_COLUMNS_MAX] = {
		{ "time_usec", "usec", SW_KIND_TIME, "When it was read." },
		{ "step", "", SW_KIND_KEY, "The step." },
	};
	const struct sw_table table = {
		.name = table_name,
		.scope = SW_SCOPE_STEP,
		.source = "proc",
		.columns = columns,
		.column_count = OWN_COLUMNS + trace->column_count - 1,
	};

	for (uint64_t i = 1; i < trace->column_count; i++)
		columns[OWN_COLUMNS + i - 1] = trace->columns[i];
	return sw_writer_table(writer, &table, error);
}

static int write_rows(struct sw_writer *writer, int table,
		      const struct trace *trace)
{
	union sw_value values[OWN_COLUMNS + TRACE_COLUMNS_MAX];

	for (uint64_t tick = 0; tick < trace->tick_count; tick++)
		for (uint64_t i = 0; i < trace->task_count; i++) {
			const uint64_t *row = trace_row(trace, tick, i);

			values[0].number = row[0];
			values[1].number = i;
			for (uint64_t j = 1; j < trace->column_count; j++)
				values[OWN_COLUMNS + j - 1].number = row[j];
			if (sw_writer_row(writer, table, values, row[0]) < 0)
				return -1;
		}
	return 0;
}

static int write_stepwell(const struct side_task *task,
			  struct side_written *written)
{
	const struct trace *trace = task->trace;
	uint64_t end_usec = trace_row(trace, trace->tick_count - 1, 0)[0];
	int dirfd = open(task->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sw_writer *writer = NULL;
	struct sw_error error = { .text = "the folder cannot be opened" };
	struct watch watch;
	int result = -1;
	int table;

	watch_start(&watch);
	if (dirfd >= 0)
		writer = sw_writer_create(dirfd, stepwell_name, true, &error);
	if (!writer)
		goto out;
	table = define_table(writer, trace, &error);
	if (table < 0)
		goto out;
	sw_error_set(&error, "a row was not taken");
	if (write_rows(writer, table, trace) < 0)
		goto out;
	watch_memory(&watch, written);
	result = sw_writer_finish(writer, end_usec, &error);
	watch_memory(&watch, written);
out:
	sw_writer_destroy(writer);
	written->cpu_nsec += measure_cpu_nsec() - watch.began_nsec;
	if (dirfd >= 0)
		close(dirfd);
	if (result < 0)
		fprintf(stderr, "stepwell: %s\n", error.text);
	written->file_bytes = size_of(task, stepwell_name);
	return result;
}

/* Rows of a frame are grouped by key, and ordered within a key. */
static void compare_stepwell(const struct sw_reader_table *table,
			     const struct trace *trace, uint64_t *next_tick,
			     struct side_read *result)
{
	const uint64_t *times = table->columns[0].numbers;
	const uint64_t *keys = table->columns[1].numbers;

	for (size_t i = 0; i < table->row_count; i++) {
		const uint64_t *row;

		if (keys[i] >= trace->task_count ||
		    next_tick[keys[i]] >= trace->tick_count) {
			result->wrong_values += trace->column_count;
			continue;
		}
		row = trace_row(trace, next_tick[keys[i]]++, keys[i]);
		result->wrong_times += times[i] != row[0];
		for (uint64_t j = 1; j < trace->column_count; j++)
			result->wrong_values +=
				table->columns[OWN_COLUMNS + j - 1]
					.numbers[i] != row[j];
	}
}

static int check_stepwell(const struct sw_reader *reader,
			  const struct trace *trace, struct side_read *result)
{
	const struct sw_reader_health *health = sw_reader_health(reader);
	const struct sw_reader_table *table =
		sw_reader_find(reader, table_name);
	uint64_t *next_tick;

	if (!health->is_finished || health->frames_damaged ||
	    health->frames_missing || health->rows_dropped || !table ||
	    table->column_count != OWN_COLUMNS + trace->column_count - 1) {
		fprintf(stderr, "stepwell: the profile is not whole\n");
		return -1;
	}
	next_tick = calloc(trace->task_count, sizeof(*next_tick));
	if (!next_tick)
		return -1;
	compare_stepwell(table, trace, next_tick, result);
	result->values = (uint64_t)table->row_count *
		(table->column_count - OWN_COLUMNS);
	free(next_tick);
	return 0;
}

static void keep_least(uint64_t *least, uint64_t began_nsec)
{
	uint64_t nsec = measure_cpu_nsec() - began_nsec;

	if (*least == 0 || nsec < *least)
		*least = nsec;
}

static int read_stepwell(const struct side_task *task,
			 struct side_read *result)
{
	char path[PATH_MAX];
	struct sw_reader *reader = NULL;
	struct sw_error error;
	int status;

	snprintf(path, sizeof(path), "%s/%s", task->folder, stepwell_name);
	for (int i = 0; i < SIDE_READS; i++) {
		uint64_t began_nsec = measure_cpu_nsec();

		sw_reader_close(reader);
		reader = sw_reader_open(path, &error);
		if (!reader) {
			fprintf(stderr, "stepwell: %s\n", error.text);
			return -1;
		}
		keep_least(&result->cpu_nsec, began_nsec);
	}
	status = check_stepwell(reader, task->trace, result);
	sw_reader_close(reader);
	return status;
}

static uint64_t seconds_of(const struct side_task *task, const uint64_t *row)
{
	return (task->epoch_usec + row[0]) / USEC_PER_SECOND;
}

static int append_rows(struct hdf5_baseline *baseline,
		       const struct side_task *task)
{
	const struct trace *trace = task->trace;

	for (uint64_t tick = 0; tick < trace->tick_count; tick++)
		for (uint64_t i = 0; i < trace->task_count; i++) {
			const uint64_t *row = trace_row(trace, tick, i);

			if (hdf5_baseline_append(baseline, i,
						 seconds_of(task, row),
						 row + 1) < 0)
				return -1;
		}
	return 0;
}

static int write_hdf5(const struct side_task *task,
		      struct side_written *written, enum hdf5_names names)
{
	const struct trace *trace = task->trace;
	struct hdf5_baseline *baseline;
	struct sw_error error;
	char path[PATH_MAX];
	struct watch watch;
	int result;

	snprintf(path, sizeof(path), "%s/%s", task->folder, hdf5_name);
	watch_start(&watch);
	baseline = hdf5_baseline_open(path, trace->task_count,
				      trace->columns + 1,
				      trace->column_count - 1, names, &error);
	if (!baseline) {
		fprintf(stderr, "HDF5: %s\n", error.text);
		return -1;
	}
	result = append_rows(baseline, task);
	watch_memory(&watch, written);
	if (hdf5_baseline_close(baseline) < 0)
		result = -1;
	watch_memory(&watch, written);
	if (result < 0)
		fprintf(stderr, "HDF5: a row was not taken\n");
	written->file_bytes = size_of(task, hdf5_name);
	return result;
}

static int write_hdf5_in_order(const struct side_task *task,
			       struct side_written *written)
{
	return write_hdf5(task, written, HDF5_NAMES_IN_ORDER);
}

static int write_hdf5_as_given(const struct side_task *task,
			       struct side_written *written)
{
	return write_hdf5(task, written, HDF5_NAMES_AS_GIVEN);
}

struct comparison {
	const struct side_task *task;
	struct side_read *result;
};

static int compare_row(void *data, uint64_t index, uint64_t tick,
		       uint64_t epoch_seconds, const uint64_t *values)
{
	const struct comparison *comparison = data;
	const struct trace *trace = comparison->task->trace;
	const uint64_t *row;

	if (tick >= trace->tick_count)
		return -1;
	row = trace_row(trace, tick, index);
	comparison->result->wrong_times +=
		epoch_seconds != seconds_of(comparison->task, row);
	for (uint64_t j = 1; j < trace->column_count; j++)
		comparison->result->wrong_values += values[j - 1] != row[j];
	return 0;
}

static int sum_row(void *data, uint64_t index, uint64_t tick,
		   uint64_t epoch_seconds, const uint64_t *values)
{
	uint64_t *sum = data;

	(void)index;
	(void)tick;
	*sum += epoch_seconds + values[0];
	return 0;
}

static int64_t decode_hdf5(const struct side_task *task,
			   hdf5_baseline_row_fn *row, void *data)
{
	const struct trace *trace = task->trace;
	struct sw_error error;
	char path[PATH_MAX];
	int64_t rows;

	snprintf(path, sizeof(path), "%s/%s", task->folder, hdf5_name);
	rows = hdf5_baseline_decode(path, trace->task_count,
				    trace->column_count - 1, ROWS_AT_ONCE, row,
				    data, &error);
	if (rows < 0)
		fprintf(stderr, "HDF5: %s\n", error.text);
	return rows;
}

static int read_hdf5(const struct side_task *task, struct side_read *result)
{
	struct comparison comparison = { .task = task, .result = result };
	uint64_t sum = 0;
	int64_t rows = 0;

	for (int i = 0; i < SIDE_READS && rows >= 0; i++) {
		uint64_t began_nsec = measure_cpu_nsec();

		rows = decode_hdf5(task, sum_row, &sum);
		keep_least(&result->cpu_nsec, began_nsec);
	}
	if (rows < 0 || decode_hdf5(task, compare_row, &comparison) != rows)
		return -1;
	result->values = (uint64_t)rows * (task->trace->column_count - 1);
	return 0;
}

const struct side sides[SIDE_COUNT] = {
	[SIDE_NOTHING] = { .name = "nothing", .write = write_nothing },
	[SIDE_STEPWELL] = {
		.name = "stepwell",
		.write = write_stepwell,
		.read = read_stepwell,
	},
	[SIDE_HDF5_IN_ORDER] = {
		.name = "HDF5 in order",
		.write = write_hdf5_in_order,
		.read = read_hdf5,
	},
	[SIDE_HDF5_AS_GIVEN] = {
		.name = "HDF5 as given",
		.write = write_hdf5_as_given,
		.read = read_hdf5,
	},
};
