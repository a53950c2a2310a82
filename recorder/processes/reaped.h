/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources used by the children that a process has reaped. */
#ifndef SW_RECORDER_REAPED_H
#define SW_RECORDER_REAPED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/process.h"

/* A value is SW_MISSING if it is not known. */
struct sw_reaped {
	uint64_t user_usec, system_usec, minflt, majflt;
	uint64_t io[SW_IO_COUNT];
};

/*
 * Read the values of pid below proc_fd.  is_own is true if pid is this process,
 * for which the kernel is more exact.
 */
void sw_reaped_read(struct sw_reaped *reaped, int proc_fd, pid_t pid,
		    bool is_own);

#endif
