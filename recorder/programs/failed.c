/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the program by which a step failed.  Most programs of a step that exit
 * with a nonzero status only answer a question and must not be named, so the
 * cause has to be the only possible one, just before the step's own failure.
 */
#include "recorder/programs/failed.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "common/delta.h"
#include "common/exit_status.h"
#include "common/missing.h"
#include "common/units.h"
#include "recorder/programs/programs_internal.h"

/* A step that runs longer afterwards did not fail by it. */
#define TO_END_USEC (5 * SW_USEC_PER_SEC)

/* Causes by call and error (NULL: any); the first match counts. */
static const struct {
	const char *call, *error, *cause;
} causes[] = {
	{ NULL, "ENOSPC", "no_space" },
	{ NULL, "EDQUOT", "quota" },
	{ NULL, "ENOMEM", "memory" },
	{ NULL, "EACCES", "permission" },
	{ NULL, "EPERM", "permission" },
	{ NULL, "EROFS", "permission" },
	{ NULL, "EIO", "io_error" },
	{ NULL, "ECONNREFUSED", "refused" },
	{ "memory", NULL, "memory" },
	{ "interpret", NULL, "interpreter" },
	{ "execute", "ENOENT", "program" },
	{ "open", "ENOENT", "missing_file" },
	{ "access", "ENOENT", "missing_file" },
};

static bool is_library(const char *path)
{
	const char *at = strstr(path, ".so");

	return at && (at[3] == '\0' || at[3] == '.');
}

static const char *of_call(const struct sw_cause *cause)
{
	size_t i;

	for (i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if ((causes[i].call && strcmp(causes[i].call, cause->call)) ||
		    (causes[i].error &&
		     (!cause->error ||
		      strcmp(causes[i].error, cause->error) != 0)))
			continue;
		return !strcmp(causes[i].cause, "missing_file") &&
				       is_library(cause->object.text)
			       ? "library"
			       : causes[i].cause;
	}
	return NULL;
}

static bool is_crash(uint64_t signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT ||
	       signal == SIGFPE || signal == SIGILL;
}

/* Return whether the step ended by that signal, or its shell reported it. */
static bool is_of_signal(int wait_status, uint64_t signal)
{
	if (WIFSIGNALED(wait_status))
		return (uint64_t)WTERMSIG(wait_status) == signal;
	return (uint64_t)WEXITSTATUS(wait_status) == SW_STATUS_SIGNAL + signal;
}

static bool is_near(uint64_t usec, uint64_t end_usec)
{
	return !sw_is_missing(usec) &&
	       sw_excess_u64(end_usec, usec) <= TO_END_USEC;
}

const char *sw_failed_cause(const struct sw_program *program, int wait_status,
			    uint64_t end_usec)
{
	const struct sw_cause *cause = program->cause;

	if (!sw_is_missing(program->oom_killed) && program->oom_killed)
		return "memory";
	if (wait_status <= 0)
		return NULL;
	if (cause && cause->is_likely && cause->call &&
	    is_near(cause->end_usec, end_usec))
		return of_call(cause);
	return is_crash(program->last_signal) &&
			       is_of_signal(wait_status,
					    program->last_signal) &&
			       is_near(program->last_end_usec, end_usec)
		       ? "crash"
		       : NULL;
}

void sw_failed_find(struct sw_failed *failed,
		    const struct sw_programs *programs, int wait_status,
		    uint64_t end_usec)
{
	uint64_t latest = 0;
	unsigned i;

	*failed = (struct sw_failed){ NULL, NULL };
	for (i = 0; programs && i < programs->count; i++) {
		const struct sw_program *program = &programs->program[i];
		uint64_t ended = sw_zero_if_missing(program->last_end_usec);
		const char *cause =
			sw_failed_cause(program, wait_status, end_usec);

		if (!cause || ended < latest)
			continue;
		latest = ended;
		*failed = (struct sw_failed){ program->name, cause };
	}
}
