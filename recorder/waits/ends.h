/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ends of pipes and sockets that a process has open. */
#ifndef SW_RECORDER_ENDS_H
#define SW_RECORDER_ENDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"

enum { SW_ENDS_MAX = 48 };

/* "pipe:[123]", "socket:[123]": numbers that both ends of a pipe share. */
struct sw_end {
	uint64_t inode : 62;
	bool can_read : 1;
	bool can_write : 1;
};

struct sw_ends {
	size_t count;
	struct sw_end end[SW_ENDS_MAX];	/* of the first descriptors */
};

/* May block: only visits.c calls it. */
enum sw_read_status sw_ends_read(struct sw_ends *ends, int proc_fd, pid_t pid);

/* The number in such a name; 0: it is another kind of file. */
uint64_t sw_end_inode(const char *name);

#endif
