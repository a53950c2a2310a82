/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "pipes": processes that wait for a pipe, and its other ends. */
#include "recorder/tables/pipes.h"

#include "recorder/tables/privacy.h"
#include "recorder/tables/tables.h"

enum column {
	TIME, STEP, TOOK, PROGRAM, PID, CPU, AGE, IS_WRITING, OTHERS, OTHER,
	OTHER_PID, OTHER_CPU, OTHER_AGE, OTHER_QUEUED, COLUMN_COUNT
};

static const struct sw_column columns[COLUMN_COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME,
		  "When the pipes of the step were sampled: when its threads "
		  "had waited for pipes for 4 s, and each time that this had "
		  "doubled; again at the next samples, up to four times, where "
		  "no two processes older than 2 s were met." },
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[TOOK] = { "took_usec", "usec", SW_KIND_STATE,
		  "How long that sample took." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT,
		     "The program that waited for a pipe." },
	[PID] = { "pid", "", SW_KIND_STATE, "Its process." },
	[CPU] = { "cpu_usec", "usec", SW_KIND_STATE,
		 "CPU time of that process by then, with children that it "
		 "has waited for." },
	[AGE] = { "age_usec", "usec", SW_KIND_STATE,
		 "How long ago that process had started." },
	[IS_WRITING] = { "is_writing", "", SW_KIND_STATE,
			"1: it waited to write, and the pipe was full. 0: it "
			"waited for data." },
	[OTHERS] = { "others", "count", SW_KIND_STATE,
		    "Processes of the step that had the other end, without "
		    "children of such a one." },
	[OTHER] = { "other", "", SW_KIND_TEXT,
		   "The program at the other end; of several the first." },
	[OTHER_PID] = { "other_pid", "", SW_KIND_STATE, "Its process." },
	[OTHER_CPU] = { "other_cpu_usec", "usec", SW_KIND_STATE,
		       "CPU time of that process, likewise." },
	[OTHER_AGE] = { "other_age_usec", "usec", SW_KIND_STATE,
		       "How long ago that process had started." },
	[OTHER_QUEUED] = { "other_run_queue_wait_usec", "usec", SW_KIND_STATE,
			  "Time by then that its threads waited for a CPU." },
};

const struct sw_table sw_pipes_table = {
	.name = "pipes",
	.scope = SW_SCOPE_STEP,
	.source = "proc",
	.columns = columns,
	.column_count = COLUMN_COUNT,
};

void sw_pipes_write(struct sw_writer *writer, uint64_t step,
		    const struct sw_pipe_row *row)
{
	int table = sw_writer_table(writer, &sw_pipes_table, NULL);
	union sw_value values[COLUMN_COUNT] = {
		[TIME].number = row->time_usec,
		[STEP].number = step,
		[TOOK].number = row->took_usec,
		[PROGRAM].text = sw_privacy_program(row->waiter.program),
		[PID].number = row->waiter.pid,
		[CPU].number = row->waiter.cpu_usec,
		[AGE].number = row->waiter.age_usec,
		[IS_WRITING].number = row->is_writing,
		[OTHERS].number = row->others,
		[OTHER].text = sw_privacy_program(row->other.program),
		[OTHER_PID].number = row->other.pid,
		[OTHER_CPU].number = row->other.cpu_usec,
		[OTHER_AGE].number = row->other.age_usec,
		[OTHER_QUEUED].number = row->other.run_queue_wait_usec,
	};

	if (table >= 0)
		sw_writer_row(writer, table, values, row->time_usec);
}
