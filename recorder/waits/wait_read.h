/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the waiting threads of one process from its files in /proc. */
#ifndef SW_RECORDER_WAIT_READ_H
#define SW_RECORDER_WAIT_READ_H

#include <sys/types.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/waits/wait_asked.h"

enum { SW_WAIT_READ_THREADS = 8, SW_WAIT_ARGUMENTS = SW_ASKED_ARGUMENTS };

struct sw_wait_thread {
	pid_t tid;
	char state;		/* also R and the like */
	int call, fd;		/* SW_WAIT_NO_CALL; -1: none */
	/* First arguments of the call */
	unsigned long long argument[SW_WAIT_ARGUMENTS];
	enum sw_asked asked;	/* if it waits for events */
	uint16_t function;
	uint32_t mode, magic, device;	/* of the file open at fd; or 0 */
	uint64_t inode, position;	/* the same; position in the file */
	uint64_t timeslices;	/* number of times on a CPU so far */
};

struct sw_wait_threads {
	size_t count, left_out;
	struct sw_wait_thread thread[SW_WAIT_READ_THREADS];
};

/* May block, or never return: for visits.c only. */
enum sw_read_status sw_wait_read(struct sw_wait_threads *threads, int proc_fd,
				 pid_t pid);

#endif
