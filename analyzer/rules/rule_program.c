/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about how programs end have in common. */
#include "analyzer/rules/rule_program.h"

#include <string.h>

#include "common/delta.h"

static const char *const shells[] = {
	"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "busybox",
};

/* Of some ends it is known that they were, and not how. */
static bool has_unknown_end(const struct sw_view_program *program)
{
	uint64_t known = sw_add_u64(
		sw_add_u64(program->exited_ok, program->exited_nonzero),
		program->killed);

	return !sw_is_missing(program->ended) && program->ended > 0 &&
	       (sw_is_missing(known) || known < program->ended);
}

/* Only the command's own end is always known. */
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

bool sw_program_is_shell(const char *program)
{
	size_t i;

	for (i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (!strcmp(shells[i], program))
			return true;
	}
	return false;
}
