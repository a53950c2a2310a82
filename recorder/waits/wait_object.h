/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread has asked the kernel to wait for, from its own memory. */
#ifndef SW_RECORDER_WAIT_OBJECT_H
#define SW_RECORDER_WAIT_OBJECT_H

#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/waits/wait_read.h"

enum { SW_WAIT_DESCRIPTORS = 8, SW_WAIT_PATH_SIZE = 256 };

struct sw_wait_object {
	int call;		/* to be asked about, with its arguments */
	unsigned long long argument[SW_WAIT_ARGUMENTS];
	pid_t owner;		/* thread that has to let go, or to end; or 0 */
	/* As it was asked for, of a time of day from now on, or the limit of a
	 * wait for events; SW_MISSING: none, or not known. */
	uint64_t sleep_usec;
	size_t count;		/* descriptors that an event may come from */
	int descriptor[SW_WAIT_DESCRIPTORS];
	char path[SW_WAIT_PATH_SIZE];	/* as it was given, or ""; hostile */
};

/*
 * Some bytes are read from the memory of the process, which is not stopped for
 * it.  What cannot be known stays so.  May block: only visits.c calls it.
 */
enum sw_read_status sw_wait_object_read(struct sw_wait_object *object,
					int proc_fd, pid_t pid);

#endif
