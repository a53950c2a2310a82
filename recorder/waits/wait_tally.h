/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the threads of a step wait for, look after look: of whom a look finds
 * waiting it is taken that they have since the last one.  Counters never go
 * back.  Who hangs in one and the same wait for very long is told of once.
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
	SW_STALLS_MAX = 32,		/* told of, of one step */
	SW_STALL_SECONDS = 30,
};

/* One kind of wait; of I/O that of one file system. */
struct sw_wait_group {
	struct sw_wait_reason reason;
	uint32_t device;	/* st_dev of the kernel; 0: not known */
	pid_t pid;		/* the last one seen in it */
	uint64_t threads;	/* at the last look */
	uint64_t thread_usec;
	uint64_t some_usec;	/* wall time: at least one of them */
	uint64_t idle_usec;	/* of that: none of the step ran */
	uint64_t intervals;	/* that this time consists of */
	uint64_t access_usec[SW_ACCESSES];	/* of threads: by what they did */
	struct sw_scratch_sums scratch;
	bool is_waiting;	/* at the last look, some thread */
	bool is_stalled, is_told;
};

/* A thread in a wait for I/O that may become long. */
struct sw_waiter {
	pid_t pid, tid;
	uint64_t switches;	/* has not run as long as that stays */
	uint64_t since_usec;
	uint64_t told_usec;	/* 0: nobody was told of it */
	uint64_t looks;		/* the last one that saw it */
	int call, fd;
	uint16_t function;
	uint8_t group;
};

/* One that is to be told of. */
struct sw_stall {
	struct sw_waiter waiter;
	struct sw_wait_reason reason;
	uint64_t usec;		/* so far, or in all */
	bool is_over;
};

struct sw_wait_tally {
	uint64_t looks, last_usec;
	uint64_t now_usec, width_usec;	/* of this look */
	uint64_t left_out;		/* threads, so far */
	struct sw_wait_group io;	/* all of it */
	size_t count;
	struct sw_wait_group group[SW_WAIT_GROUPS];
	size_t waiter_count;
	struct sw_waiter waiter[SW_WAITERS];
	unsigned stalls;		/* told of so far */
	struct sw_scratch_files scratch;
};

/* One thread, as a look sees it. */
struct sw_wait_seen {
	struct sw_wait_sight sight;
	pid_t pid, tid;
	int fd;			/* the call's first argument */
	uint32_t device;	/* of its file; 0: not known */
	uint64_t inode;		/* likewise */
	uint64_t file_bytes;	/* its size, or as far as is known of that */
	uint64_t switches;	/* SW_MISSING: not known */
};

void sw_wait_tally_begin(struct sw_wait_tally *tally, uint64_t now_usec);

/* The microseconds that it has waited for I/O since the last look. */
uint64_t sw_wait_tally_see(struct sw_wait_tally *tally,
			   const struct sw_wait_seen *seen);

/* So many more, of which nothing else is known. */
void sw_wait_tally_count(struct sw_wait_tally *tally, enum sw_wait_kind kind,
			 uint64_t threads);

/* Threads that waited for such a thing at the last look. */
uint64_t sw_wait_tally_threads(const struct sw_wait_tally *tally,
			       enum sw_wait_kind kind);

/* running: threads of the step that run or could. */
void sw_wait_tally_end(struct sw_wait_tally *tally, uint64_t running);

/*
 * One that has begun to be told of, or has ended; false: no more.  To be
 * called after each look until then.
 */
bool sw_wait_tally_stall(struct sw_wait_tally *tally, struct sw_stall *stall);

#endif
