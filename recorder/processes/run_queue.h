/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that the threads of a step have waited for a CPU, read from /proc
 * for each thread: the second number of PID/task/TID/schedstat is
 * sched_info.run_delay in nanoseconds (Documentation/scheduler/ sched-stats.rst
 * of Linux).  It is the time from becoming runnable, or from being preempted,
 * until running again.  It thus includes the time lost to a quota, a binding or
 * other programs.
 *
 * Since EEVDF delays the dequeueing of a thread that goes to sleep (Linux 6.12,
 * kernel/sched/fair.c), it may include a sleep too.  A wait is therefore
 * limited to the time between two samples, plus the time before them in which
 * samples found the thread running or runnable.  The kernel accounts a wait
 * when it ends, which may be some samples later.
 *
 * The last value read is kept when a thread exits.  Waits after that read, and
 * threads that lived only between two samples, are not seen.
 */
#ifndef SW_RECORDER_RUN_QUEUE_H
#define SW_RECORDER_RUN_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Maximum number of threads.  The total of a larger step is missing. */
enum { SW_RUN_QUEUE_THREADS_MAX = 2048 };

struct sw_share;

struct sw_run_queue {
	struct sw_share *share;		/* pays for the memory; NULL: none */
	struct sw_run_queue_thread {
		pid_t thread;
		uint64_t wait_nsec;	/* after the limits below */
		uint64_t read_nsec;	/* as read from the kernel */
		uint64_t cpu_nsec;	/* likewise */
		uint64_t open_nsec;	/* possible wait not yet accounted */
	} *now, *before;		/* sorted by thread after a pass ends */
	size_t count, room, count_before;
	uint64_t ended_nsec;		/* of threads that have exited */
	uint64_t total_usec;		/* SW_MISSING: not known */
	bool is_incomplete;		/* too many threads, or out of memory */
	uint64_t begun_usec, begun_before_usec;	/* 0: not yet */
};

/* Initialize to zero except share.  A pass has a begin, samples and an end. */
void sw_run_queue_begin(struct sw_run_queue *queue);

/*
 * Read thread "PID/task/TID" below proc_fd.  Return its total wait in
 * microseconds, or SW_MISSING if it has exited or the kernel does not report
 * it.  is_to_run is true if this pass found the thread running or runnable;
 * false if that is not known, because an unresponsive file system may keep its
 * state from being read.
 */
uint64_t sw_run_queue_sample(struct sw_run_queue *queue, int proc_fd, pid_t pid,
			     pid_t thread, bool is_to_run);
void sw_run_queue_end(struct sw_run_queue *queue);
void sw_run_queue_fini(struct sw_run_queue *queue);

#endif
