/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a process may have failed, from its last failed calls: a pure function.
 * Nearly every program fails to open files that it can do without, so that
 * most of them say nothing; what is called the cause has to carry it.
 */
#ifndef SW_RECORDER_CAUSE_H
#define SW_RECORDER_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/bpf/failures_record.h"

enum {
	/* Of a path below a mount point, and with it. */
	SW_CAUSE_BELOW_SIZE = SW_FAILURE_TEXT_SIZE + 64,
	SW_CAUSE_PATH_SIZE = 2 * SW_CAUSE_BELOW_SIZE,
};

/* Hostile, as all of it. */
struct sw_cause_path {
	unsigned int device;	/* of what it is below, as the kernel has it;
				 * 0: it is as the program had it */
	char text[SW_CAUSE_PATH_SIZE];
};

struct sw_cause {
	const char *call;	/* "open"; see the table; NULL: none failed */
	const char *error;	/* "ENOENT"; NULL: it has no name */
	bool is_likely;		/* nothing but this can be the reason */
	uint64_t end_usec;	/* of the process: CLOCK_BOOTTIME */
	struct sw_cause_path object;	/* or peer, or bytes */
	/* The last regular file opened for reading that is not the
	 * system's; "": none. */
	struct sw_cause_path read;
};

/* Of a process that ended so, at that time. */
void sw_cause_find(struct sw_cause *cause, const struct sw_failures *failures,
		   int wait_status, uint64_t end_nsec);

#endif
