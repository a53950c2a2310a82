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

/* They hand on how the last command ended, which is a program of its own. */
bool sw_program_is_shell(const char *program);

/* By its last exit status it says no, or that there is nothing to clean up. */
bool sw_program_is_answer(const struct sw_view_program *program);

/* It starts programs, and fails where one of them did. */
bool sw_program_is_messenger(const char *program);

#endif
