/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be said of a thread that hangs in I/O. */
#ifndef SW_RECORDER_STALL_H
#define SW_RECORDER_STALL_H

#include "recorder/wait_tally.h"

enum { SW_STALL_TEXT_SIZE = 512 };

/*
 * "read of /scratch/x, in request_wait_answer (fuse)".  No file system is
 * asked: that may be what hangs.  Hostile text.
 */
void sw_stall_describe(const struct sw_stall *stall, int proc_fd,
		       char text[SW_STALL_TEXT_SIZE]);

#endif
