/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add up what the threads of a step wait for, sample by sample: a thread seen
 * waiting counts as waiting since the previous sample.  Counters never
 * decrease.  A thread that hangs in the same wait for very long is reported
 * once.
 */
#ifndef SW_RECORDER_WAIT_TALLY_H
#define SW_RECORDER_WAIT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/waits/scratch_files.h"
#include "recorder/waits/wait_reason.h"

enum {
	SW_WAIT_GROUPS = 64,
	SW_WAITERS = 256,
	SW_STALLS_MAX = 32,		/* maximum reported per step */
	SW_STALL_SECONDS = 30,
};

/* A kind of wait; for I/O per file system */
struct sw_wait_group {
	struct sw_wait_reason reason;
	uint32_t device;	/* st_dev in the kernel; 0: unknown */
	pid_t pid;		/* last one seen in it */
	uint64_t threads;	/* in the last sample */
	uint64_t thread_usec;
	uint64_t some_usec;	/* wall time with at least one of them */
	uint64_t idle_usec;	/* part of it without a running thread */
	uint64_t intervals;	/* number of intervals of some_usec */
	uint64_t access_usec[SW_ACCESSES];	/* of threads, by access */
	struct sw_scratch_sums scratch;
	bool is_waiting;	/* some thread, in the last sample */
	bool is_stalled, is_told;
};

/* A thread waiting for I/O, possibly for long */
struct sw_waiter {
	pid_t pid, tid;
	uint64_t switches;	/* unchanged as long as it has not run */
	uint64_t since_usec;
	uint64_t told_usec;	/* 0: not reported */
	uint64_t looks;		/* last sample with it */
	int call, fd;
	uint16_t function;
	uint8_t group;
};

/* A stall to be reported */
struct sw_stall {
	struct sw_waiter waiter;
	struct sw_wait_reason reason;
	uint64_t usec;		/* so far, or in total */
	bool is_over;
};

struct sw_wait_tally {
	uint64_t looks, last_usec;
	uint64_t now_usec, width_usec;	/* of this sample */
	uint64_t left_out;		/* threads, total */
	struct sw_wait_group io;	/* all I/O */
	size_t count;
	struct sw_wait_group group[SW_WAIT_GROUPS];
	size_t waiter_count;
	struct sw_waiter waiter[SW_WAITERS];
	unsigned stalls;		/* reported so far */
	struct sw_scratch_files scratch;
};

/* A thread in a sample */
struct sw_wait_seen {
	struct sw_wait_sight sight;
	pid_t pid, tid;
	int fd;			/* first argument of the call */
	uint32_t device;	/* of its file; 0: unknown */
	uint64_t inode;		/* the same */
	uint64_t file_bytes;	/* its size, or a lower bound */
	uint64_t switches;	/* SW_MISSING: unknown */
};

void sw_wait_tally_begin(struct sw_wait_tally *tally, uint64_t now_usec);

/* Add a thread.  Return its I/O wait in microseconds since the last sample. */
uint64_t sw_wait_tally_see(struct sw_wait_tally *tally,
			   const struct sw_wait_seen *seen);

/* Add threads of which only the kind is known. */
void sw_wait_tally_count(struct sw_wait_tally *tally, enum sw_wait_kind kind,
			 uint64_t threads);

/* Return the number of threads in such a wait in the last sample. */
uint64_t sw_wait_tally_threads(const struct sw_wait_tally *tally,
			       enum sw_wait_kind kind);

/* running: number of runnable or running threads of the step */
void sw_wait_tally_end(struct sw_wait_tally *tally, uint64_t running);

/*
 * Get the next stall to report, at its begin or end; false: none.  Call
 * repeatedly after each sample.
 */
bool sw_wait_tally_stall(struct sw_wait_tally *tally, struct sw_stall *stall);

#endif
