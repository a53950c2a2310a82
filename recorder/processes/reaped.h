/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process has waited for: the accounts of children that are gone. */
#ifndef SW_RECORDER_REAPED_H
#define SW_RECORDER_REAPED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/process.h"

/* SW_MISSING where it cannot be known. */
struct sw_reaped {
	uint64_t user_usec, system_usec, minflt, majflt;
	uint64_t io[SW_IO_COUNT];
};

/*
 * Of pid below proc_fd; is_own: it is this process, of which the kernel tells
 * more exactly than of others.
 */
void sw_reaped_read(struct sw_reaped *reaped, int proc_fd, pid_t pid,
		    bool is_own);

#endif
