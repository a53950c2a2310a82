/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of threads that stand still.  A child of its own, as the step's
 * user, reads their process's memory and the files that it has mapped: nothing
 * of it is stopped, signalled or changed, and the loop waits for nothing.
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

/* One process whose stacks are being read; pid 0: none. */
struct sw_capture_one {
	pid_t pid, child;
	int text_fd;			/* what the child writes */
	uint64_t start_ticks;		/* with pid, its identity */
	bool is_cut;			/* it took too long, and was ended */
	uint64_t time_usec, deadline_usec;
	size_t count;
	pid_t tid[SW_CAPTURE_THREADS];
	/* Registers that /proc does not tell; 0: not known. */
	uint64_t frame_pointer[SW_CAPTURE_THREADS], link[SW_CAPTURE_THREADS];
};

/* Whose step it is; a process with other rights than his is left alone. */
struct sw_capture_place {
	int proc_fd;
	uid_t uid;
	gid_t gid;
	uint32_t job_id;
};

/* Zeroed before its first use. */
struct sw_capture {
	struct sw_capture_place place;	/* of the last begin */
	struct sw_capture_one one[SW_CAPTURE_PROCESSES];
};

/*
 * Want the stack of a thread, which is read after sw_capture_begin().  Nothing
 * happens where there is no room for it.
 */
void sw_capture_want(struct sw_capture *capture, pid_t pid, pid_t tid,
		     uint64_t time_usec);

/*
 * Read those that were wanted, now or when it is the job's turn (turns.h): at a
 * later sw_capture_collect().
 */
void sw_capture_begin(struct sw_capture *capture,
		      const struct sw_capture_place *place);

/*
 * Write what is there by now, end who takes too long, and go on.  is_final:
 * nothing more is written, and what is missing is said.
 */
void sw_capture_collect(struct sw_capture *capture, struct sw_writer *writer,
			uint64_t step, bool is_final);

/* Forget what has not come. */
void sw_capture_end(struct sw_capture *capture);

/* So much of one CPU, in thousandths, is for stacks in the long run. */
void sw_capture_set_rate(uint64_t permille);

/* CPU time that was taken for stacks and is not paid back by that rate yet. */
uint64_t sw_capture_owed_usec(uint64_t now_usec);

#endif
