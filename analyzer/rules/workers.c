/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that do a step's work. */
#include "analyzer/rules/workers.h"

#include <math.h>
#include <string.h>

#include "analyzer/rules/rule_program.h"
#include "analyzer/view/shares.h"
#include "common/delta.h"
#include "common/text.h"
#include "common/units.h"

/* Return true if it is none of the programs that do a step's work. */
static bool is_beside(const struct sw_view_program *program)
{
	return sw_program_is_shell(program->name) ||
	       sw_program_is_messenger(program->name) ||
	       sw_program_is_helper(program->name) ||
	       sw_program_is_filter(program->name);
}

/* Return its share of the CPU time, or of the processes, of all that count. */
static double share_of(const struct sw_view *view,
		       const struct sw_view_program *program, bool is_cpu)
{
	double all = 0, own = sw_real_u64(is_cpu ? program->cpu_usec
						 : program->started);
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (other == program || !is_beside(other))
			all += sw_real_u64(is_cpu ? other->cpu_usec
						  : other->started);
	}
	return all > 0 ? own / all : NAN;
}

bool sw_program_does_work(const struct sw_view *view,
			  const struct sw_view_program *program)
{
	size_t i;

	if (share_of(view, program, true) >= SW_MOST)
		return true;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (other != program && !is_beside(other) &&
		    share_of(view, other, true) >= SW_MOST)
			return false;
	}
	return share_of(view, program, false) > SW_MOST;
}

/*
 * With this many successes, a few failures are not probes.  A success of a
 * second works, and so does one of a tenth of it if a driver reports failures
 * or if it is CPU time of the program that does the step's work.  A check that
 * says yes or no takes about as long for both, and not 5 times as long for
 * yes.  Chosen by hand.
 */
enum { EQUALS = 3, TIMES_FAILED = 5 };
#define EQUALS_WORK_USEC SW_USEC_PER_SEC

/* Return true if each success used much more CPU time than any failure. */
static bool is_heavier(const struct sw_view_program *failed,
		       const struct sw_view_program *worked)
{
	double least = TIMES_FAILED * sw_real_u64(failed->failed_cpu_usec);

	return sw_real_u64(worked->cpu_usec) >=
		       least * sw_real_u64(worked->ended) &&
	       sw_real_u64(worked->ok_shortest_usec) >= least;
}

static bool are_long(const struct sw_view *view,
		     const struct sw_view_program *failed,
		     const struct sw_view_program *worked, bool is_told)
{
	uint64_t shortest_usec = worked->ok_shortest_usec;

	if (sw_is_missing(shortest_usec))
		return false;
	if (shortest_usec >= EQUALS_WORK_USEC ||
	    (is_told && shortest_usec >= EQUALS_WORK_USEC / 10))
		return true;
	if (sw_program_is_shell(failed->name) ||
	    !sw_program_does_work(view, worked))
		return false;
	return is_heavier(failed, worked) ||
	       (shortest_usec >= EQUALS_WORK_USEC / 10 &&
		sw_real_u64(worked->cpu_usec) >=
			(double)worked->ended * EQUALS_WORK_USEC / 10);
}

/* Probes come before the work, after it, or once for each piece of it. */
static bool are_equals(const struct sw_view *view,
		       const struct sw_view_program *failed,
		       const struct sw_view_program *worked, bool is_told)
{
	uint64_t failures = sw_zero_if_missing(sw_program_failures(failed)) +
			    sw_zero_if_missing(failed->killed);
	uint64_t before_usec = sw_delta_u64(failed->first_failed_usec,
					    worked->first_start_usec);
	uint64_t behind_usec = sw_delta_u64(worked->last_end_usec,
					    failed->first_failed_usec);

	return are_long(view, failed, worked, is_told) &&
	       worked->exited_ok >= EQUALS && failures < worked->exited_ok &&
	       (failures > 1 ||
		sw_real_u64(sw_min_u64(before_usec, behind_usec)) >
			(double)worked->ok_shortest_usec);
}

/* The program, or the one executed by its successful processes. */
const struct sw_view_program *
sw_failed_equals(const struct sw_view *view,
		 const struct sw_view_program *program, bool is_told)
{
	size_t i;

	if (are_equals(view, program, program, is_told))
		return program;
	/* Programs that a driver runs need not be alike. */
	if (sw_program_is_messenger(program->name))
		return NULL;
	for (i = 0; program->exited_ok == 0 && i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (other != program && other->started_by &&
		    !strcmp(other->started_by, program->name) &&
		    are_equals(view, program, other, is_told))
			return other;
	}
	return NULL;
}

bool sw_failed_at_head(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	size_t i;

	if (is_beside(program) || !program->is_complete ||
	    program->exited_ok != 0 ||
	    sw_is_missing(program->first_start_usec) ||
	    sw_is_missing(program->first_failed_usec))
		return false;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		/* The programs of a pipeline start in any order. */
		if (other != program && !is_beside(other) &&
		    (sw_is_missing(other->first_start_usec) ||
		     other->first_start_usec + SW_AT_ONCE_USEC <
			     program->first_start_usec))
			return false;
	}
	return true;
}

const struct sw_view_program *
sw_failed_reader(const struct sw_view *view,
		 const struct sw_view_program *program)
{
	size_t i;

	if (!sw_failed_at_head(view, program) || !program->started_by)
		return NULL;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		/* Several processes may not be those that were there then. */
		if (other != program && !is_beside(other) &&
		    other->started == 1 && other->exited_ok == 1 &&
		    other->first_start_usec < program->first_failed_usec &&
		    !strcmp(sw_text(other->started_by), program->started_by) &&
		    sw_program_does_work(view, other))
			return other;
	}
	return NULL;
}
