/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe how programs ended, as far as that was seen. */
#include <stdio.h>

#include "analyzer/report/words.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"

/* Number of ends whose status is known. */
static uint64_t known_ends(const struct sw_view_program *program)
{
	uint64_t known = sw_zero_if_missing(program->exited_ok) +
			 sw_zero_if_missing(program->exited_nonzero) +
			 sw_zero_if_missing(program->killed);

	return sw_min_u64(known, program->ended);
}

uint64_t sw_answers(const struct sw_view_program *program)
{
	return sw_program_is_answer(program) ?
		       sw_zero_if_missing(program->exited_nonzero) : 0;
}

uint64_t sw_unseen_ends(const struct sw_view_program *program)
{
	/* Processes running when the recorder was killed are not in ended. */
	if (sw_is_missing(program->ended))
		return program->unseen_ends ? program->unseen_ends : SW_MISSING;
	return program->ended - known_ends(program) +
	       sw_zero_if_missing(program->unseen_ends);
}

char *sw_unseen_ends_words(char *buf, size_t size, const struct sw_view *view)
{
	uint64_t ended = 0, unseen = 0;
	bool is_complete = true;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		ended += sw_zero_if_missing(view->programs[i].ended) +
			 sw_zero_if_missing(view->programs[i].unseen_ends);
		unseen +=
			sw_zero_if_missing(sw_unseen_ends(&view->programs[i]));
		is_complete &= view->programs[i].is_complete;
	}
	buf[0] = '\0';
	if (unseen)
		snprintf(buf, size, "how %llu of %llu program%s ended was not "
			 "seen%s", (unsigned long long)unseen,
			 (unsigned long long)ended, ended == 1 ? "" : "s",
			 is_complete ? "" :
				       ", and short ones may be missing");
	return buf;
}
