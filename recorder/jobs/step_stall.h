/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the file system for which a step waited most. */
#ifndef SW_RECORDER_STEP_STALL_H
#define SW_RECORDER_STEP_STALL_H

#include <stdint.h>

#include "recorder/waits/wait_tally.h"

enum { SW_STALL_WORD_SIZE = 16, SW_STALL_MOUNT_SIZE = 128 };

struct sw_step_stall {
	uint64_t usec;	    /* at least one thread waited; SW_MISSING */
	uint64_t idle_usec; /* part of it in which no thread of the step ran */
	uint64_t intervals;
	char kind[SW_STALL_WORD_SIZE]; /* main kind: "read"; "": none */
	char fs[SW_STALL_WORD_SIZE];   /* "nfs", "local" */
	/* Mount point on the node, independent of users; "": it is not mounted
	 * there, a user has mounted it, or paths are not recorded. */
	char mount[SW_STALL_MOUNT_SIZE];
};

/* waits NULL: not observed. */
void sw_step_stall_find(struct sw_step_stall *stall,
			const struct sw_wait_tally *waits, int proc_fd);

#endif
