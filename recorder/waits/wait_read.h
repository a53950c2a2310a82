/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of one process that wait, from its files in /proc. */
#ifndef SW_RECORDER_WAIT_READ_H
#define SW_RECORDER_WAIT_READ_H

#include <sys/types.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/waits/wait_asked.h"

enum { SW_WAIT_READ_THREADS = 8, SW_WAIT_ARGUMENTS = SW_ASKED_ARGUMENTS };

struct sw_wait_thread {
	pid_t tid;
	char state;		/* R and the like, too */
	int call, fd;		/* SW_WAIT_NO_CALL; -1: none */
	/* Of the call, its first. */
	unsigned long long argument[SW_WAIT_ARGUMENTS];
	enum sw_asked asked;	/* where that waits for events */
	uint16_t function;
	uint32_t mode, magic, device;	/* of what fd is open for; or 0 */
	uint64_t inode, position;	/* likewise; the latter in the file */
	uint64_t timeslices;	/* that it had on a CPU so far */
};

struct sw_wait_threads {
	size_t count, left_out;
	struct sw_wait_thread thread[SW_WAIT_READ_THREADS];
};

/* May block, and be kept from an answer: only visits.c calls it. */
enum sw_read_status sw_wait_read(struct sw_wait_threads *threads, int proc_fd,
				 pid_t pid);

#endif
