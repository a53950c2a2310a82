/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that do a step's work.  Scripts ask questions of others; a failure
 * of these leaves work undone.
 */
#ifndef SW_ANALYZER_WORKERS_H
#define SW_ANALYZER_WORKERS_H

#include "analyzer/view/view.h"

/*
 * Return true if most of the CPU time of the step's programs is the program's,
 * or most of their processes if no other program has most of the CPU time.
 * Shells, programs that start others, and those that only prepare something or
 * pass data on do not count, unless they are this program.
 */
bool sw_program_does_work(const struct sw_view *view,
			  const struct sw_view_program *program);

/*
 * Return the program of which a few processes failed while every other one
 * worked for long, or the program that those executed for this; else NULL.
 * is_told: a program that started them has failed because of them.
 */
const struct sw_view_program *
sw_failed_equals(const struct sw_view *view,
		 const struct sw_view_program *program, bool is_told);

/* Return true if it failed before any other program began to work. */
bool sw_failed_at_head(const struct sw_view *view,
		       const struct sw_view_program *program);

/*
 * Return the program that did the step's work and was started with one that
 * failed at its head, as "a | b" or "a & b": the shell did not wait for the
 * status.  NULL if there is none.
 */
const struct sw_view_program *
sw_failed_reader(const struct sw_view *view,
		 const struct sw_view_program *program);

#endif
