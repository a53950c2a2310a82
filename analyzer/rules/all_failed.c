/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detect a step that reports success but in which no program did its work. */
#include "analyzer/rules/all_failed.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "analyzer/rules/failed_weight.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/units.h"

/* A shell that only starts programs stays below this share of the threshold.
 * Chosen by hand. */
static const double OWN_WORK = 0.2;

/* Allow for a shell that did the work itself, without other programs. */
static bool has_worked(const struct sw_view_program *program,
		       const double *setting)
{
	return sw_real_u64(program->cpu_usec) >=
		       OWN_WORK * setting[SW_FAILED_MIN_CPU_SECONDS] *
			       SW_USEC_PER_SEC ||
	       sw_real_u64(program->call_written_bytes) >=
		       setting[SW_FAILED_MIN_WRITTEN_BYTES];
}

/* srun and the like start programs elsewhere; find hides their exit status. */
static bool may_have_worked(const struct sw_view_program *program)
{
	return sw_program_is_messenger(program->name) &&
	       strcmp(program->name, "find") != 0 && program->exited_ok != 0;
}

/* Return true if every process of the program is known to have failed. */
static bool has_failed_always(const struct sw_view_program *program)
{
	uint64_t failures = sw_program_failures(program);

	return program->is_complete && program->exited_ok == 0 &&
	       sw_sum_u64(failures, program->killed) >= program->ended &&
	       failures > 0;
}

/* A count, a checksum or the frame of an empty archive is shorter than this.
 * Chosen by hand. */
static const double NOTHING_BYTES = 128;

/*
 * True for a filter that had nothing to read: no process of it began before the
 * first failure, and together they wrote no more than a filter does on no
 * input.
 */
static bool has_passed_on_nothing(const struct sw_view_program *program,
				  const struct sw_view_program *failed,
				  const double *setting)
{
	return sw_program_is_filter(program->name) && !has_worked(program, setting) &&
	       !sw_is_missing(program->first_start_usec) &&
	       program->first_start_usec >= failed->first_start_usec &&
	       sw_real_u64(program->call_written_bytes) <
		       NOTHING_BYTES * sw_real_u64(program->ended);
}

/* Killed by SIGPIPE: the reader had ended, so this work is undone as well. */
static bool was_cut_short(const struct sw_view_program *program)
{
	return program->is_complete && program->ended > 0 &&
	       program->killed == program->ended &&
	       program->signal_other == program->killed &&
	       program->last_signal == SIGPIPE;
}

static uint64_t failed_usec(const struct sw_view_program *program)
{
	return sw_is_missing(program->first_failed_usec)
		       ? program->last_end_usec
		       : program->first_failed_usec;
}

/* True if it says nothing about the step's work, however it ended. */
static bool is_beside_work(const struct sw_view_program *program)
{
	return sw_program_is_helper(program->name) ||
	       (sw_zero_if_missing(program->exited_nonzero) > 0 &&
		sw_program_is_answer(program));
}

static bool is_starter(const struct sw_view_program *program)
{
	return sw_program_is_shell(program->name) ||
	       sw_program_is_messenger(program->name);
}

/* The first failed program that is no helper, answer or starter. */
static const struct sw_view_program *first_failed(const struct sw_view *view)
{
	const struct sw_view_program *first = NULL;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (!is_starter(program) && !is_beside_work(program) &&
		    has_failed_always(program) &&
		    !sw_failed_is_meant(view, program) &&
		    (!first || failed_usec(program) < failed_usec(first)))
			first = program;
	}
	return first;
}

const struct sw_view_program *sw_all_failed_first(const struct sw_view *view,
						  const double *setting)
{
	const struct sw_view_program *first = first_failed(view);
	size_t i;

	for (i = 0; first && i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (is_starter(program)) {
			if (has_worked(program, setting) ||
			    may_have_worked(program))
				return NULL;
			continue;
		}
		if (is_beside_work(program) ||
		    has_passed_on_nothing(program, first, setting) ||
		    was_cut_short(program))
			continue;
		if (!has_failed_always(program) ||
		    sw_failed_is_meant(view, program))
			return NULL;
	}
	return first;
}
