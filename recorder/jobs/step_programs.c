/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert the programs of a step to those of its summary. */
#include "recorder/jobs/step_programs.h"

#include <stdio.h>
#include <string.h>

#include "recorder/programs/kept.h"
#include "recorder/tables/privacy.h"

/* Those whose status or signal is in no kind. */
static uint64_t rest_of(uint64_t all, const struct sw_exit_counts *exits,
			bool is_signal)
{
	uint64_t rest = sw_zero_if_missing(all);
	unsigned i;

	for (i = 0; i < exits->count; i++) {
		if ((exits->kind[i] >= SW_EXIT_SIGNAL) == is_signal)
			rest = sw_excess_u64(rest, exits->processes[i]);
	}
	return rest;
}

static void put_program(struct sw_summary_program *to,
			const struct sw_program *program)
{
	*to = (struct sw_summary_program){
		.processes = program->started,
		.cpu_usec = sw_program_cpu_usec(program),
		.read_bytes = program->rchar,
		.written_bytes = program->wchar,
		.longest_usec = program->elapsed_max_usec,
		.exited_ok = program->exited_ok,
		.exits = program->exits,
		.failed = rest_of(sw_kept_failures(program), &program->exits,
				  false),
		.killed = rest_of(program->killed, &program->exits, true),
	};
	snprintf(to->name, sizeof(to->name), "%s", program->name);
}

/* Its first programs are those of an earlier recorder: no sum is known. */
static bool is_whole(const struct sw_node_step *step)
{
	return step->programs && step->first_program == 0 &&
	       step->earlier_usec == 0;
}

void sw_step_programs_find(struct sw_summary_programs *programs,
			   const struct sw_node_step *step,
			   const struct sw_node_place *place)
{
	struct sw_programs_kept kept;
	size_t i;

	memset(programs, 0, offsetof(struct sw_summary_programs, items));
	programs->known = SW_MISSING;
	if (place->topology && place->topology->is_known)
		snprintf(programs->cpu_model, sizeof(programs->cpu_model), "%s",
			 place->topology->topology.cpu_model);
	if (!is_whole(step) || !sw_privacy_has_programs())
		return;
	sw_programs_keep(&kept, step->programs);
	programs->known = kept.known;
	programs->is_complete = kept.is_complete;
	for (i = 0; i < kept.count; i++)
		put_program(&programs->items[programs->count++],
			    kept.items[i]);
}
