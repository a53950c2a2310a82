/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the threads of a step have waited for a CPU, as /proc tells it
 * thread by thread: PID/task/TID/schedstat, whose second number is
 * sched_info.run_delay in nanoseconds (Documentation/scheduler/
 * sched-stats.rst of Linux).  It is the time from becoming runnable, or from
 * being preempted, to running again, so that what a quota, a binding or other
 * programs take from a thread is in it.
 *
 * Since EEVDF delays the dequeueing of who goes to sleep (Linux 6.12,
 * kernel/sched/fair.c) a sleep may be in it, too: so no thread is believed to
 * have waited for longer than the time between two looks, and the time before
 * these in which looks found it to run or waiting to.  The kernel tells of a
 * wait when it is over, which may be some looks later.
 *
 * A thread that ends keeps what was last read of it; what it waited from then
 * on, and threads that lived between two looks only, are not seen.
 */
#ifndef SW_RECORDER_RUN_QUEUE_H
#define SW_RECORDER_RUN_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* So many threads are looked at; of a step with more nothing is said. */
enum { SW_RUN_QUEUE_THREADS_MAX = 2048 };

struct sw_share;

struct sw_run_queue {
	struct sw_share *share;		/* pays for the room; NULL: nobody */
	struct sw_run_queue_thread {
		pid_t thread;
		uint64_t wait_nsec;	/* as it is believed */
		uint64_t read_nsec;	/* as it was read */
		uint64_t cpu_nsec;	/* likewise */
		uint64_t open_nsec;	/* it may have waited so, untold */
	} *now, *before;		/* by thread, ascending, once ended */
	size_t count, room, count_before;
	uint64_t ended_nsec;		/* of threads that are gone */
	uint64_t total_usec;		/* SW_MISSING: not known */
	bool is_incomplete;		/* there were more, or no memory */
	uint64_t begun_usec, begun_before_usec;	/* 0: not yet */
};

/* A zeroed one, but for the share, is ready.  A look begins, sees threads, and ends. */
void sw_run_queue_begin(struct sw_run_queue *queue);

/*
 * Read the thread "PID/task/TID" below proc_fd.  Returns its waits so far in
 * microseconds, SW_MISSING where it has gone or the kernel does not say.
 * is_to_run: this look found that it runs or could; false: it is not known, for
 * its state may be what a file system that never answers keeps from being read.
 */
uint64_t sw_run_queue_sample(struct sw_run_queue *queue, int proc_fd, pid_t pid,
			     pid_t thread, bool is_to_run);
void sw_run_queue_end(struct sw_run_queue *queue);
void sw_run_queue_fini(struct sw_run_queue *queue);

#endif
