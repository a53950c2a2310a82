/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the program inside another one whose failure made the outer one fail. */
#ifndef SW_ANALYZER_INNER_FAILURE_H
#define SW_ANALYZER_INNER_FAILURE_H

#include "analyzer/view/view.h"

/* Return true if outer, or a descendant of it, first executed the program. */
bool sw_is_inside(const struct sw_view *view,
		  const struct sw_view_program *program,
		  const struct sw_view_program *outer);

/*
 * Return the innermost program executed by this one, or by its descendants,
 * that failed just before it with the same status or by a signal that became
 * that status.  NULL if there is none, or if lineage was not recorded.
 */
const struct sw_view_program *
sw_inner_failure(const struct sw_view *view,
		 const struct sw_view_program *program);

/*
 * For a failed program that starts others (xargs, make), return the first
 * program inside it that failed, or, without lineage, the only one of the step;
 * never a shell or a program that only answered.  NULL if there is none.
 */
const struct sw_view_program *
sw_starter_failure(const struct sw_view *view,
		   const struct sw_view_program *starter);

/* Return true if a program inside it failed just before it, with any status. */
bool sw_has_inner_end(const struct sw_view *view,
		      const struct sw_view_program *program);

/*
 * Return true if there is such an inner program, or, for a starter of programs,
 * any other failure inside it at most max_seconds before its end.
 */
bool sw_has_failure_inside(const struct sw_view *view,
			   const struct sw_view_program *program,
			   double max_seconds);

#endif
