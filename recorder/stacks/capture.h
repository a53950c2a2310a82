/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of waiting threads.  A child process with the user id of the step
 * reads the memory of the process and the files that it has mapped.  The
 * process is not stopped, signalled or changed, and the loop does not block.
 */
#ifndef SW_RECORDER_CAPTURE_H
#define SW_RECORDER_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/writer.h"

enum {
	SW_CAPTURE_PROCESSES = 4,	/* at a time, of one step */
	SW_CAPTURE_THREADS = 8,		/* of one process */
};

/* A process whose stacks are being read.  pid 0: unused. */
struct sw_capture_one {
	pid_t pid, child;
	int text_fd;			/* output of the child */
	uint64_t start_ticks;		/* identity, together with pid */
	bool is_cut;			/* killed because it took too long */
	uint64_t time_usec, deadline_usec;
	size_t count;
	pid_t tid[SW_CAPTURE_THREADS];
	/* Registers that /proc does not provide; 0: not known. */
	uint64_t frame_pointer[SW_CAPTURE_THREADS], link[SW_CAPTURE_THREADS];
};

/* Owner of the step.  Processes with other credentials are not read. */
struct sw_capture_place {
	int proc_fd;
	uid_t uid;
	gid_t gid;
	uint32_t job_id;
};

/* All zero before first use. */
struct sw_capture {
	struct sw_capture_place place;	/* as of the last begin */
	struct sw_capture_one one[SW_CAPTURE_PROCESSES];
};

/*
 * Request the stack of a thread, which is read after sw_capture_begin().  Does
 * nothing if the list is full.
 */
void sw_capture_want(struct sw_capture *capture, pid_t pid, pid_t tid,
		     uint64_t time_usec);

/*
 * Read the requested stacks, now or in a later sw_capture_collect() when the
 * job is allowed to (turns.h).
 */
void sw_capture_begin(struct sw_capture *capture,
		      const struct sw_capture_place *place);

/*
 * Write the finished stacks, kill children that take too long, and start the
 * next ones.  is_final: nothing is written later, so write what is missing.
 */
void sw_capture_collect(struct sw_capture *capture, struct sw_writer *writer,
			uint64_t step, bool is_final);

/* Discard everything that has not finished. */
void sw_capture_end(struct sw_capture *capture);

/* Set the long-term share of one CPU for stacks, in thousandths. */
void sw_capture_set_rate(uint64_t permille);

/* Return the CPU time used for stacks that the rate has not paid back yet. */
uint64_t sw_capture_owed_usec(uint64_t now_usec);

#endif
