/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of which program a step failed. */
#include "analyzer/rules/step_failure.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/units.h"

enum { NOT_FOUND = 127 }; /* of shells: POSIX.1-2017, Shell, 2.8.2 */

/* How much is known: of a shell it is less than of what it ran. */
enum weight {
	NOTHING,
	SAME_STATUS, /* of the last program to end */
	SHELL_FOUND_NOTHING,
	FACT, /* what it read last, or a call that failed */
	CAUSE_OF_SHELL,
	CAUSE,
};

bool sw_step_has_exited(const struct sw_view *view)
{
	char state[32];

	return view->state == SW_STATE_FAILED &&
	       (!sw_record_state(view, state, sizeof(state)) ||
		!strcmp(state, "FAILED"));
}

static bool is_near_end(const struct sw_view *view, uint64_t usec,
			double max_seconds)
{
	return !sw_is_missing(usec) && !sw_is_missing(view->end_usec) &&
	       sw_real_u64(sw_excess_u64(view->end_usec, usec)) <=
		       max_seconds * SW_USEC_PER_SEC;
}

/* A mere fact has to be of one that had the status that the step then had. */
static enum weight weigh(const struct sw_view *view,
			 const struct sw_view_program *program,
			 double max_seconds)
{
	bool is_shell = sw_program_is_shell(program->name);

	/* Of those that were killed it may be the reason. */
	if (sw_zero_if_missing(program->exited_nonzero) == 0 ||
	    sw_zero_if_missing(program->killed) > 0)
		return NOTHING;
	if (sw_program_has_cause(program) &&
	    is_near_end(view, program->failed_end_usec, max_seconds))
		return is_shell ? CAUSE_OF_SHELL : CAUSE;
	if (sw_program_has_cause(program) ||
	    program->last_exit_status != view->exit_code ||
	    !is_near_end(view, program->last_end_usec, max_seconds))
		return NOTHING;
	if (is_shell && program->last_exit_status == NOT_FOUND)
		return SHELL_FOUND_NOTHING;
	return !is_shell && (program->last_read || program->failed_call)
		       ? FACT
		       : NOTHING;
}

/* Did it begin after that time?  As far as is known of all of its kind. */
static bool has_begun_after(const struct sw_view_program *program,
			    uint64_t usec)
{
	return !sw_is_missing(program->last_end_usec) &&
	       !sw_is_missing(program->elapsed_max_usec) &&
	       program->last_end_usec > usec &&
	       program->last_end_usec - usec > program->elapsed_max_usec;
}

/* Who runs another program then has got over the failure, or cleans up. */
static bool has_gone_on(const struct sw_view *view, uint64_t usec)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (has_begun_after(&view->programs[i], usec))
			return true;
	}
	return false;
}

/* The one that failed last, of those of which as much is known. */
static const struct sw_view_program *
choose(const struct sw_view *view, double max_seconds, enum weight *most)
{
	const struct sw_view_program *chosen = NULL;
	size_t i;

	*most = NOTHING;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];
		enum weight weight = weigh(view, program, max_seconds);

		if (weight != NOTHING &&
		    sw_has_failure_inside(view, program, max_seconds))
			continue;
		if (weight > *most ||
		    (chosen && weight == *most &&
		     program->failed_end_usec > chosen->failed_end_usec)) {
			chosen = program;
			*most = weight;
		}
	}
	return chosen;
}

/* How it goes on to the reader, and how sure that is. */
static const char *advise(const struct sw_view *view,
			  const struct sw_view_program *program,
			  enum weight weight, double *confidence)
{
	*confidence = 0.5;
	if (weight == SAME_STATUS && sw_program_is_answer(program))
		return "By this status it says no, as where it finds nothing; "
		       "if that is no failure, let the script say so (|| "
		       "true).";
	if (weight == SHELL_FOUND_NOTHING)
		return "Its message in the error output names the command: "
		       "load the module or correct the name or PATH.";
	if (weight < CAUSE_OF_SHELL)
		return "Read its messages to find out why.";
	if (has_gone_on(view, program->failed_end_usec))
		return "Other programs ran after it, so check whether this is "
		       "why the step failed.";
	*confidence = 0.9;
	return "Correct this before you run it again.";
}

static int tell(const struct sw_view *view,
		const struct sw_view_program *program, const char *id,
		enum weight weight, struct sw_findings *findings)
{
	char name[SW_FINDING_NAME_SIZE], words[SW_CAUSE_WORDS_SIZE];
	struct sw_evidence evidence = {
		"processes with a nonzero exit status",
		(double)program->exited_nonzero,
		"count",
		1,
		program->last_end_usec,
	};
	struct sw_finding *finding;
	const char *advice;
	double confidence;

	advice = advise(view, program, weight, &confidence);
	finding = sw_finding_add(findings, id,
				 confidence > 0.5 ? SW_CRITICAL : SW_WARNING,
				 confidence, &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "program %s", program->name);
	if (weight == SHELL_FOUND_NOTHING) {
		finding->title = SW_TITLE_NOT_FOUND;
		snprintf(words, sizeof(words),
			 "it could not find a command "
			 "that it was to run, or that command's interpreter");
	} else if (weight == SAME_STATUS)
		snprintf(words, sizeof(words), "it was the last program to "
			 "end, and the step ended with the same status, as a "
			 "script with \"set -e\" does");
	else
		sw_cause_words(words, sizeof(words), "it", program);
	sw_finding_sentence(finding, "%s exited with %llu; %s. %s",
			    sw_finding_name(name, sizeof(name), program->name),
			    (unsigned long long)program->last_exit_status,
			    words, advice);
	return 0;
}

int sw_step_failure_tell(const struct sw_view *view, const char *id,
			 double max_seconds, struct sw_findings *findings)
{
	const struct sw_view_program *program;
	enum weight weight;

	if (!sw_step_has_exited(view))
		return 0;
	program = choose(view, max_seconds, &weight);
	if (!program)
		return 0;
	return tell(view, program, id, weight, findings) < 0 ? -1 : 1;
}

bool sw_step_is_command(const struct sw_view *view,
			const struct sw_view_program *program)
{
	return program->started == 1 &&
	       !strcmp(sw_text(view->program), program->name);
}

/* Who started others ends after them, and only passes their status on. */
static bool may_be_parent(const struct sw_view *view,
			  const struct sw_view_program *program)
{
	return sw_program_is_shell(program->name) ||
	       sw_program_is_messenger(program->name) ||
	       sw_step_is_command(view, program);
}

/* NULL: it is not known of all. */
static const struct sw_view_program *last_to_end(const struct sw_view *view)
{
	const struct sw_view_program *last = NULL;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (may_be_parent(view, program))
			continue;
		if (!program->is_complete ||
		    sw_is_missing(program->last_end_usec))
			return NULL;
		if (!last || program->last_end_usec > last->last_end_usec)
			last = program;
	}
	return last;
}

int sw_step_failure_tell_last(const struct sw_view *view, const char *id,
			      double max_seconds, struct sw_findings *findings)
{
	const struct sw_view_program *last = last_to_end(view);

	/* Of several it is not known which of them the last one was. */
	if (!last || !sw_step_has_exited(view) || last->exited_ok != 0 ||
	    sw_zero_if_missing(last->killed) > 0 ||
	    sw_zero_if_missing(last->exited_nonzero) == 0 ||
	    last->last_exit_status != view->exit_code ||
	    !is_near_end(view, last->last_end_usec, max_seconds))
		return 0;
	return tell(view, last, id, SAME_STATUS, findings) < 0 ? -1 : 1;
}
