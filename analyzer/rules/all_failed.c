/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detects a step that reports success and in which no program did its work. */
#include "analyzer/rules/all_failed.h"

#include <stddef.h>
#include <string.h>

#include "analyzer/rules/failed_weight.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/units.h"

/* They prepare a place or print a line: no step is run for that. */
static const char *const helpers[] = {
	"basename", "chmod",  "date",	  "dirname", "echo",	 "free",
	"getconf",  "groups", "hostname", "id",	     "ln",	 "logger",
	"ls",	    "lscpu",  "mkdir",	  "mktemp",  "module",	 "nproc",
	"printenv", "printf", "pwd",	  "readlink", "realpath", "rm",
	"rmdir",    "seq",    "sleep",	  "stat",    "tput",	 "touch",
	"true",	    "tty",    "uname",	  "uptime",  "which",	 "whoami",
};

static bool is_helper(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		if (!strcmp(helpers[i], name))
			return true;
	}
	return false;
}

/* A shell needs less than this share of that to start others. */
static const double OWN_WORK = 0.2;

/* A shell may have done the work without other programs. */
static bool has_worked(const struct sw_view_program *program,
		       const double *setting)
{
	return sw_real_u64(program->cpu_usec) >=
		       OWN_WORK * setting[SW_FAILED_MIN_CPU_SECONDS] *
			       SW_USEC_PER_SEC ||
	       sw_real_u64(program->call_written_bytes) >=
		       setting[SW_FAILED_MIN_WRITTEN_BYTES];
}

/* srun and the like start programs elsewhere; find hides how they ended. */
static bool may_have_worked(const struct sw_view_program *program)
{
	return sw_program_is_messenger(program->name) &&
	       strcmp(program->name, "find") != 0 && program->exited_ok != 0;
}

/* Each of its processes is known to have failed, or to have been killed. */
static bool has_failed_always(const struct sw_view_program *program)
{
	uint64_t failures = sw_program_failures(program);

	return program->is_complete && program->exited_ok == 0 &&
	       sw_sum_u64(failures, program->killed) >= program->ended &&
	       failures > 0;
}

static uint64_t failed_usec(const struct sw_view_program *program)
{
	return sw_is_missing(program->first_failed_usec)
		       ? program->last_end_usec
		       : program->first_failed_usec;
}

const struct sw_view_program *sw_all_failed_first(const struct sw_view *view,
						  const double *setting)
{
	const struct sw_view_program *first = NULL;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (sw_program_is_shell(program->name) ||
		    sw_program_is_messenger(program->name)) {
			if (has_worked(program, setting) ||
			    may_have_worked(program))
				return NULL;
			continue;
		}
		if (is_helper(program->name))
			continue;
		if (sw_zero_if_missing(program->exited_nonzero) > 0 &&
		    sw_program_is_answer(program))
			continue;
		if (!has_failed_always(program) ||
		    sw_failed_is_meant(view, program))
			return NULL;
		if (!first || failed_usec(program) < failed_usec(first))
			first = program;
	}
	return first;
}
