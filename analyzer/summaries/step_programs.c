/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make fingerprints from rows: one of the step, those of its programs, and
 * behind each of these the further ways in which its processes ended.
 */
#include "analyzer/summaries/step_programs.h"

#include <stdio.h>
#include <string.h>

#include "common/missing.h"

enum {
	JOB_ID, START, RESTART_COUNT, PROGRAMS, IS_COMPLETE, PROCESSES, CPU,
	READ, WRITTEN, LONGEST, EXITED_OK, EXIT_STATUS, SIGNAL, ENDED,
	NUMBERS
};

enum { CLUSTER, STEP_ID, KERNEL, CPU_MODEL, PROGRAM, TEXTS };

static const char *const number_columns[NUMBERS] = {
	[JOB_ID] = "job_id",
	[START] = "start_realtime_usec",
	[RESTART_COUNT] = "restart_count",
	[PROGRAMS] = "programs",
	[IS_COMPLETE] = "is_complete",
	[PROCESSES] = "processes",
	[CPU] = "cpu_usec",
	[READ] = "read_bytes",
	[WRITTEN] = "written_bytes",
	[LONGEST] = "longest_usec",
	[EXITED_OK] = "exited_ok",
	[EXIT_STATUS] = "exit_status",
	[SIGNAL] = "signal",
	[ENDED] = "ended",
};

static const char *const text_columns[TEXTS] = {
	[CLUSTER] = "cluster",
	[STEP_ID] = "step_id",
	[KERNEL] = "kernel",
	[CPU_MODEL] = "cpu_model",
	[PROGRAM] = "program",
};

static const char *const all_columns[] = {
	"job_id", "start_realtime_usec", "cluster", "step_id", "restart_count",
	"kernel", "cpu_model", "programs", "is_complete", "program",
	"processes", "cpu_usec", "read_bytes", "written_bytes", "longest_usec",
	"exited_ok", "exit_status", "signal", "ended", NULL
};

const struct sw_reader_only sw_step_programs_only = {
	.table = SW_STEP_PROGRAMS_TABLE,
	.columns = all_columns,
	.passes_texts = true,
};

struct reading {
	const uint64_t *numbers[NUMBERS];
	const char *const *texts[TEXTS];
	struct sw_step_programs step;
	struct sw_fingerprint_program *program; /* the last one; NULL */
	uint64_t known, seen;			/* programs of the step */
	bool is_open;				/* rows of the step follow */
};

static uint64_t number(const struct reading *reading, int column, size_t row)
{
	return reading->numbers[column] ? reading->numbers[column][row]
					: SW_MISSING;
}

static const char *text(const struct reading *reading, int column, size_t row)
{
	const char *value =
		reading->texts[column] ? reading->texts[column][row] : NULL;

	return value ? value : "";
}

static void begin(struct reading *reading, const struct sw_reader_table *table)
{
	const struct sw_reader_column *column;
	int i;

	memset(reading, 0, sizeof(*reading));
	for (i = 0; i < NUMBERS; i++) {
		column = sw_reader_find_column(table, number_columns[i]);
		reading->numbers[i] = column ? column->numbers : NULL;
	}
	for (i = 0; i < TEXTS; i++) {
		column = sw_reader_find_column(table, text_columns[i]);
		reading->texts[i] = column ? column->texts : NULL;
	}
}

static void put_text(char to[SW_FINGERPRINT_TEXT], const char *from)
{
	snprintf(to, SW_FINGERPRINT_TEXT, "%s", from);
}

static void open_step(struct reading *reading, size_t row,
		      const struct sw_step_programs_taker *taker)
{
	struct sw_step_programs *step = &reading->step;

	step->cluster = text(reading, CLUSTER, row);
	step->step = text(reading, STEP_ID, row);
	step->job_id = number(reading, JOB_ID, row);
	step->restart =
		sw_zero_if_missing(number(reading, RESTART_COUNT, row));
	step->start_usec = number(reading, START, row);
	reading->is_open = !taker->wants || taker->wants(taker->context, step);
	if (!reading->is_open)
		return;
	sw_fingerprint_init(&step->print);
	step->print.is_complete = number(reading, IS_COMPLETE, row) == 1;
	put_text(step->print.environment.kernel, text(reading, KERNEL, row));
	put_text(step->print.environment.kind, text(reading, CPU_MODEL, row));
	reading->known = number(reading, PROGRAMS, row);
	reading->seen = 0;
	reading->program = NULL;
}

/* Where their number is unknown, any program may have run. */
static int close_step(struct reading *reading,
		      const struct sw_step_programs_taker *taker)
{
	struct sw_fingerprint *print = &reading->step.print;
	uint64_t known = reading->known;

	if (!reading->is_open)
		return 0;
	reading->is_open = false;
	if (sw_is_missing(known))
		print->more_programs = 1;
	else if (known > print->program_count)
		print->more_programs = known - print->program_count;
	if (sw_is_missing(known) ||
	    reading->seen < sw_min_u64(known, SW_PROGRAMS_KEPT))
		print->is_complete = false;
	return taker->take(taker->context, &reading->step);
}

/* A name that occurs again, once it is cut off, is counted only. */
static void add_program(struct reading *reading, const char *name, size_t row)
{
	struct sw_fingerprint *print = &reading->step.print;
	struct sw_fingerprint_program *program =
		&print->programs[print->program_count];

	reading->seen++;
	reading->program = NULL;
	if (print->program_count == SW_FINGERPRINT_PROGRAMS)
		return;
	sw_fingerprint_program_init(program, name);
	if (!*program->name || sw_fingerprint_find(print, program->name))
		return;
	program->amount[SW_PROGRAM_COUNT] = number(reading, PROCESSES, row);
	program->amount[SW_PROGRAM_CPU_USEC] = number(reading, CPU, row);
	program->amount[SW_PROGRAM_READ_BYTES] = number(reading, READ, row);
	program->amount[SW_PROGRAM_WRITTEN_BYTES] =
		number(reading, WRITTEN, row);
	program->amount[SW_PROGRAM_LONGEST_USEC] =
		number(reading, LONGEST, row);
	program->exited_ok = number(reading, EXITED_OK, row);
	print->program_count++;
	reading->program = program;
}

static void add_end(struct reading *reading, size_t row)
{
	uint64_t status = number(reading, EXIT_STATUS, row);
	uint64_t signal = number(reading, SIGNAL, row);
	uint64_t count = sw_zero_if_missing(number(reading, ENDED, row));
	bool is_signal = sw_is_missing(status);

	if (reading->program && count && !(is_signal && sw_is_missing(signal)))
		sw_fingerprint_add_exit(reading->program, is_signal,
					is_signal ? signal : status, count);
}

static bool is_of_step(const struct reading *reading, size_t row)
{
	return reading->is_open &&
	       reading->step.job_id == number(reading, JOB_ID, row) &&
	       reading->step.start_usec == number(reading, START, row);
}

static int take_row(struct reading *reading, size_t row,
		    const struct sw_step_programs_taker *taker)
{
	const char *name = text(reading, PROGRAM, row);
	int rc = 0;

	if (*text(reading, STEP_ID, row)) {
		rc = close_step(reading, taker);
		open_step(reading, row, taker);
	} else if (is_of_step(reading, row)) {
		if (*name)
			add_program(reading, name, row);
		add_end(reading, row);
	}
	return rc;
}

int sw_step_programs_read(const struct sw_step_programs_taker *taker,
			  const struct sw_reader *reader)
{
	const struct sw_reader_table *table =
		sw_reader_find(reader, SW_STEP_PROGRAMS_TABLE);
	struct reading reading;
	size_t i;
	int rc = 0;

	if (!table)
		return 0;
	begin(&reading, table);
	for (i = 0; rc == 0 && i < table->row_count; i++)
		rc = take_row(&reading, i, taker);
	return rc == 0 ? close_step(&reading, taker) : rc;
}
