/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "stacks": call stacks of threads while a step was hanging. */
#include "recorder/tables/stacks.h"

#include "recorder/tables/tables.h"

enum column { TIME, STEP, TOOK, PID, TID, STACK, LEFT_OUT, COLUMN_COUNT };

static const struct sw_column columns[COLUMN_COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME,
		   "When the step's threads were sampled, as in the table "
		   "hangs." },
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[TOOK] = { "took_usec", "usec", SW_KIND_STATE,
		   "CPU time that reading the stacks of the process took." },
	[PID] = { "pid", "", SW_KIND_STATE, "The process." },
	[TID] = { "tid", "", SW_KIND_STATE, "The thread." },
	[STACK] = { "stack", "", SW_KIND_TEXT,
		    "Its functions, the innermost first, with \" < \" between "
		    "them, as far as they could be followed; one without a "
		    "symbol is the file and the place in it." },
	[LEFT_OUT] = { "left_out", "", SW_KIND_TEXT,
		       "Why they were not read: rights (the process has others "
		       "than those of the step's user), budget (the user's "
		       "other processes had taken the CPU time that stacks may "
		       "take), time (it took too long)." },
};

const struct sw_table sw_stacks_table = {
	.name = "stacks", .scope = SW_SCOPE_STEP, .source = "proc",
	.columns = columns, .column_count = COLUMN_COUNT,
};

void sw_stacks_write(struct sw_writer *writer, uint64_t step,
		     const struct sw_stack_row *row)
{
	int table = sw_writer_table(writer, &sw_stacks_table, NULL);
	union sw_value values[COLUMN_COUNT] = {
		[TIME].number = row->time_usec,
		[STEP].number = step,
		[TOOK].number = row->took_usec,
		[PID].number = row->pid,
		[TID].number = row->tid,
		[STACK].text = row->stack,
		[LEFT_OUT].text = row->left_out,
	};

	if (table >= 0)
		sw_writer_row(writer, table, values, row->time_usec);
}
