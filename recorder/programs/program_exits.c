/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of exits: processes of a program by exit status and signal. */
#include <sys/wait.h>

#include "recorder/programs/program.h"

enum { TIME, STEP, PROGRAM, EXIT_STATUS, SIGNAL, PROCESSES };

static const struct sw_column columns[SW_PROGRAM_EXITS_COLUMNS] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME, "When it was written." },
	[STEP] = { "step", "", SW_KIND_STATE, "The step." },
	[PROGRAM] = { "program", "", SW_KIND_KEY, "Number of the program." },
	[EXIT_STATUS] = { "exit_status", "", SW_KIND_STATE,
			  "Exit status; missing: a signal, or any other." },
	[SIGNAL] = { "signal", "", SW_KIND_STATE,
		     "Signal that killed them; missing: they exited." },
	[PROCESSES] = { "processes", "count", SW_KIND_COUNTER,
			"Processes that ended so; without status and signal: "
			"in further ways, which are not told apart." },
};

const struct sw_table sw_program_exits_table = {
	.name = "program_exits",
	.scope = SW_SCOPE_PROGRAM,
	.source = "programs",
	.columns = columns,
	.column_count = SW_PROGRAM_EXITS_COLUMNS,
};

void sw_program_count_kind(struct sw_program *program, int wait_status)
{
	unsigned kind = WIFSIGNALED(wait_status) ?
		SW_EXIT_SIGNAL + (unsigned)WTERMSIG(wait_status) :
		(unsigned)WEXITSTATUS(wait_status);

	program->kinds_changed |=
		1u << sw_exit_counts_add(&program->exits, kind, 1);
}

int sw_program_exits_row(const struct sw_program *program, uint64_t step,
			 uint64_t key, uint64_t now_usec,
			 union sw_value values[SW_PROGRAM_EXITS_COLUMNS])
{
	const struct sw_exit_counts *exits = &program->exits;
	unsigned i;

	if (!program->kinds_changed)
		return -1;
	for (i = 0; !(program->kinds_changed >> i & 1); i++)
		;
	values[TIME].number = now_usec;
	values[STEP].number = step;
	values[PROGRAM].number = key;
	values[EXIT_STATUS].number = values[SIGNAL].number = SW_MISSING;
	values[PROCESSES].number = exits->other;
	if (i == SW_EXIT_KINDS_MAX)
		return (int)i;
	values[PROCESSES].number = exits->processes[i];
	if (exits->kind[i] < SW_EXIT_SIGNAL)
		values[EXIT_STATUS].number = exits->kind[i];
	else
		values[SIGNAL].number = exits->kind[i] - SW_EXIT_SIGNAL;
	return (int)i;
}

void sw_program_wrote_exits(struct sw_program *program, int kind)
{
	program->kinds_changed &= ~(1u << kind);
}
