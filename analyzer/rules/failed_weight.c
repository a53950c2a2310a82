/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decide if a failed program left work undone or only answered a question. */
#include "analyzer/rules/failed_weight.h"

#include <string.h>

#include "analyzer/compare/compare.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/drivers.h"
#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/rules/workers.h"
#include "analyzer/view/view_past.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

static double seconds(uint64_t usec)
{
	return sw_real_u64(usec) / SW_USEC_PER_SEC;
}

static bool is_named(const struct sw_comparison *comparison, const char *name)
{
	size_t i;

	for (i = 0; i < comparison->count; i++) {
		const struct sw_difference *difference =
			&comparison->differences[i];

		if ((difference->kind == SW_DIFFERS_EXIT ||
		     difference->kind == SW_DIFFERS_RATE) &&
		    difference->program &&
		    !strncmp(difference->program, name,
			     SW_FINGERPRINT_NAME - 1))
			return true;
	}
	return false;
}

bool sw_failed_is_of_past(const struct sw_view *view,
			  const struct sw_view_program *program)
{
	const struct sw_comparison *comparison =
		view->past ? view->past->comparison : NULL;

	if (!comparison || comparison->taught < SW_EXPECTED_LEAST ||
	    view->state != SW_STATE_COMPLETED)
		return false;
	/* With more programs, it may not be among those compared. */
	return is_named(comparison, program->name) ||
	       (program->is_complete &&
		view->program_count <= SW_FINGERPRINT_PROGRAMS);
}

/*
 * CPU time of the failed process that used most; for shells the average of all,
 * because a shell that worked may pass on another program's status.
 */
static double cpu_seconds_of(const struct sw_view_program *program)
{
	uint64_t most = sw_program_is_shell(program->name)
				? SW_MISSING
				: program->failed_cpu_usec;

	return sw_program_most(most, program->cpu_usec, program) /
	       SW_USEC_PER_SEC;
}

/* Likewise for bytes written; a program that only answers writes one line. */
static double written_bytes_of(const struct sw_view_program *program)
{
	uint64_t most = sw_program_is_shell(program->name)
				? SW_MISSING
				: program->failed_written_bytes;

	return sw_program_most(most, program->call_written_bytes, program);
}

static double before_end_seconds(const struct sw_view *view,
				 const struct sw_view_program *program)
{
	return seconds(sw_delta_u64(view->end_usec, program->last_end_usec));
}

/* A program that used CPU time before it failed was not a mere probe. */
static bool is_probe(const struct sw_view *view,
		     const struct sw_view_program *program,
		     const double *setting)
{
	return !sw_program_is_shell(program->name) &&
	       !sw_program_is_answer(program) &&
	       !(cpu_seconds_of(program) >=
		 setting[SW_FAILED_MIN_CPU_SECONDS]) &&
	       !sw_inner_failure(view, program);
}

/*
 * Return true if others said no so often, and yes as well, that probing is the
 * script's purpose.  Answers of grep and the like, which any script may use, do
 * not count.
 */
static bool is_probing(const struct sw_view *view,
		       const struct sw_view_program *but,
		       const double *setting)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (program != but && program->exited_ok != 0 &&
		    is_probe(view, program, setting))
			count += sw_zero_if_missing(
				sw_program_failures(program));
	}
	return (double)count >= setting[SW_FAILED_MIN_PROBES];
}

/* A shell may pass on the status of a program, e.g. of a missing library. */
static bool may_be_passed_on(const struct sw_view *view,
			     const struct sw_view_program *shell)
{
	size_t i;

	/* The forked children are known to have executed nothing. */
	if (!sw_is_missing(shell->forked_not_found))
		return false;
	for (i = 0; i < view->program_count; i++) {
		uint64_t status = view->programs[i].last_exit_status;

		if (!sw_program_is_shell(view->programs[i].name) &&
		    (status == SW_STATUS_NOT_FOUND ||
		     status == SW_STATUS_NOT_EXECUTABLE))
			return true;
	}
	return false;
}

bool sw_failed_is_not_found(const struct sw_view *view,
			    const struct sw_view_program *program,
			    const double *setting)
{
	return sw_program_has_not_found(program) &&
	       !may_be_passed_on(view, program) &&
	       !is_probing(view, program, setting);
}

/*
 * Return true if timeout(1) ended the program, which then exited by itself:
 * timeout exits as soon as the process that it ends has exited.
 */
static bool is_timed_out(const struct sw_view *view,
			 const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (!strcmp(other->name, "timeout") &&
		    sw_program_is_answer(other) &&
		    sw_program_failures(program) <=
			    sw_program_failures(other) &&
		    sw_delta_u64(other->last_end_usec,
				 program->last_end_usec) <= SW_AT_ONCE_USEC)
			return true;
	}
	return false;
}

/* In a failed step, its command and shells are known to have failed. */
static bool is_known_already(const struct sw_view *view,
			     const struct sw_view_program *program)
{
	return view->state != SW_STATE_COMPLETED &&
	       (sw_step_is_command(view, program) ||
		sw_program_is_shell(program->name));
}

/* A process that began after the reader had ended did not write to it. */
static bool has_begun_later(const struct sw_view_program *program,
			    uint64_t usec)
{
	uint64_t start_usec = program->failed_start_usec;

	if (sw_is_missing(start_usec) && program->started == 1)
		start_usec = program->first_start_usec;
	return !sw_is_missing(start_usec) && start_usec > usec;
}

/* head had read enough, so the program writing to it failed. */
static bool is_cut_off(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		/* If head wrote nothing, it read nothing. */
		if (!strcmp(other->name, "head") &&
		    other->call_written_bytes != 0 &&
		    sw_program_failures(program) <=
			    sw_zero_if_missing(other->exited_ok) &&
		    !has_begun_later(program, other->last_end_usec) &&
		    sw_delta_u64(program->last_end_usec,
				 other->last_end_usec) <= SW_AT_ONCE_USEC)
			return true;
	}
	return false;
}

bool sw_failed_is_meant(const struct sw_view *view,
			const struct sw_view_program *program)
{
	return is_timed_out(view, program) || is_cut_off(view, program);
}

/* In a failed step, a program that never succeeded may be the cause.  Tried
 * once, it may have been a probe. */
enum { TRIED_AGAIN = 2 };

/* Return true if it may be a probe, whose failure was meant. */
static bool may_be_meant(const struct sw_view *view,
			 const struct sw_view_program *program,
			 const double *setting)
{
	return !program->is_complete || sw_program_is_shell(program->name) ||
	       (is_probing(view, program, setting) &&
		!sw_program_is_messenger(program->name)) ||
	       sw_driver_expects(view, program);
}

/* Weigh the failures of a program that never succeeded and did no work. */
static enum sw_failed_weight weigh_quick(const struct sw_view *view,
					 const struct sw_view_program *program,
					 const double *setting)
{
	double failed = sw_real_u64(sw_program_failures(program));

	if (sw_failed_reader(view, program) ||
	    (sw_program_lacks_file(program) &&
	     sw_failed_at_head(view, program)))
		return SW_FAILED_AT_THE_HEAD;
	if (sw_view_is_shorter(view, setting[SW_FAILED_MIN_ELAPSED_SECONDS]))
		return SW_FAILED_NO_WEIGHT;
	if (view->state != SW_STATE_COMPLETED
		    ? failed >= TRIED_AGAIN
		    : failed >= setting[SW_FAILED_MIN_REPEATS] &&
			      sw_program_does_work(view, program))
		return SW_FAILED_EACH_TIME;
	return before_end_seconds(view, program) <=
			       setting[SW_FAILED_MAX_BEFORE_END_SECONDS]
		       ? SW_FAILED_AT_THE_END
		       : SW_FAILED_NO_WEIGHT;
}

enum sw_failed_weight sw_failed_weigh(const struct sw_view *view,
				      const struct sw_view_program *program,
				      const double *setting)
{
	if (sw_is_missing(program->exited_nonzero) ||
	    is_known_already(view, program))
		return SW_FAILED_NO_WEIGHT;
	if (sw_failed_is_not_found(view, program, setting))
		return SW_FAILED_NOT_FOUND;
	if (sw_zero_if_missing(sw_program_failures(program)) == 0 ||
	    sw_program_is_answer(program) ||
	    sw_failed_is_meant(view, program) ||
	    sw_failed_is_of_past(view, program))
		return SW_FAILED_NO_WEIGHT;
	if (sw_driver_has_passed_on(view, program))
		return SW_FAILED_PASSED_ON;
	if (sw_failed_equals(view, program, sw_driver_tells(view, program)))
		return SW_FAILED_AMONG_EQUALS;
	if (cpu_seconds_of(program) >= setting[SW_FAILED_MIN_CPU_SECONDS])
		return SW_FAILED_WORKED;
	if (written_bytes_of(program) >= setting[SW_FAILED_MIN_WRITTEN_BYTES])
		return SW_FAILED_WROTE;
	if (may_be_meant(view, program, setting))
		return SW_FAILED_NO_WEIGHT;
	if (sw_program_lacks_resource(program))
		return SW_FAILED_LACKED;
	return program->exited_ok == 0 ? weigh_quick(view, program, setting)
				       : SW_FAILED_NO_WEIGHT;
}
