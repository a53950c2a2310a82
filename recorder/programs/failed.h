/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the program by which a step failed, and the class of its cause. */
#ifndef SW_RECORDER_FAILED_H
#define SW_RECORDER_FAILED_H

#include "recorder/programs/program.h"

struct sw_failed {
	const char *program; /* untrusted; NULL: unknown */
	/*
	 * "missing_file", "permission", "no_space", "quota", "library",
	 * "interpreter", "program", "memory", "refused", "io_error", "crash";
	 * NULL: unknown
	 */
	const char *cause;
};

/* Return the cause for a program of a step that ended with this status. */
const char *sw_failed_cause(const struct sw_program *program, int wait_status,
			    uint64_t end_usec);

/*
 * Find the last program of a step whose failure has a certain cause.
 * wait_status is that of the step; -1: unknown.
 */
void sw_failed_find(struct sw_failed *failed,
		    const struct sw_programs *programs, int wait_status,
		    uint64_t end_usec);

#endif
