/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse the records of a perf ring buffer (perf_event_open(2)), for events with
 * sample_id_all and PERF_SAMPLE_TID | PERF_SAMPLE_TIME.  A pure function of the
 * bytes: an invalid record is counted as damage and skipped; if its size is
 * invalid, everything up to the head is skipped.
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
	pid_t pid, tid;			/* subject of the record */
	pid_t parent;			/* for fork and exit */
	uint64_t time_nsec;
	uint64_t lost;			/* records lost */
	bool is_exec;			/* comm set by an exec */
	bool is_out;			/* switch away from the thread */
	char comm[SW_PERF_COMM_SIZE];	/* untrusted */
};

struct sw_perf_ring {
	const unsigned char *data;
	uint64_t size;			/* a power of two */
	uint64_t head, tail;		/* as in the kernel: never decreasing */
	uint64_t damaged;
	bool has_record;
	struct sw_perf_record record;
};

/* Return the next record, until it is popped, or NULL. */
const struct sw_perf_record *sw_perf_ring_peek(struct sw_perf_ring *ring);
void sw_perf_ring_pop(struct sw_perf_ring *ring);

/* Return whether the kernel may have found no room since the last read. */
bool sw_perf_ring_is_full(const struct sw_perf_ring *ring);

#endif
