/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the program inside another one whose failure made the outer one fail. */
#include "analyzer/rules/inner_failure.h"

#include <string.h>

#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

enum {
	DEPTH_MAX = 8 /* nested wrappers; chosen by hand */
};

/* A wrapper whose program failed first removes some files.  Chosen by hand. */
#define WRAPPER_ENDS_USEC (2 * SW_USEC_PER_SEC)

static const struct sw_view_program *find(const struct sw_view *view,
					  const char *name)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (!strcmp(view->programs[i].name, name))
			return &view->programs[i];
	}
	return NULL;
}

/* Number of generations from outer to program; 0 if not inside it. */
static unsigned depth_in(const struct sw_view *view,
			 const struct sw_view_program *program,
			 const struct sw_view_program *outer)
{
	unsigned depth;

	for (depth = 1; depth <= DEPTH_MAX && program->started_by; depth++) {
		if (!strcmp(program->started_by, outer->name))
			return depth;
		program = find(view, program->started_by);
		if (!program)
			break;
	}
	return 0;
}

bool sw_is_inside(const struct sw_view *view,
		  const struct sw_view_program *program,
		  const struct sw_view_program *outer)
{
	return depth_in(view, program, outer) > 0;
}

static bool is_same_end(const struct sw_view_program *inner,
			const struct sw_view_program *outer)
{
	if (sw_zero_if_missing(sw_program_failures(inner)) > 0 &&
	    inner->last_exit_status == outer->last_exit_status)
		return true;
	return sw_zero_if_missing(inner->killed) > 0 &&
	       !sw_is_missing(inner->last_signal) &&
	       outer->last_exit_status == SW_STATUS_SIGNAL + inner->last_signal;
}

static bool has_just_ended(const struct sw_view_program *inner,
			   const struct sw_view_program *outer, double max_usec)
{
	/* Missing if the inner program ended later. */
	uint64_t usec =
		sw_delta_u64(outer->last_end_usec, inner->last_end_usec);

	return !sw_is_missing(usec) && sw_real_u64(usec) <= max_usec;
}

const struct sw_view_program *
sw_inner_failure(const struct sw_view *view,
		 const struct sw_view_program *program)
{
	const struct sw_view_program *found = NULL;
	unsigned deepest = 0;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *inner = &view->programs[i];
		unsigned depth;

		if (inner == program || sw_program_is_shell(inner->name) ||
		    !sw_program_has_failed(inner) || !is_same_end(inner, program) ||
		    !has_just_ended(inner, program, WRAPPER_ENDS_USEC))
			continue;
		depth = depth_in(view, inner, program);
		if (depth > deepest) {
			deepest = depth;
			found = inner;
		}
	}
	return found;
}

static bool may_be_sender(const struct sw_view_program *program)
{
	return sw_zero_if_missing(sw_program_failures(program)) > 0 &&
	       !sw_program_is_messenger(program->name) &&
	       !sw_program_is_answer(program) &&
	       !sw_program_is_shell(program->name);
}

const struct sw_view_program *
sw_starter_failure(const struct sw_view *view,
		   const struct sw_view_program *starter)
{
	const struct sw_view_program *first = NULL, *only = NULL;
	size_t i, count = 0;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (!may_be_sender(program))
			continue;
		only = count++ ? NULL : program;
		if (depth_in(view, program, starter) &&
		    (!first ||
		     program->first_failed_usec < first->first_failed_usec))
			first = program;
	}
	return first ? first : only;
}

bool sw_has_inner_end(const struct sw_view *view,
		      const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *inner = &view->programs[i];

		if (inner != program && may_be_sender(inner) &&
		    depth_in(view, inner, program) &&
		    has_just_ended(inner, program, WRAPPER_ENDS_USEC))
			return true;
	}
	return false;
}

bool sw_has_failure_inside(const struct sw_view *view,
			   const struct sw_view_program *program,
			   double max_seconds)
{
	size_t i;

	if (sw_inner_failure(view, program))
		return true;
	if (!sw_program_is_messenger(program->name))
		return false;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *inner = &view->programs[i];

		if (!sw_program_is_messenger(inner->name) &&
		    !sw_program_is_shell(inner->name) && sw_program_has_failed(inner) &&
		    has_just_ended(inner, program,
				   max_seconds * SW_USEC_PER_SEC))
			return true;
	}
	return false;
}
