/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the ends of a step's processes. */
#include "analyzer/view/program_ends.h"

#include "common/delta.h"
#include "common/program_worth.h"

static bool has_unknown_end(const struct sw_view_program *program)
{
	const struct sw_program_ends ends = {
		program->ended,
		program->exited_ok,
		program->exited_nonzero,
		program->killed,
	};

	return sw_program_has_unknown_end(&ends);
}

/* Only the end of the command itself is always known. */
const char *sw_program_unseen_ends(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (has_unknown_end(&view->programs[i]) ||
		    !view->programs[i].is_complete)
			return "this source of programs does not see how every "
			       "process ended";
	}
	return NULL;
}

uint64_t sw_program_failures(const struct sw_view_program *program)
{
	return sw_excess_u64(program->exited_nonzero,
			     sw_zero_if_missing(program->forked_nonzero));
}
