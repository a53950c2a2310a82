/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "hangs": waits of the threads while a step was hanging. */
#include "recorder/tables/hangs.h"

#include "recorder/tables/privacy.h"
#include "recorder/tables/tables.h"

enum column {
	TIME, STEP, STILL, TOOK, PROGRAM, PID, TID, THREADS, KIND, CALL,
	FUNCTION, OBJECT, SLEEP, OTHER, OTHER_PID, RUNS, RUNS_TIME,
	IS_CONNECTING, COLUMN_COUNT
};

static const struct sw_column columns[COLUMN_COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME,
		   "When the step's threads were sampled: once for each time "
		   "that it used next to no CPU for 10 s, at most four times." },
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[STILL] = { "still_usec", "usec", SW_KIND_STATE,
		    "How long it had stood still by then." },
	[TOOK] = { "took_usec", "usec", SW_KIND_STATE,
		   "How long that sample took." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT, "The program." },
	[PID] = { "pid", "", SW_KIND_STATE, "The process." },
	[TID] = { "tid", "", SW_KIND_STATE,
		  "The first of its threads in this wait; the process's own "
		  "number is its main thread." },
	[THREADS] = { "threads", "count", SW_KIND_STATE,
		      "Threads of the process in the same wait." },
	[KIND] = { "kind", "", SW_KIND_TEXT,
		   "What they waited for: io, network, pipe, lock, sleep, "
		   "child, poll, terminal, memory, stopped, other." },
	[CALL] = { "call", "", SW_KIND_TEXT,
		   "The system call; none: a page fault, or not known." },
	[FUNCTION] = { "function", "", SW_KIND_TEXT,
		       "The function of the kernel, where it says more." },
	[OBJECT] = { "object", "", SW_KIND_TEXT,
		     "The file, or the peer of the socket." },
	[SLEEP] = { "sleep_usec", "usec", SW_KIND_STATE,
		    "The sleep that was requested, or the time limit of a wait "
		    "for events; the rest of it where its end was given." },
	[OTHER] = { "other", "", SW_KIND_TEXT,
		    "The program at the other end of the pipe or the local "
		    "socket, or that holds the lock." },
	[OTHER_PID] = { "other_pid", "", SW_KIND_STATE,
			"Its process; of a lock between threads that thread." },
	[RUNS] = { "timeslices", "count", SW_KIND_STATE,
		   "How often that thread ran in the time before, by its "
		   "schedstat: 0, and it was one wait." },
	[RUNS_TIME] = { "timeslices_usec", "usec", SW_KIND_STATE,
			"How long a time that was." },
	[IS_CONNECTING] = { "is_connecting", "", SW_KIND_STATE,
			    "1: the peer had not answered the connection; 0: it "
			    "had." },
};

const struct sw_table sw_hangs_table = {
	.name = "hangs", .scope = SW_SCOPE_STEP, .source = "proc",
	.columns = columns, .column_count = COLUMN_COUNT,
};

void sw_hangs_write(struct sw_writer *writer, uint64_t step,
		    const struct sw_hang_row *row)
{
	int table = sw_writer_table(writer, &sw_hangs_table, NULL);
	union sw_value values[COLUMN_COUNT] = {
		[TIME].number = row->time_usec,
		[STEP].number = step,
		[STILL].number = row->still_usec,
		[TOOK].number = row->took_usec,
		[PROGRAM].text = sw_privacy_program(row->program),
		[PID].number = row->pid,
		[TID].number = row->tid,
		[THREADS].number = row->threads,
		[KIND].text = row->kind,
		[CALL].text = row->call,
		[FUNCTION].text = row->function,
		[OBJECT].text = sw_privacy_path(row->object),
		[SLEEP].number = row->sleep_usec,
		[OTHER].text = sw_privacy_program(row->other),
		[OTHER_PID].number = row->other_pid,
		[RUNS].number = row->runs,
		[RUNS_TIME].number = row->runs_usec,
		[IS_CONNECTING].number = row->is_connecting,
	};

	if (table >= 0)
		sw_writer_row(writer, table, values, row->time_usec);
}
