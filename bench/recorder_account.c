/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the recorder's cost from its profile: each row of series.recorder
 * has the CPU time up to it, so that the samples between two rows cost the
 * difference; the rest before and after is the launch and the end.
 *
 * Fails if the profile is incomplete or disagrees with the clock.
 */
#include "bench/recorder_account.h"

#include <stdio.h>
#include <string.h>

#include "common/delta.h"
#include "common/units.h"
#include "profiles/reader.h"

enum {
	SAMPLES_MIN = 5,
	/*
	 * Both come from the same sum in the kernel: the profile has user and
	 * system time and that of each helper, rounded to microseconds.
	 */
	ROUNDING_NSEC = 2000 + 1000 * RECORDER_HELPERS_MAX,
};

/* Return the numbers of a column; NULL with *error. */
static const uint64_t *numbers(const struct sw_reader *reader,
			       const char *table, const char *column,
			       size_t *row_count, struct sw_error *error)
{
	const struct sw_reader_table *found = sw_reader_find(reader, table);
	const struct sw_reader_column *values = NULL;

	if (found)
		values = sw_reader_find_column(found, column);
	if (!values || !values->numbers || found->row_count == 0) {
		sw_error_set(error, "the profile has no %s of %s", column,
			     table);
		return NULL;
	}
	*row_count = found->row_count;
	return values->numbers;
}

static const char *text(const struct sw_reader *reader, const char *column)
{
	const struct sw_reader_table *steps = sw_reader_find(reader, "steps");
	const struct sw_reader_column *values = NULL;

	if (steps && steps->row_count > 0)
		values = sw_reader_find_column(steps, column);
	if (!values || !values->texts || !values->texts[0])
		return "";
	return values->texts[0];
}

static void check_backend(const struct sw_reader *reader,
			  const struct recorder_mode *mode,
			  struct recorder_costs *costs)
{
	const char *backend = text(reader, "backend");
	const char *programs = text(reader, "programs_source");

	costs->is_other_backend =
		strncmp(backend, mode->backend, strlen(mode->backend)) != 0 ||
		strcmp(programs, mode->programs) != 0;
	snprintf(costs->backend, sizeof(costs->backend), "%s, %s%s%s", backend,
		 programs, costs->is_other_backend ? ": " : "",
		 !costs->is_other_backend ? ""
		 : strcmp(programs, mode->programs) != 0
			 ? text(reader, "programs_reason")
			 : text(reader, "backend_reason"));
}

/*
 * Find the first and last row between the marks, skipping the very first: its
 * processes may have been read before the mark.
 */
static int find_rows(const struct recorder_account *account,
		     const uint64_t *times, size_t count, size_t *first,
		     size_t *last, struct sw_error *error)
{
	size_t begin, end;

	for (begin = 0; begin < count; begin++)
		if (times[begin] > account->begin_usec)
			break;
	for (end = begin; end < count; end++)
		if (times[end] > account->end_usec)
			break;
	if (end < begin + 2 + SAMPLES_MIN)
		return sw_error_set(error, "only %zu samples in the profile",
				    end - begin);
	*first = begin + 1;
	*last = end - 1;
	return 0;
}

/* Check that each row covers all tasks and no other process. */
static int check_processes(const struct sw_reader *reader,
			   const struct recorder_account *account,
			   size_t tasks, struct sw_error *error)
{
	size_t count = 0, first, last;
	const uint64_t *times = numbers(reader, "series.proc", "time_usec",
					&count, error);
	const uint64_t *processes = numbers(reader, "series.proc", "processes",
					    &count, error);

	if (!times || !processes ||
	    find_rows(account, times, count, &first, &last, error) < 0)
		return -1;
	for (size_t i = first; i <= last; i++)
		if (processes[i] != tasks)
			return sw_error_set(error, "the recorder saw %llu of "
					    "%zu tasks",
					    (unsigned long long)processes[i],
					    tasks);
	return 0;
}

struct series {
	size_t count;
	const uint64_t *times;
	const uint64_t *cpu_usec;
	size_t first, last;	/* between the marks */
};

static int find_series(const struct sw_reader *reader,
		       const struct recorder_account *account,
		       struct series *series, struct sw_error *error)
{
	series->times = numbers(reader, "series.recorder", "time_usec",
				&series->count, error);
	series->cpu_usec = numbers(reader, "series.recorder", "cpu_usec",
				   &series->count, error);
	if (!series->times || !series->cpu_usec)
		return -1;
	return find_rows(account, series->times, series->count, &series->first,
			 &series->last, error);
}

/*
 * Check that the clock, read between two rows, lies between their values.  The
 * lower bound is the row before the last one: the clock of a running process
 * stands still in the rest of that sample, until the next tick.
 */
static int check_looks(const struct recorder_account *account,
		       const struct series *series, uint64_t *looks,
		       struct sw_error *error)
{
	size_t row = series->first, next;

	for (size_t i = 0; i < account->look_count; i++) {
		const struct recorder_look *look = &account->looks[i];
		uint64_t least, most;

		while (row < series->last &&
		       series->times[row + 1] <= look->since_usec)
			row++;
		next = row;
		while (next < series->last &&
		       series->times[next] <= look->until_usec)
			next++;
		if (look->since_usec < series->times[series->first] ||
		    row == series->first ||
		    series->times[next] <= look->until_usec)
			continue;
		least = series->cpu_usec[row - 1] * SW_NSEC_PER_USEC;
		most = series->cpu_usec[next] * SW_NSEC_PER_USEC;
		if (look->cpu_nsec + ROUNDING_NSEC < least ||
		    look->cpu_nsec > most + ROUNDING_NSEC)
			return sw_error_set(error, "its clock showed %.3f ms, "
					    "the profile %.3f to %.3f ms",
					    (double)look->cpu_nsec / 1e6,
					    (double)least / 1e6,
					    (double)most / 1e6);
		(*looks)++;
	}
	if (*looks == 0)
		return sw_error_set(error, "no look at the recorder's clock "
				    "fell between two samples");
	return 0;
}

static int split(const struct recorder_account *account,
		 const struct series *series, struct recorder_costs *costs,
		 struct sw_error *error)
{
	uint64_t first_usec = series->cpu_usec[series->first];
	uint64_t last_usec = series->cpu_usec[series->last];

	costs->samples = series->last - series->first;
	costs->sample_nsec = sw_delta_u64(last_usec, first_usec) *
			     SW_NSEC_PER_USEC / costs->samples;
	costs->launch_nsec = first_usec * SW_NSEC_PER_USEC;
	costs->total_nsec = account->total_nsec;
	costs->end_nsec = sw_delta_u64(account->total_nsec,
				       last_usec * SW_NSEC_PER_USEC);
	if (sw_is_missing(costs->end_nsec) ||
	    account->total_nsec + ROUNDING_NSEC < costs->own_nsec)
		return sw_error_set(error, "the recorder says that it used "
				    "%.3f ms, its clock %.3f ms",
				    (double)costs->own_nsec / 1e6,
				    (double)account->total_nsec / 1e6);
	return 0;
}

static int read_costs(const struct sw_reader *reader,
		      const struct recorder_account *account,
		      const struct recorder_task *task,
		      struct recorder_costs *costs, struct sw_error *error)
{
	struct series series;
	const uint64_t *own, *samples;
	size_t count;

	check_backend(reader, task->mode, costs);
	if (costs->is_other_backend)
		return 0;
	own = numbers(reader, "summary", "recorder_cpu_usec", &count, error);
	samples = numbers(reader, "summary", "samples", &count, error);
	if (!own || !samples ||
	    find_series(reader, account, &series, error) < 0)
		return -1;
	if (samples[0] != series.count)
		return sw_error_set(error, "%llu samples, but %zu rows",
				    (unsigned long long)samples[0],
				    series.count);
	costs->own_nsec = own[0] * SW_NSEC_PER_USEC;
	if (check_processes(reader, account, task->tasks, error) < 0 ||
	    check_looks(account, &series, &costs->looks, error) < 0)
		return -1;
	return split(account, &series, costs, error);
}

int recorder_account_read(const struct recorder_account *account,
			  const struct recorder_task *task,
			  struct recorder_costs *costs,
			  struct sw_error *error)
{
	struct sw_reader *reader = sw_reader_open(task->profile_path, error);
	int result;

	if (!reader)
		return -1;
	if (!sw_reader_health(reader)->is_finished ||
	    sw_reader_health(reader)->rows_dropped > 0)
		result = sw_error_set(error, "the profile is not whole");
	else
		result = read_costs(reader, account, task, costs, error);
	sw_reader_close(reader);
	return result;
}
