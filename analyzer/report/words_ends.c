/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe how programs ended, as far as that was seen. */
#include <stdio.h>
#include <string.h>

#include "analyzer/report/words.h"
#include "analyzer/rules/failed_weight.h"
#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/text.h"

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

/* With more programs, the table has them. */
enum { WENT_ON_SHOWN = 4 };

/* Return true if a finding has how processes of this program ended. */
static bool has_finding(const struct sw_result *result,
			const struct sw_view_program *program)
{
	char subject[sizeof(result->findings.items->subject)];
	size_t i;

	snprintf(subject, sizeof(subject), "program %s", program->name);
	for (i = 0; i < result->findings.count; i++) {
		if (!strcmp(result->findings.items[i].subject, subject))
			return true;
	}
	return false;
}

/* Shells and starters of programs only pass on how those ended. */
static bool has_gone_on(const struct sw_result *result,
			const struct sw_view_program *program)
{
	return sw_zero_if_missing(sw_program_failures(program)) > 0 &&
	       !sw_program_is_answer(program) &&
	       !sw_program_is_shell(program->name) &&
	       !sw_program_is_messenger(program->name) &&
	       !sw_inner_failure(result->view, program) &&
	       !sw_failed_is_of_past(result->view, program) &&
	       !has_finding(result, program);
}

static void add_went_on(char *buf, size_t size,
			const struct sw_view_program *program)
{
	char name[SW_FINDING_NAME_SIZE];

	sw_text_add(buf, size, "%s%s %llu", *buf ? ", " :
		    "ended with a nonzero exit status, and the script went "
		    "on: ",
		    sw_finding_name(name, sizeof(name), program->name),
		    (unsigned long long)sw_program_failures(program));
	if (program->is_complete)
		sw_text_add(buf, size, " of %llu",
			    (unsigned long long)program->started);
	if (!sw_is_missing(program->last_exit_status))
		sw_text_add(buf, size, " (%sstatus %llu)",
			    program->exits.count > 1 ? "the last with " : "",
			    (unsigned long long)program->last_exit_status);
}

char *sw_went_on_words(char *buf, size_t size, const struct sw_result *result)
{
	const struct sw_view *view = result->view;
	size_t i, count = 0;

	buf[0] = '\0';
	for (i = 0; view->state == SW_STATE_COMPLETED &&
		    i < view->program_count; i++) {
		if (has_gone_on(result, &view->programs[i]) &&
		    ++count <= WENT_ON_SHOWN)
			add_went_on(buf, size, &view->programs[i]);
	}
	if (count > WENT_ON_SHOWN)
		sw_text_add(buf, size, " and %zu other program%s",
			    count - WENT_ON_SHOWN,
			    count - WENT_ON_SHOWN == 1 ? "" : "s");
	return buf;
}
