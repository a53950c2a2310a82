/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the ends of a step's processes. */
#ifndef SW_ANALYZER_PROGRAM_ENDS_H
#define SW_ANALYZER_PROGRAM_ENDS_H

#include "analyzer/view/view.h"

/*
 * Return why some ends of processes may have gone unseen; NULL if all were
 * seen.
 */
const char *sw_program_unseen_ends(const struct sw_view *view);

/*
 * Return the number of processes that executed the program and exited with a
 * nonzero status; a mere fork's status is an answer to its parent.  SW_MISSING
 * if unknown.
 */
uint64_t sw_program_failures(const struct sw_view_program *program);

#endif
