/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open pipe and socket ends of a process. */
#ifndef SW_RECORDER_WAITS_ENDS_H
#define SW_RECORDER_WAITS_ENDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"

enum { SW_ENDS_MAX = 48 };

/* "pipe:[123]", "socket:[123]": both ends of a pipe have the same number. */
struct sw_end {
	uint64_t inode : 62;
	bool can_read : 1;
	bool can_write : 1;
};

struct sw_ends {
	size_t count;
	struct sw_end end[SW_ENDS_MAX];	/* of the first descriptors */
};

/* May block: for visits.c only. */
enum sw_read_status sw_ends_read(struct sw_ends *ends, int proc_fd, pid_t pid);

/* Return the number in such a name; 0: another type of file. */
uint64_t sw_end_inode(const char *name);

#endif
