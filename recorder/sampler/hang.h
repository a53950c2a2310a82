/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step that stands still: what its threads wait for, looked at once when it
 * has used next to no CPU for a while, and a few seconds before, to tell a wait
 * that lasts from many that follow each other.  A heartbeat or a loop that polls does
 * not count as progress.
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

/* A thread that waited, to see later whether it has run since. */
struct sw_hang_mark {
	pid_t tid;
	uint64_t timeslices;
};

/* All 0 at first. */
struct sw_hang {
	uint64_t since_usec;	/* has used next to nothing since */
	uint64_t window_usec, cpu_usec;	/* how much, is counted from here */
	bool has_begun, is_told, is_marked;
	unsigned told;		/* so far: SW_HANGS_MAX at most */
	uint64_t marked_usec;
	size_t marks;
	struct sw_hang_mark mark[SW_HANG_MARKS_MAX];
};

enum sw_hang_due {
	SW_HANG_NOTHING,
	SW_HANG_MARK,	/* it has stood still for half as long */
	SW_HANG_TAKE,	/* for so long, and was not told of */
};

/*
 * By its CPU time, and by how long its threads have waited for a CPU (missing:
 * not known): who has none does not stand still.
 */
enum sw_hang_due sw_hang_check(struct sw_hang *hang, uint64_t now_usec,
			       uint64_t cpu_usec, uint64_t queue_usec);

/* Note how often its threads that wait have run. */
void sw_hang_mark(struct sw_hang *hang, const struct sw_target *target,
		  uint64_t now_usec);

/*
 * Look at up to 64 processes and 8 threads of each, and write what they wait
 * for.  Nothing of the step is stopped, no file system is asked but by the
 * children that read stacks, of the first four processes.
 */
void sw_hang_take(const struct sw_hang *hang, const struct sw_target *target,
		  struct sw_writer *writer, struct sw_capture *capture,
		  uint64_t now_usec);

#endif
