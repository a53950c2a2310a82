/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records in a ring of perf (perf_event_open(2)), made by events that have
 * sample_id_all and PERF_SAMPLE_TID | PERF_SAMPLE_TIME.  A pure function of
 * the bytes; what does not make sense is counted as damage and left out, and
 * where it cannot be known what comes next, so is all up to the head.
 */
#ifndef SW_RECORDER_PERF_RING_H
#define SW_RECORDER_PERF_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { SW_PERF_COMM_SIZE = 16 };

enum sw_perf_kind {
	SW_PERF_FORK, SW_PERF_COMM, SW_PERF_EXIT, SW_PERF_SWITCH, SW_PERF_LOST,
};

struct sw_perf_record {
	enum sw_perf_kind kind;
	pid_t pid, tid;			/* of whom it tells */
	pid_t parent;			/* of a fork and of an exit */
	uint64_t time_nsec;
	uint64_t lost;			/* records that found no room */
	bool is_exec;			/* a comm that came with a program */
	bool is_out;			/* a switch away from it */
	char comm[SW_PERF_COMM_SIZE];	/* hostile */
};

struct sw_perf_ring {
	const unsigned char *data;
	uint64_t size;			/* a power of two */
	uint64_t head, tail;		/* as the kernel counts: never back */
	uint64_t damaged;
	bool has_record;
	struct sw_perf_record record;
};

/* The next record, the same until it is popped; NULL: none. */
const struct sw_perf_record *sw_perf_ring_peek(struct sw_perf_ring *ring);
void sw_perf_ring_pop(struct sw_perf_ring *ring);

/* The kernel may have found no room since the ring was read last. */
bool sw_perf_ring_is_full(const struct sw_perf_ring *ring);

#endif
