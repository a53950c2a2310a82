/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decide if a failed program left work undone or only answered a question. */
#include "analyzer/rules/failed_weight.h"

#include <string.h>

#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

static double seconds(uint64_t usec)
{
	return sw_real_u64(usec) / SW_USEC_PER_SEC;
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
	       !(cpu_seconds_of(program) >=
		 setting[SW_FAILED_MIN_CPU_SECONDS]) &&
	       !sw_inner_failure(view, program);
}

/* So many programs answered "no" that probing is the script's purpose. */
static bool is_probing(const struct sw_view *view, const double *setting)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (is_probe(view, program, setting))
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
	       !may_be_passed_on(view, program) && !is_probing(view, setting);
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

/* True if the run was mostly a loop that tries the program and sleeps. */
static bool is_retried(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	uint64_t usec =
		sw_delta_u64(program->last_end_usec, program->first_start_usec);

	return sw_ratio_u64(usec, view->elapsed_usec) >= SW_MOST &&
	       sw_limit_ratio(&view->limits, SW_LIMIT_SLEEP) >= SW_MOST;
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

/* Exit statuses of drivers whose program failed (see their manuals). */
static const struct {
	const char *program;
	uint64_t least, most;
} drivers[] = {
	{ "xargs", 123, 127 }, { "parallel", 1, 101 }, { "make", 2, 2 },
	{ "gmake", 2, 2 }, { "ninja", 1, 1 },
};

/* Return true if a driver's status means that a program it ran failed. */
static bool has_passed_on(const struct sw_view *view,
			  const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (!strcmp(drivers[i].program, program->name) &&
		    program->last_exit_status >= drivers[i].least &&
		    program->last_exit_status <= drivers[i].most)
			return sw_starter_failure(view, program) != NULL;
	}
	return false;
}

/* With this many successes of this length, a few failures are not probes.
 * Chosen by hand. */
enum { EQUALS = 3 };
#define EQUALS_WORK_USEC SW_USEC_PER_SEC

/* Probes come before the work, after it, or once for each piece of it. */
static bool are_equals(const struct sw_view_program *failed,
		       const struct sw_view_program *worked)
{
	uint64_t failures = sw_zero_if_missing(sw_program_failures(failed)) +
			    sw_zero_if_missing(failed->killed);
	uint64_t before_usec = sw_delta_u64(failed->first_failed_usec,
					    worked->first_start_usec);
	uint64_t behind_usec = sw_delta_u64(worked->last_end_usec,
					    failed->first_failed_usec);

	return !sw_is_missing(worked->ok_shortest_usec) &&
	       worked->ok_shortest_usec >= EQUALS_WORK_USEC &&
	       worked->exited_ok >= EQUALS && failures < worked->exited_ok &&
	       (failures > 1 ||
		sw_real_u64(sw_min_u64(before_usec, behind_usec)) >
			(double)worked->ok_shortest_usec);
}

/* The program, or the one executed by its successful processes. */
const struct sw_view_program *
sw_failed_equals(const struct sw_view *view,
		 const struct sw_view_program *program)
{
	size_t i;

	if (are_equals(program, program))
		return program;
	for (i = 0; program->exited_ok == 0 && i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (other != program && other->started_by &&
		    !strcmp(other->started_by, program->name) &&
		    are_equals(program, other))
			return other;
	}
	return NULL;
}

/* In a failed step, a program that never succeeded may be the cause.  Tried
 * once, it may have been a probe. */
enum { TRIED_AGAIN = 2 };

enum sw_failed_weight sw_failed_weigh(const struct sw_view *view,
				      const struct sw_view_program *program,
				      const double *setting)
{
	double failed = sw_real_u64(sw_program_failures(program));

	if (sw_is_missing(program->exited_nonzero) ||
	    is_known_already(view, program))
		return SW_FAILED_NO_WEIGHT;
	if (sw_failed_is_not_found(view, program, setting))
		return SW_FAILED_NOT_FOUND;
	if (failed == 0 || failed < setting[SW_FAILED_MIN_FAILED] ||
	    sw_program_is_answer(program) || sw_failed_is_meant(view, program))
		return SW_FAILED_NO_WEIGHT;
	if (has_passed_on(view, program))
		return SW_FAILED_PASSED_ON;
	if (sw_failed_equals(view, program))
		return SW_FAILED_AMONG_EQUALS;
	if (cpu_seconds_of(program) >= setting[SW_FAILED_MIN_CPU_SECONDS])
		return SW_FAILED_WORKED;
	if (written_bytes_of(program) >= setting[SW_FAILED_MIN_WRITTEN_BYTES])
		return SW_FAILED_WROTE;
	/* Probes and retries may fail. */
	if (!program->is_complete || program->exited_ok != 0 ||
	    sw_program_is_shell(program->name) ||
	    sw_view_is_shorter(view, setting[SW_FAILED_MIN_ELAPSED_SECONDS]))
		return SW_FAILED_NO_WEIGHT;
	if (failed >= setting[SW_FAILED_MIN_REPEATS] ||
	    (view->state != SW_STATE_COMPLETED && failed >= TRIED_AGAIN))
		return SW_FAILED_EACH_TIME;
	if (failed >= setting[SW_FAILED_MIN_TRIES] && is_retried(view, program))
		return SW_FAILED_IN_VAIN;
	return before_end_seconds(view, program) <=
			       setting[SW_FAILED_MAX_BEFORE_END_SECONDS]
		       ? SW_FAILED_AT_THE_END
		       : SW_FAILED_NO_WEIGHT;
}
