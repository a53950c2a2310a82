/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read what a thread waits for from its memory. */
#ifndef SW_RECORDER_WAIT_OBJECT_H
#define SW_RECORDER_WAIT_OBJECT_H

#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/waits/wait_read.h"

enum { SW_WAIT_DESCRIPTORS = 8, SW_WAIT_PATH_SIZE = 256 };

struct sw_wait_object {
	int call;		/* call to examine, and its arguments */
	unsigned long long argument[SW_WAIT_ARGUMENTS];
	pid_t owner;		/* thread to release it or exit; or 0 */
	/*
	 * Requested sleep, remaining sleep if absolute, or timeout of a wait
	 * for events; SW_MISSING: none, or unknown.
	 */
	uint64_t sleep_usec;
	size_t count;		/* descriptors of the events */
	int descriptor[SW_WAIT_DESCRIPTORS];
	/* As passed to the call, or ""; untrusted */
	char path[SW_WAIT_PATH_SIZE];
};

/*
 * Read some bytes of the process's memory without stopping it; unknown values
 * keep their defaults.  May block: for visits.c only.
 */
enum sw_read_status sw_wait_object_read(struct sw_wait_object *object,
					int proc_fd, pid_t pid);

#endif
