/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about how programs end. */
#ifndef SW_ANALYZER_RULE_PROGRAM_H
#define SW_ANALYZER_RULE_PROGRAM_H

#include "analyzer/rules/rule.h"
#include "analyzer/view/program_ends.h"

/*
 * Return the most that one of these processes used, if recorded, or else the
 * average of all that ended; NAN if neither is known.
 */
double sw_program_most(uint64_t most, uint64_t all,
		       const struct sw_view_program *program);

/* Return true if a shell's child could not execute its command (126, 127). */
bool sw_program_has_not_found(const struct sw_view_program *program);

/* Return true if it failed other than by an answer, or was killed. */
bool sw_program_has_failed(const struct sw_view_program *program);

/* True for the step's own command; its exit status is known already. */
bool sw_step_is_command(const struct sw_view *view,
			const struct sw_view_program *program);

/* Number of processes killed by SIGSEGV, SIGABRT and the like: crashes. */
uint64_t sw_program_crashes(const struct sw_view_program *program);
bool sw_signal_is_crash(uint64_t signal);

/* Return true for shells: they return the status of the last command. */
bool sw_program_is_shell(const char *program);

/* Return true if its last exit status means "no", or "nothing to clean up". */
bool sw_program_is_answer(const struct sw_view_program *program);

/* Return true if it starts programs, and fails if one of them fails. */
bool sw_program_is_messenger(const char *program);

/* Return true if it prepares files, inspects them or prints a line. */
bool sw_program_is_helper(const char *program);

/* Return true if it passes data on, and succeeds on empty input. */
bool sw_program_is_filter(const char *program);

/* Return true if one of its processes is known to have begun after usec. */
bool sw_program_has_begun_after(const struct sw_view_program *program,
				uint64_t usec);

#endif
