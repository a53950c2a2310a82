/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Context: the summaries' writer. */
#include "recorder/delivery/summary_programs.h"

#include <sys/utsname.h>

#include "common/clock.h"
#include "recorder/delivery/summaries.h"
#include "recorder/tables/tables.h"

enum {
	JOB_ID, START, CLUSTER, STEP_ID, RESTART_COUNT, KERNEL, CPU_MODEL,
	PROGRAMS, IS_COMPLETE, PROGRAM, PROCESSES, CPU, READ, WRITTEN, LONGEST,
	EXITED_OK, EXIT_STATUS, SIGNAL, ENDED,
	COLUMNS
};

static const struct sw_column columns[COLUMNS] = {
	[JOB_ID] = { "job_id", "", SW_KIND_STATE, "Slurm's job ID." },
	[START] = { "start_realtime_usec", "usec", SW_KIND_STATE,
		    "When the step started, as in step_summaries." },
	[CLUSTER] = { "cluster", "", SW_KIND_TEXT,
		      "The name of the cluster in Slurm; like the columns up to "
		      "is_complete only in the first row of a step." },
	[STEP_ID] = { "step_id", "", SW_KIND_TEXT,
		      "\"0\", \"batch\", \"extern\"; missing: the row is of a "
		      "program of the step before it." },
	[RESTART_COUNT] = { "restart_count", "", SW_KIND_STATE,
			    "How often the job was requeued before." },
	[KERNEL] = { "kernel", "", SW_KIND_TEXT, "The kernel release." },
	[CPU_MODEL] = { "cpu_model", "", SW_KIND_TEXT,
			"The processor, as hwloc names it." },
	[PROGRAMS] = { "programs", "count", SW_KIND_STATE,
		       "Programs of the step, also those without a row: only "
		       "24 have one, those that failed first, then those with "
		       "most CPU time." },
	[IS_COMPLETE] = { "is_complete", "", SW_KIND_STATE,
			  "1: every start and end of a process was seen." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT,
		      "The program's name, without its folder." },
	[PROCESSES] = { "processes", "count", SW_KIND_COUNTER,
			"Processes that ran it; missing: the row has a further "
			"way in which those of the program before it ended." },
	[CPU] = { "cpu_usec", "usec", SW_KIND_COUNTER, "Their CPU time." },
	[READ] = { "read_bytes", "bytes", SW_KIND_COUNTER,
		   "Bytes that they read by system calls." },
	[WRITTEN] = { "written_bytes", "bytes", SW_KIND_COUNTER,
		      "Bytes that they wrote by system calls." },
	[LONGEST] = { "longest_usec", "usec", SW_KIND_PEAK,
		      "The longest run time of one that ended." },
	[EXITED_OK] = { "exited_ok", "count", SW_KIND_COUNTER,
			"Those with exit status 0." },
	[EXIT_STATUS] = { "exit_status", "", SW_KIND_STATE,
			  "A nonzero exit status; 0: it is not known which." },
	[SIGNAL] = { "signal", "", SW_KIND_STATE,
		     "A signal that killed some; 0: it is not known which." },
	[ENDED] = { "ended", "count", SW_KIND_COUNTER,
		    "Processes with this exit status, or killed by this "
		    "signal." },
};

const struct sw_table sw_step_programs_table = {
	.name = "series.step_programs",
	.scope = SW_SCOPE_JOB,
	.source = "programs",
	.columns = columns,
	.column_count = COLUMNS,
};

struct writing {
	struct sw_writer *writer;
	const struct sw_summary_step *step;
	int table;
};

/* All is missing but the columns that name the step. */
static void start_row(const struct writing *writing, union sw_value *values)
{
	int i;

	for (i = 0; i < COLUMNS; i++) {
		if (columns[i].kind == SW_KIND_TEXT)
			values[i].text = NULL;
		else
			values[i].number = SW_MISSING;
	}
	values[JOB_ID].number = writing->step->job.key.job_id;
	values[START].number = writing->step->start_realtime_usec;
}

static void put_row(const struct writing *writing, const union sw_value *values)
{
	sw_writer_row(writing->writer, writing->table, values,
		      sw_clock_boottime_usec());
}

static const char *text_of(const char *text)
{
	return *text ? text : NULL;
}

static void write_step(const struct writing *writing,
		       const struct sw_summary_programs *programs)
{
	struct utsname host = { .release = "" };
	union sw_value values[COLUMNS];

	uname(&host);
	start_row(writing, values);
	values[CLUSTER].text = text_of(writing->step->job.cluster);
	values[STEP_ID].text = text_of(writing->step->step_id);
	values[RESTART_COUNT].number = writing->step->job.key.restart_count;
	values[KERNEL].text = text_of(host.release);
	values[CPU_MODEL].text = text_of(programs->cpu_model);
	values[PROGRAMS].number = programs->known;
	values[IS_COMPLETE].number = programs->is_complete;
	put_row(writing, values);
}

/* Processes of a program that ended in one way. */
struct end {
	bool is_signal;
	uint64_t number, processes;
};

enum { ENDS_MAX = SW_EXIT_KINDS_MAX + 2 };

static void add_end(struct end *ends, size_t *count, const struct end *end)
{
	if (end->processes)
		ends[(*count)++] = *end;
}

static size_t ends_of(const struct sw_summary_program *program,
		      struct end ends[ENDS_MAX])
{
	const struct sw_exit_counts *exits = &program->exits;
	const struct end failed = { false, 0, program->failed },
			 killed = { true, 0, program->killed };
	size_t count = 0;
	unsigned i;

	for (i = 0; i < exits->count; i++) {
		const struct end end = {
			exits->kind[i] >= SW_EXIT_SIGNAL,
			exits->kind[i] % SW_EXIT_SIGNAL,
			exits->processes[i],
		};

		add_end(ends, &count, &end);
	}
	add_end(ends, &count, &failed);
	add_end(ends, &count, &killed);
	return count;
}

static void put_end(union sw_value *values, const struct end *end)
{
	values[end->is_signal ? SIGNAL : EXIT_STATUS].number = end->number;
	values[ENDED].number = end->processes;
}

/* The first way to end is in the program's own row. */
static void write_program(const struct writing *writing,
			  const struct sw_summary_program *program)
{
	union sw_value values[COLUMNS];
	struct end ends[ENDS_MAX];
	size_t count = ends_of(program, ends), i;

	start_row(writing, values);
	values[PROGRAM].text = text_of(program->name);
	values[PROCESSES].number = program->processes;
	values[CPU].number = program->cpu_usec;
	values[READ].number = program->read_bytes;
	values[WRITTEN].number = program->written_bytes;
	values[LONGEST].number = program->longest_usec;
	values[EXITED_OK].number = program->exited_ok;
	if (count)
		put_end(values, &ends[0]);
	put_row(writing, values);
	for (i = 1; i < count; i++) {
		start_row(writing, values);
		put_end(values, &ends[i]);
		put_row(writing, values);
	}
}

void sw_summary_programs_write(struct sw_writer *writer,
			       const struct sw_summary_step *step,
			       const struct sw_summary_programs *programs)
{
	const struct writing writing = {
		.writer = writer,
		.step = step,
		.table = sw_writer_table(writer, &sw_step_programs_table, NULL),
	};
	uint32_t i;

	if (writing.table < 0)
		return;
	write_step(&writing, programs);
	for (i = 0; i < programs->count && i < SW_PROGRAMS_KEPT; i++)
		write_program(&writing, &programs->items[i]);
}
