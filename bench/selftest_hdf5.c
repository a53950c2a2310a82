/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/selftest_hdf5 [TRACE]: check the HDF5 baseline on the synthetic trace,
 * or on a recorded one: the appended values come back, and nothing can be read
 * if the writer is killed.  Prints its size and its cost.
 *
 * Fails (exit 1) at the end if a check failed.
 */
#include "bench/selftest.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/baseline_hdf5.h"
#include "bench/measure.h"
#include "bench/trace_file.h"
#include "bench/trace_synthetic.h"

enum { ROWS_AT_ONCE = 1000 };

static uint64_t start_seconds;

static void make_synthetic(struct trace *trace)
{
	struct trace_synthetic *synthetic =
		trace_synthetic_create(TRACE_SYNTHETIC_TASKS, 1);
	uint64_t *row;

	trace->period_usec = TRACE_SYNTHETIC_PERIOD_USEC;
	trace->tick_count = TRACE_SYNTHETIC_TICKS;
	trace->task_count = TRACE_SYNTHETIC_TASKS;
	trace->column_count = TRACE_SYNTHETIC_COLUMNS;
	for (size_t i = 0; i < TRACE_SYNTHETIC_COLUMNS; i++)
		trace->columns[i] = trace_synthetic_columns[i];
	trace->values = calloc(trace->tick_count * trace->task_count *
			       trace->column_count, sizeof(*trace->values));
	row = trace->values;
	if (synthetic == NULL || row == NULL) {
		perror("selftest_hdf5");
		exit(1);
	}
	for (uint64_t tick = 0; tick < trace->tick_count; tick++)
		for (uint64_t task = 0; task < trace->task_count; task++) {
			if (trace_synthetic_row(synthetic, tick, task,
						row) < 0)
				exit(1);
			row += TRACE_SYNTHETIC_COLUMNS;
		}
	trace_synthetic_destroy(synthetic);
}

static double sample_count(const struct trace *trace)
{
	return (double)(trace->tick_count * trace->task_count *
			trace->column_count);
}

static uint64_t seconds_at(const struct trace *trace, uint64_t tick)
{
	return start_seconds + tick * trace->period_usec / 1000000;
}

static struct hdf5_baseline *append_all(const char *path,
					const struct trace *trace,
					enum hdf5_names names)
{
	struct sw_error error;
	struct hdf5_baseline *baseline;

	baseline = hdf5_baseline_open(path, trace->task_count, trace->columns,
				      trace->column_count, names, &error);
	if (baseline == NULL) {
		fprintf(stderr, "%s\n", error.text);
		return NULL;
	}
	for (uint64_t tick = 0; tick < trace->tick_count; tick++)
		for (uint64_t task = 0; task < trace->task_count; task++)
			if (hdf5_baseline_append(baseline, task,
						 seconds_at(trace, tick),
						 trace_row(trace, tick,
							   task)) < 0) {
				perror("append");
				hdf5_baseline_close(baseline);
				return NULL;
			}
	return baseline;
}

static double size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) < 0 ? -1.0 : (double)status.st_size;
}

struct run {
	const char *path;
	const struct trace *trace;
	enum hdf5_names names;
};

static int write_and_measure(void *data)
{
	const struct run *run = data;
	const double samples = sample_count(run->trace);
	struct hdf5_baseline *baseline;
	struct measure before;
	struct measure appended;
	struct measure closed;

	measure_take(&before);
	baseline = append_all(run->path, run->trace, run->names);
	measure_take(&appended);
	if (baseline == NULL || hdf5_baseline_close(baseline) < 0)
		return 1;
	measure_take(&closed);
	printf("     writer: names %s: %.3f bytes and %.1f ns of CPU a "
	       "sample, %.1f of it to close; %.1f MiB while open\n",
	       run->names == HDF5_NAMES_IN_ORDER ? "in order" : "as given",
	       size_of(run->path) / samples,
	       (double)(closed.cpu_nsec - before.cpu_nsec) / samples,
	       (double)(closed.cpu_nsec - appended.cpu_nsec) / samples,
	       ((double)appended.rss_bytes - (double)before.rss_bytes) /
	       1048576);
	return 0;
}

static void check_writer(const char *path, const struct trace *trace,
			 enum hdf5_names names)
{
	struct run run = { .path = path, .trace = trace, .names = names };

	selftest_check(measure_in_child(write_and_measure, &run) == 0,
		       "writer: appends and closes");
	selftest_check(size_of(path) > 8.0 * sample_count(trace),
		       "writer: level 0 compresses nothing");
}

struct comparison {
	const struct trace *trace;
	uint64_t wrong_rows;
};

static int compare_row(void *data, uint64_t task, uint64_t row,
		       uint64_t epoch_seconds, const uint64_t *values)
{
	struct comparison *comparison = data;
	const struct trace *trace = comparison->trace;

	if (row >= trace->tick_count ||
	    epoch_seconds != seconds_at(trace, row) ||
	    memcmp(values, trace_row(trace, row, task),
		   trace->column_count * sizeof(*values)) != 0)
		comparison->wrong_rows++;
	return 0;
}

static int sum_row(void *data, uint64_t task, uint64_t row,
		   uint64_t epoch_seconds, const uint64_t *values)
{
	uint64_t *sum = data;

	(void)task;
	(void)row;
	*sum += epoch_seconds + values[0];
	return 0;
}

static int stop_at_row(void *data, uint64_t task, uint64_t row,
		       uint64_t epoch_seconds, const uint64_t *values)
{
	(void)data;
	(void)task;
	(void)row;
	(void)epoch_seconds;
	(void)values;
	return 1;
}

static void check_reader(const char *path, const struct trace *trace)
{
	struct comparison comparison = { .trace = trace };
	struct sw_error error = { .text = "" };
	uint64_t sum = 0;
	uint64_t begin_nsec;
	int64_t rows;

	rows = hdf5_baseline_decode(path, trace->task_count,
				    trace->column_count, ROWS_AT_ONCE,
				    compare_row, &comparison, &error);
	selftest_check(rows ==
		       (int64_t)(trace->tick_count * trace->task_count),
		       "reader: every row");
	selftest_check(comparison.wrong_rows == 0, "reader: every value");
	begin_nsec = measure_cpu_nsec();
	rows = hdf5_baseline_decode(path, trace->task_count,
				    trace->column_count, ROWS_AT_ONCE,
				    sum_row, &sum, &error);
	printf("     reader: %.1f ns of CPU a sample\n",
	       (double)(measure_cpu_nsec() - begin_nsec) /
	       sample_count(trace));
	selftest_check(rows > 0 && sum > 0, "reader: again");
	selftest_check(hdf5_baseline_decode(path, 1, trace->column_count,
					    ROWS_AT_ONCE, stop_at_row, NULL,
					    &error) < 0,
		       "reader: a row function can end it");
	selftest_check(hdf5_baseline_decode("/dev/null", 1, 1, 1, sum_row,
					    &sum, &error) < 0,
		       "reader: another kind of file is refused");
}

static int write_and_die(void *data)
{
	const struct run *run = data;

	if (append_all(run->path, run->trace, run->names) == NULL)
		return 1;
	return raise(SIGKILL);
}

/* Like a killed slurmstepd: nothing has been flushed. */
static void check_killed(const char *path, const struct trace *trace)
{
	struct run run = {
		.path = path, .trace = trace, .names = HDF5_NAMES_IN_ORDER,
	};
	struct sw_error error = { .text = "" };
	uint64_t sum = 0;

	selftest_check(measure_in_child(write_and_die, &run) < 0 &&
		       errno == ECHILD, "killed: after all was appended");
	selftest_check(hdf5_baseline_decode(path, trace->task_count,
					    trace->column_count, ROWS_AT_ONCE,
					    sum_row, &sum, &error) < 0,
		       "killed: nothing can be read");
	printf("     killed: %.0f bytes left, \"%s\"\n", size_of(path),
	       error.text);
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/selftest_hdf5.XXXXXX";
	struct trace trace = { .values = NULL };
	struct sw_error error;
	int fd;

	if (argc < 2) {
		make_synthetic(&trace);
	} else if (trace_file_read(argv[1], &trace, &error) < 0) {
		fprintf(stderr, "%s: %s\n", argv[1], error.text);
		return 1;
	}
	fd = mkstemp(path);
	if (fd < 0) {
		perror(path);
		return 1;
	}
	close(fd);
	start_seconds = (uint64_t)time(NULL);
	check_writer(path, &trace, HDF5_NAMES_AS_GIVEN);
	check_writer(path, &trace, HDF5_NAMES_IN_ORDER);
	check_reader(path, &trace);
	check_killed(path, &trace);
	unlink(path);
	trace_file_free(&trace);
	return selftest_failures > 0 ? 1 : 0;
}
