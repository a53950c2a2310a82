/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes of the job that the tree does not lead to, from whoever started
 * the recorder: "PID:TICKS" a line, on standard input, as they are found.
 */
#ifndef SW_RECORDER_MEMBERS_H
#define SW_RECORDER_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SW_RUN_MEMBER_LINE_MAX = 64 };

struct sw_run_members {
	int fd;	       /* -1: there are none, or no more */
	size_t length; /* of a line that is not whole yet */
	char line[SW_RUN_MEMBER_LINE_MAX];
};

/* Takes standard input, which is /dev/null then. */
void sw_run_members_open(struct sw_run_members *members);
void sw_run_members_close(struct sw_run_members *members);

/*
 * Call take for each that has come; never waits.  False at the end of them,
 * from when on fd is -1.
 */
bool sw_run_members_read(struct sw_run_members *members,
			 void (*take)(void *context, pid_t pid,
				      uint64_t start_ticks),
			 void *context);

#endif
