/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare a profile of w_steady with what w_steady printed. */
#include "faults/agree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The CPU time clock and the wall clock differ slightly. */
enum { CPU_SLACK_USEC = 2000 };

__attribute__((format(printf, 2, 3)))
static int differs(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, WHY_SIZE, format, args);
	va_end(args);
	return -1;
}

int truth_read_lines(struct truth *truth, const char *path, char *why)
{
	FILE *file = fopen(path, "re");
	char line[128];
	uint64_t number;
	int result = 0;

	memset(truth, 0, sizeof(*truth));
	if (!file)
		return differs(why, "%s cannot be read", path);
	while (result == 0 && fgets(line, sizeof(line), file)) {
		size_t i = truth->line_count, length = strlen(line);

		if (i == STEADY_LINES_MAX || line[length - 1] != '\n' ||
		    (i && length != truth->line_bytes) ||
		    sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64, &number,
			   &truth->time_usec[i], &truth->cpu_usec[i]) != 3 ||
		    number != i + 1)
			result = differs(why, "line %zu of the output is "
					 "not what was written", i + 1);
		truth->line_bytes = length;
		truth->line_count++;
	}
	fclose(file);
	return result;
}

/* Return the number of lines begun by usec. */
static size_t lines_until(const struct truth *truth, uint64_t usec)
{
	size_t count = 0;

	while (count < truth->line_count && truth->time_usec[count] <= usec)
		count++;
	return count;
}

static const uint64_t *numbers(const struct sw_reader_table *table,
			       const char *column)
{
	const struct sw_reader_column *found;

	found = table ? sw_reader_find_column(table, column) : NULL;
	return found ? found->numbers : NULL;
}

/* Cumulative values never decrease, in any table. */
static int only_grow(const struct sw_reader_table *table, char *why)
{
	const uint64_t *subjects = numbers(table, "subject");

	for (size_t c = 0; c < table->column_count; c++) {
		const struct sw_reader_column *column = &table->columns[c];
		uint64_t lasts[256] = { 0 };

		if (column->kind != SW_KIND_COUNTER &&
		    column->kind != SW_KIND_PEAK &&
		    column->kind != SW_KIND_TIME)
			continue;
		for (size_t row = 0; row < table->row_count; row++) {
			uint64_t value = column->numbers[row];
			uint64_t last, subject = subjects ? subjects[row] : 0;

			if (sw_is_missing(value))
				continue;
			if (subject >= 256)
				return differs(why, "%s: subject %" PRIu64,
					       table->name, subject);
			last = lasts[subject];
			if (value < last)
				return differs(why, "%s %s went back from "
					       "%" PRIu64 " to %" PRIu64
					       " in row %zu", table->name,
					       column->name, last, value,
					       row);
			lasts[subject] = value;
		}
	}
	return 0;
}

/*
 * wchar and syscw count whole lines, only those begun by the row's time, and at
 * least those finished by the previous row.
 */
static int proc_agrees(const struct sw_reader *reader,
		       const struct truth *truth, char *why)
{
	const struct sw_reader_table *table;
	const uint64_t *time, *bytes, *calls;
	uint64_t least = 0, most;

	table = sw_reader_find(reader, "series.proc");
	time = numbers(table, "time_usec");
	bytes = numbers(table, "wchar");
	calls = numbers(table, "syscw");
	if (!table || !table->row_count)
		return 0;
	if (!time || !bytes || !calls)
		return differs(why, "series.proc lacks a column");
	for (size_t row = 0; row < table->row_count; row++) {
		most = lines_until(truth, time[row]);
		if (calls[row] < least || calls[row] > most ||
		    bytes[row] != calls[row] * truth->line_bytes)
			return differs(why, "series.proc row %zu has %" PRIu64
				       " bytes in %" PRIu64 " calls; it was "
				       "%" PRIu64 " to %" PRIu64 " calls of "
				       "%zu bytes", row, bytes[row],
				       calls[row], least, most,
				       truth->line_bytes);
		/* The line before the last one begun had been written. */
		least = most ? most - 1 : 0;
	}
	return 0;
}

/*
 * A single thread uses no more CPU time than the wall time that passes, and no
 * less than it reports.
 */
static int cpu_agrees(const struct sw_reader *reader,
		      const struct truth *truth, char *why)
{
	const struct sw_reader_table *table;
	const uint64_t *time, *usage, *start;
	uint64_t least = 0;

	table = sw_reader_find(reader, "series.cpu");
	time = numbers(table, "time_usec");
	usage = numbers(table, "usage_usec");
	start = numbers(sw_reader_find(reader, "steps"), "start_usec");
	if (!table || !table->row_count)
		return 0;
	if (!time || !usage || !start)
		return differs(why, "series.cpu lacks a column, or its step");
	for (size_t row = 0; row < table->row_count; row++) {
		uint64_t most = time[row] - start[0] + CPU_SLACK_USEC;
		size_t begun = lines_until(truth, time[row]);

		if (usage[row] + CPU_SLACK_USEC < least || usage[row] > most)
			return differs(why, "series.cpu row %zu has %" PRIu64
				       " usec; it was %" PRIu64 " to %" PRIu64,
				       row, usage[row], least, most);
		least = begun > 1 ? truth->cpu_usec[begun - 2] : 0;
	}
	return 0;
}

static size_t rows_between(const struct sw_reader_table *table, uint64_t from,
			   uint64_t until)
{
	const uint64_t *time = numbers(table, "time_usec");
	size_t count = 0;

	for (size_t row = 0; time && row < table->row_count; row++)
		count += time[row] >= from && time[row] < until;
	return count;
}

/*
 * A round writes cpu, proc and recorder in this order; proc only once /proc
 * could be read.  After a table's first row, which may hold the initial zeros,
 * every round has exactly one row, except the last, which was cut short.
 */
static int rounds_are_whole(const struct sw_reader *reader, char *why)
{
	static const char *const names[] = { "series.proc", "series.recorder" };
	const struct sw_reader_table *table, *cpu;
	const uint64_t *rounds, *time;
	size_t i, round, count;

	cpu = sw_reader_find(reader, "series.cpu");
	rounds = numbers(cpu, "time_usec");
	for (i = 0; rounds && i < sizeof(names) / sizeof(names[0]); i++) {
		table = sw_reader_find(reader, names[i]);
		time = numbers(table, "time_usec");
		if (!time || table->row_count < 2)
			continue;
		for (round = 0; round + 1 < cpu->row_count; round++) {
			count = rows_between(table, rounds[round],
					     rounds[round + 1]);
			if (rounds[round + 1] > time[1] && count != 1)
				return differs(why, "%s has %zu rows in round "
					       "%zu of %zu", names[i], count,
					       round, cpu->row_count);
		}
	}
	return 0;
}

static int step_agrees(const struct sw_reader *reader,
		       const struct truth *truth, pid_t pid,
		       uint64_t period_usec, char *why)
{
	const struct sw_reader_table *steps = sw_reader_find(reader, "steps");
	const uint64_t *start = numbers(steps, "start_usec");
	const uint64_t *root = numbers(steps, "root_pid");
	const uint64_t *period = numbers(sw_reader_find(reader, "identity"),
					 "period_usec");

	if (!steps || !steps->row_count)
		return 0;
	if (steps->row_count != 1 || !start || !root || !period)
		return differs(why, "%zu steps, or an identity without a "
			       "period", steps->row_count);
	if (pid && root[0] != (uint64_t)pid)
		return differs(why, "root_pid is %" PRIu64 ", it was %d",
			       root[0], (int)pid);
	if (truth->line_count && start[0] > truth->time_usec[0])
		return differs(why, "started after its first line");
	if (period[0] != period_usec)
		return differs(why, "a period of %" PRIu64, period[0]);
	return 0;
}

int agrees(const struct sw_reader *reader, const struct truth *truth,
	   pid_t pid, uint64_t period_usec, char *why)
{
	for (size_t i = 0; i < sw_reader_table_count(reader); i++) {
		const struct sw_reader_table *table;

		table = sw_reader_table(reader, i);
		if (!strncmp(table->name, "series.", 7) &&
		    only_grow(table, why) < 0)
			return -1;
	}
	if (step_agrees(reader, truth, pid, period_usec, why) < 0 ||
	    proc_agrees(reader, truth, why) < 0 ||
	    cpu_agrees(reader, truth, why) < 0)
		return -1;
	/* A summary's last round is complete: no kill cut it short. */
	return rounds_are_whole(reader, why);
}

uint64_t last_sample_usec(const struct sw_reader *reader)
{
	const struct sw_reader_table *table;
	const uint64_t *time;

	table = sw_reader_find(reader, "series.recorder");
	time = numbers(table, "time_usec");
	return time && table->row_count ? time[table->row_count - 1] :
					  SW_MISSING;
}
