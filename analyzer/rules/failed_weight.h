/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decide if a failed program left work undone or only answered a question. */
#ifndef SW_ANALYZER_FAILED_WEIGHT_H
#define SW_ANALYZER_FAILED_WEIGHT_H

#include "analyzer/view/view.h"

/* Settings of program.failed, in this order. */
enum {
	SW_FAILED_MIN_CPU_SECONDS,
	SW_FAILED_MIN_REPEATS,
	SW_FAILED_MAX_BEFORE_END_SECONDS,
	SW_FAILED_MIN_ELAPSED_SECONDS,
	SW_FAILED_MIN_PROBES,
	SW_FAILED_MIN_WRITTEN_BYTES
};

/* Reasons to take a failure for more than an answer of "no". */
enum sw_failed_weight {
	SW_FAILED_NO_WEIGHT,
	SW_FAILED_NOT_FOUND, /* a shell could not find its command */
	SW_FAILED_AMONG_EQUALS,
	SW_FAILED_WORKED,
	SW_FAILED_WROTE,
	SW_FAILED_LACKED,	/* space, memory and the like */
	SW_FAILED_AT_THE_HEAD,	/* others worked on what it left */
	SW_FAILED_EACH_TIME,
	SW_FAILED_AT_THE_END,
	SW_FAILED_PASSED_ON /* another program accounts for it */
};

/*
 * Return true if successful runs of the past tell what this program's exit
 * statuses mean: those that they had are answers, and run.unlike_past reports
 * others.
 */
bool sw_failed_is_of_past(const struct sw_view *view,
			  const struct sw_view_program *program);

/* Return true if timeout(1) ended it, or if head stopped reading from it. */
bool sw_failed_is_meant(const struct sw_view *view,
			const struct sw_view_program *program);

/* A shell could not execute a command, in a script that does not probe. */
bool sw_failed_is_not_found(const struct sw_view *view,
			    const struct sw_view_program *program,
			    const double *setting);

enum sw_failed_weight sw_failed_weigh(const struct sw_view *view,
				      const struct sw_view_program *program,
				      const double *setting);

#endif
