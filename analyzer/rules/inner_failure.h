/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program inside another one, of whose failure that one failed as well. */
#ifndef SW_ANALYZER_INNER_FAILURE_H
#define SW_ANALYZER_INNER_FAILURE_H

#include "analyzer/view/view.h"

/*
 * What the program, or one that it executed, has executed and that failed just
 * before it with the same status, or by a signal that became that status; the
 * innermost one.  NULL: there is none, or lineage was not recorded.
 */
const struct sw_view_program *
sw_inner_failure(const struct sw_view *view,
		 const struct sw_view_program *program);

/*
 * Of one that starts programs (xargs, make) and failed: the first program
 * inside it that failed, where lineage was recorded, or the only one of the
 * step; no shell, and none that only answered.  NULL.
 */
const struct sw_view_program *
sw_starter_failure(const struct sw_view *view,
		   const struct sw_view_program *starter);

/* Did a program inside it fail just before it, with any status? */
bool sw_has_inner_end(const struct sw_view *view,
		      const struct sw_view_program *program);

/*
 * Whether there is such an inner one, or of one that starts programs any that is
 * none of these and failed no more than so long before it.
 */
bool sw_has_failure_inside(const struct sw_view *view,
			   const struct sw_view_program *program,
			   double max_seconds);

#endif
