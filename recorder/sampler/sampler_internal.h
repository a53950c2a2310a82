/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sampler from inside; only sampler*.c include this. */
#ifndef SW_RECORDER_SAMPLER_INTERNAL_H
#define SW_RECORDER_SAMPLER_INTERNAL_H

#include "recorder/sampler/hang.h"
#include "recorder/sampler/pipes.h"
#include "recorder/sampler/sampler.h"
#include "recorder/sampler/subjects.h"
#include "recorder/sources/reading.h"
#include "recorder/tables/self.h"

/* One source and how it fares. */
struct slot {
	const struct sw_source *source;
	const char *backend;
	struct sw_reading reading;	/* of the node's: unused */
	int table;		/* NOT_THERE: never read */
	unsigned int bad;	/* failed reads in a row */
	uint64_t interval;	/* rounds from one visit to the next */
	uint64_t next;		/* the next round to be visited in */
	bool is_later;		/* it waits for what it is read by ... */
	uint64_t later_usec;	/* ... since then; 0: not asked yet */
	bool has_complained;	/* of how it fares now */
	unsigned int complaints;	/* so far */
	bool has_left_out;	/* and it was said */
	bool has_rows;
	uint64_t *last;		/* the last row's: one for each column */
	uint64_t last_usec;	/* when it was read */
	struct sw_subjects_named named;
};

struct sw_sampler {
	const struct sw_target *target;
	struct sw_writer *writer;
	struct sw_events *events;
	struct sw_subjects subjects;
	struct sw_self own;
	struct sw_hang hang;
	struct sw_pipes pipes;
	struct sw_capture capture;	/* of stacks, at a hang */
	uint64_t round;
	size_t count;
	struct slot *slots;
	char *arena;		/* what sources and slots have, in one piece */
	size_t arena_bytes;
};

/* A row of the source's table. */
void sw_slot_write_only(const struct sw_sampler *sampler,
			const struct slot *slot, uint64_t time_usec,
			uint64_t index, const uint64_t *numbers);

/* A row of the source's table, and what sw_sampler_last() knows. */
void sw_slot_write(const struct sw_sampler *sampler, struct slot *slot,
		   uint64_t time_usec, uint64_t index,
		   const uint64_t *numbers);

#endif
