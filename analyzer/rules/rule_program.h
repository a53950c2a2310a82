/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about how programs end have in common. */
#ifndef SW_ANALYZER_RULE_PROGRAM_H
#define SW_ANALYZER_RULE_PROGRAM_H

#include "analyzer/rules/rule.h"

/*
 * Why no word about ends of processes does not mean that there is none to be
 * said; NULL: all ends were seen.
 */
const char *sw_program_unseen_ends(const struct sw_view *view);

/*
 * The most that one of those processes has used, if that was recorded, or else
 * the average of all that ended; NAN where neither is known.
 */
double sw_program_most(uint64_t most, uint64_t all,
		       const struct sw_view_program *program);

/*
 * Processes that executed the program and exited with another status than 0:
 * what a mere fork exits with is an answer to its parent.  SW_MISSING.
 */
uint64_t sw_program_failures(const struct sw_view_program *program);

/* A shell's child could not execute what it was to run (126, 127). */
bool sw_program_has_not_found(const struct sw_view_program *program);

/* It failed, by no answer, or was killed. */
bool sw_program_has_failed(const struct sw_view_program *program);

/* The step's own command, of which the exit status is known already. */
bool sw_step_is_command(const struct sw_view *view,
			const struct sw_view_program *program);

/* Processes that SIGSEGV, SIGABRT or the like killed: their own deed. */
uint64_t sw_program_crashes(const struct sw_view_program *program);
bool sw_signal_is_crash(uint64_t signal);

/* They hand on how the last command ended, which is a program of its own. */
bool sw_program_is_shell(const char *program);

/* By its last exit status it says no, or that there is nothing to clean up. */
bool sw_program_is_answer(const struct sw_view_program *program);

/* It starts programs, and fails where one of them did. */
bool sw_program_is_messenger(const char *program);

#endif
