/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes of the job outside the process tree, as found by the program that
 * started the recorder: lines "PID:TICKS" on standard input.
 */
#ifndef SW_RECORDER_MEMBERS_H
#define SW_RECORDER_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SW_RUN_MEMBER_LINE_MAX = 64 };

struct sw_run_members {
	int fd;	       /* -1: none, or end of file */
	size_t length; /* of an incomplete line */
	char line[SW_RUN_MEMBER_LINE_MAX];
};

/* Takes over standard input, which becomes /dev/null. */
void sw_run_members_open(struct sw_run_members *members);

/*
 * Call take for each new member; does not wait.  Return false at the end, when
 * fd is -1.
 */
bool sw_run_members_read(struct sw_run_members *members,
			 void (*take)(void *context, pid_t pid,
				      uint64_t start_ticks),
			 void *context);

#endif
