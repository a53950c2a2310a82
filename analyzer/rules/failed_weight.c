/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a program that failed has left work undone, or answered a question.
 */
#include "analyzer/rules/failed_weight.h"

#include <string.h>

#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/view/bottleneck.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

/* To try it, and to wait for the next time, was so much of the run. */
static const double MOST_OF_RUN = 0.5;

static double seconds(uint64_t usec)
{
	return sw_real_u64(usec) / SW_USEC_PER_SEC;
}

/*
 * Of the one of them that used most; of shells the average of all, for one
 * that works may have the status from another program.
 */
static double cpu_seconds_of(const struct sw_view_program *program)
{
	uint64_t most = sw_program_is_shell(program->name)
				? SW_MISSING
				: program->failed_cpu_usec;

	return sw_program_most(most, program->cpu_usec, program) /
	       SW_USEC_PER_SEC;
}

/* Likewise; who only answers a question writes a line. */
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

/* What has worked before it failed was not asked anything. */
static bool is_probe(const struct sw_view *view,
		     const struct sw_view_program *program,
		     const double *setting)
{
	return !sw_program_is_shell(program->name) &&
	       !(cpu_seconds_of(program) >=
		 setting[SW_FAILED_MIN_CPU_SECONDS]) &&
	       !sw_inner_failure(view, program);
}

/* Programs say no so often that trying is what the script is about. */
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

/* A program ended so, as of a missing library: a shell may pass that on. */
static bool may_be_passed_on(const struct sw_view *view,
			     const struct sw_view_program *shell)
{
	size_t i;

	/* Forks are known to have executed nothing. */
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

/* It waits for who it ends, and ends then. */
#define TIMED_OUT_USEC (SW_USEC_PER_SEC / 2)

/* timeout(1) asked it to end, and it did so by itself, not by the signal. */
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
				 program->last_end_usec) <= TIMED_OUT_USEC)
			return true;
	}
	return false;
}

/* The run was little else than a loop that tries it, and sleeps. */
static bool is_retried(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	uint64_t usec =
		sw_delta_u64(program->last_end_usec, program->first_start_usec);

	return sw_ratio_u64(usec, view->elapsed_usec) >= MOST_OF_RUN &&
	       sw_limit_ratio(&view->limits, SW_LIMIT_SLEEP) >= MOST_OF_RUN;
}

/* A step that failed says so by its own command, and by shells around it. */
static bool is_known_already(const struct sw_view *view,
			     const struct sw_view_program *program)
{
	return view->state != SW_STATE_COMPLETED &&
	       (sw_step_is_command(view, program) ||
		sw_program_is_shell(program->name));
}

/* One that failed began when the other had ended, and wrote nothing to it. */
static bool has_begun_later(const struct sw_view_program *program,
			    uint64_t usec)
{
	uint64_t start_usec = program->failed_start_usec;

	if (sw_is_missing(start_usec) && program->started == 1)
		start_usec = program->first_start_usec;
	return !sw_is_missing(start_usec) && start_usec > usec;
}

/* head had read enough, and whoever went on writing to it failed of that. */
static bool is_cut_off(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		/* It read nothing where it wrote nothing. */
		if (!strcmp(other->name, "head") &&
		    other->call_written_bytes != 0 &&
		    sw_program_failures(program) <=
			    sw_zero_if_missing(other->exited_ok) &&
		    !has_begun_later(program, other->last_end_usec) &&
		    sw_delta_u64(program->last_end_usec,
				 other->last_end_usec) <= TIMED_OUT_USEC)
			return true;
	}
	return false;
}

bool sw_failed_is_meant(const struct sw_view *view,
			const struct sw_view_program *program)
{
	return is_timed_out(view, program) || is_cut_off(view, program);
}

/* EXIT STATUS of each: something that it started failed. */
static const struct {
	const char *program;
	uint64_t least, most;
} drivers[] = {
	{ "xargs", 123, 127 }, { "parallel", 1, 101 }, { "make", 2, 2 },
	{ "gmake", 2, 2 }, { "ninja", 1, 1 },
};

/* A driver that says by its status that something it ran failed. */
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

/* So many that each worked for so long make a few others no questions. */
enum { EQUALS = 3 };
#define EQUALS_WORK_USEC SW_USEC_PER_SEC

/* A question is asked before the work, behind it, or for each piece of it. */
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

/* It, or what it became each time that it did not fail. */
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

/* Of a step that failed, what never succeeded may be why. */
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
	/* What is asked and what is tried now and then may fail. */
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
