/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file system that a step waited for most. */
#ifndef SW_RECORDER_STEP_STALL_H
#define SW_RECORDER_STEP_STALL_H

#include <stdint.h>

#include "recorder/waits/wait_tally.h"

enum { SW_STALL_WORD_SIZE = 16, SW_STALL_MOUNT_SIZE = 128 };

struct sw_step_stall {
	uint64_t usec;	    /* at least one thread waited; SW_MISSING */
	uint64_t idle_usec; /* of this nothing of the step ran */
	uint64_t intervals;
	char kind[SW_STALL_WORD_SIZE]; /* of most: "read"; "": not known */
	char fs[SW_STALL_WORD_SIZE];   /* "nfs", "local" */
	/* Where the node has it mounted, which no user can say; "": it is not
	 * there, a user has mounted it, or paths are not recorded. */
	char mount[SW_STALL_MOUNT_SIZE];
};

/* waits NULL: not seen. */
void sw_step_stall_find(struct sw_step_stall *stall,
			const struct sw_wait_tally *waits, int proc_fd);

#endif
