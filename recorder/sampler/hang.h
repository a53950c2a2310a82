/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detection of a hanging step and what its threads wait for.  The threads are
 * read once when the step has used almost no CPU for a while, and a few seconds
 * before, to distinguish one long wait from a sequence of short ones.  A
 * heartbeat or a polling loop does not count as progress.
 */
#ifndef SW_RECORDER_HANG_H
#define SW_RECORDER_HANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/writer.h"
#include "recorder/sources/source.h"
#include "recorder/stacks/capture.h"

enum { SW_HANG_SECONDS = 10, SW_HANGS_MAX = 4, SW_HANG_MARKS_MAX = 64 };

/* A waiting thread, to check later whether it has run since. */
struct sw_hang_mark {
	pid_t tid;
	uint64_t timeslices;
};

/* All zero at first. */
struct sw_hang {
	uint64_t since_usec;	/* start of the idle time */
	uint64_t window_usec, cpu_usec;	/* start values of the current window */
	bool has_begun, is_told, is_marked;
	unsigned told;		/* so far, at most SW_HANGS_MAX */
	uint64_t marked_usec;
	size_t marks;
	struct sw_hang_mark mark[SW_HANG_MARKS_MAX];
};

enum sw_hang_due {
	SW_HANG_NOTHING,
	SW_HANG_MARK,	/* idle for half of the time */
	SW_HANG_TAKE,	/* idle for the full time, and not reported */
};

/*
 * Check the CPU time, and how long the threads have waited for a CPU (missing:
 * not known): a step that gets no CPU is not hanging.
 */
enum sw_hang_due sw_hang_check(struct sw_hang *hang, uint64_t now_usec,
			       uint64_t cpu_usec, uint64_t queue_usec);

/* Record how often its waiting threads have run. */
void sw_hang_mark(struct sw_hang *hang, const struct sw_target *target,
		  uint64_t now_usec);

/*
 * Write what the threads wait for, of up to 64 processes and 8 threads each.
 * The step is not stopped.  No file system is accessed, except by the children
 * that read the stacks of the first four processes.
 */
void sw_hang_take(const struct sw_hang *hang, const struct sw_target *target,
		  struct sw_writer *writer, struct sw_capture *capture,
		  uint64_t now_usec);

#endif
