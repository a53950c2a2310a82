/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a program that failed has left work undone, or answered a question.
 */
#ifndef SW_ANALYZER_FAILED_WEIGHT_H
#define SW_ANALYZER_FAILED_WEIGHT_H

#include "analyzer/view/view.h"

/* Settings of program.failed, in this order. */
enum {
	SW_FAILED_MIN_FAILED,
	SW_FAILED_MIN_CPU_SECONDS,
	SW_FAILED_MIN_REPEATS,
	SW_FAILED_MAX_BEFORE_END_SECONDS,
	SW_FAILED_MIN_ELAPSED_SECONDS,
	SW_FAILED_MIN_PROBES,
	SW_FAILED_MIN_TRIES,
	SW_FAILED_MIN_WRITTEN_BYTES
};

/* Why a failure is more than a question that was answered with no. */
enum sw_failed_weight {
	SW_FAILED_NO_WEIGHT,
	SW_FAILED_NOT_FOUND, /* a shell did not find what it was to run */
	SW_FAILED_AMONG_EQUALS,
	SW_FAILED_WORKED,
	SW_FAILED_WROTE,
	SW_FAILED_EACH_TIME,
	SW_FAILED_IN_VAIN,
	SW_FAILED_AT_THE_END,
	SW_FAILED_PASSED_ON /* another one that has weight says so */
};

/* timeout(1) ended it, or head read no more of it. */
bool sw_failed_is_meant(const struct sw_view *view,
			const struct sw_view_program *program);

/*
 * Where a few of a program failed and each other one worked for long: that
 * program, or the one that it executed for this; NULL.
 */
const struct sw_view_program *
sw_failed_equals(const struct sw_view *view,
		 const struct sw_view_program *program);

/* A shell could not execute a command, in a script that does not try them. */
bool sw_failed_is_not_found(const struct sw_view *view,
			    const struct sw_view_program *program,
			    const double *setting);

enum sw_failed_weight sw_failed_weigh(const struct sw_view *view,
				      const struct sw_view_program *program,
				      const double *setting);

#endif
