/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose the programs of a step that its summary has. */
#include "recorder/programs/kept.h"

#include <stdlib.h>

#include "recorder/programs/programs_internal.h"

/* A mere fork's status is an answer to its parent. */
uint64_t sw_kept_failures(const struct sw_program *program)
{
	return sw_excess_u64(program->exited_nonzero,
			     sw_zero_if_missing(program->forked_nonzero));
}

static struct sw_program_worth worth_of(const struct sw_program *program)
{
	return (struct sw_program_worth){
		sw_zero_if_missing(sw_kept_failures(program)) > 0 ||
			sw_zero_if_missing(program->killed) > 0,
		sw_program_cpu_usec(program),
		program->name,
	};
}

static int by_worth(const void *a, const void *b)
{
	const struct sw_program_worth one =
					      worth_of(*(void *const *)a),
				      two = worth_of(*(void *const *)b);

	return sw_program_worth_compare(&one, &two);
}

static bool is_known(const struct sw_program *program)
{
	const struct sw_program_ends ends = {
		program->ended,
		program->exited_ok,
		program->exited_nonzero,
		program->killed,
	};

	return program->is_complete && !sw_program_has_unknown_end(&ends);
}

void sw_programs_keep(struct sw_programs_kept *kept,
		      const struct sw_programs *programs)
{
	const struct sw_program *sorted[SW_PROGRAMS_MAX + 1];
	unsigned i;

	*kept = (struct sw_programs_kept){ .known = programs->count,
					   .is_complete = programs->count > 0 };
	for (i = 0; i < programs->count; i++) {
		sorted[i] = &programs->program[i];
		kept->is_complete &= is_known(sorted[i]);
	}
	qsort(sorted, programs->count, sizeof(*sorted), by_worth);
	for (i = 0; i < programs->count && i < SW_PROGRAMS_KEPT; i++)
		kept->items[kept->count++] = sorted[i];
}
