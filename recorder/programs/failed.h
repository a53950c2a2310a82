/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program by which a step failed, and the class of its cause. */
#ifndef SW_RECORDER_FAILED_H
#define SW_RECORDER_FAILED_H

#include "recorder/programs/program.h"

struct sw_failed {
	const char *program; /* hostile; NULL: not known */
	/*
	 * "missing_file", "permission", "no_space", "quota", "library",
	 * "interpreter", "program", "memory", "refused", "io_error", "crash";
	 * NULL likewise.
	 */
	const char *cause;
};

/* Of one program, whose step ended at end_usec with that wait(2) status. */
const char *sw_failed_cause(const struct sw_program *program, int wait_status,
			    uint64_t end_usec);

/*
 * Of a step's programs the last one whose failure has a cause that is certain;
 * wait_status as above, -1: not known.
 */
void sw_failed_find(struct sw_failed *failed,
		    const struct sw_programs *programs, int wait_status,
		    uint64_t end_usec);

#endif
