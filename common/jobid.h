/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's job ids, as printed by sacct(1) and squeue(1): "123", "123_4" (array
 * element), "123+1" (het component), each optionally with a step after a dot:
 * "123.batch", "123.0", "123_4.extern", "123.2+1" (component 1 of a het step).
 */
#ifndef SW_COMMON_JOBID_H
#define SW_COMMON_JOBID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/missing.h"

enum {
	SW_STEPID_SIZE = 24,	/* "4294967295+4294967295" and NUL */
	SW_JOBID_TEXT_SIZE = 64,	/* enough for sw_jobid_format() */
};

struct sw_jobid {
	uint64_t job;
	uint64_t array_task;	/* SW_MISSING: not given */
	uint64_t het_component;	/* SW_MISSING: not given */
	char step[SW_STEPID_SIZE];	/* "": not given */
};

/*
 * Parse all of text.  Returns 0, or -1 with errno EINVAL (syntax) or ERANGE (a
 * number beyond 32 bits); *id is unchanged on failure.
 */
int sw_jobid_parse(const char *text, struct sw_jobid *id);

/* The reverse; always terminates buf, and returns it. */
char *sw_jobid_format(char *buf, size_t size, const struct sw_jobid *id);

/* The same as a value, for use as an argument, as in units.h. */
struct sw_jobid_text {
	char s[SW_JOBID_TEXT_SIZE];
};

struct sw_jobid_text sw_jobid_text(const struct sw_jobid *id);

/* Compare jobs, ignoring steps; missing ids sort last. */
int sw_jobid_compare(const struct sw_jobid *one, const struct sw_jobid *two);

/*
 * Does wanted, as a user typed it, match id?  Parts that wanted omits may be
 * anything; a row of a job, which has no step, matches any step.
 */
bool sw_jobid_covers(const struct sw_jobid *wanted, const struct sw_jobid *id);

/* Is it an element of an array or a component of a het job? */
bool sw_jobid_is_part(const struct sw_jobid *id);

/*
 * Compare steps in the usual order: batch, interactive, numbers, unknown ones,
 * extern last.  As strcmp().
 */
int sw_stepid_compare(const char *one, const char *two);

/* Is it a step without work of its own that waits for its user: interactive or
 * extern?  NULL: no. */
bool sw_stepid_is_of_user(const char *step);

#endif
