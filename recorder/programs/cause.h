/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the probable cause of a process's failure in its last failed calls: a
 * pure function.  Most failed calls mean nothing, since nearly every program
 * tries to open files it does not need, so only what justifies it is called a
 * cause.
 */
#ifndef SW_RECORDER_CAUSE_H
#define SW_RECORDER_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/bpf/failures_record.h"

enum {
	/* Size of a path below a mount point, and including that */
	SW_CAUSE_BELOW_SIZE = SW_FAILURE_TEXT_SIZE + 64,
	SW_CAUSE_PATH_SIZE = 2 * SW_CAUSE_BELOW_SIZE,
};

/* All strings are untrusted. */
struct sw_cause_path {
	/*
	 * Device of the file system that the path is relative to; 0: path as
	 * used by the program
	 */
	unsigned int device;
	char text[SW_CAUSE_PATH_SIZE];
};

struct sw_cause {
	const char *call;	/* "open" etc.; NULL: none failed */
	const char *error;	/* "ENOENT"; NULL: no name */
	bool is_likely;		/* no other reason is possible */
	uint64_t end_usec;	/* exit of the process: CLOCK_BOOTTIME */
	struct sw_cause_path object;	/* path, peer, or number of bytes */
	/* The last data file opened for reading; "": none */
	struct sw_cause_path read;
};

/* Find the cause for a process that exited with this status at end_nsec. */
void sw_cause_find(struct sw_cause *cause, const struct sw_failures *failures,
		   int wait_status, uint64_t end_nsec);

#endif
