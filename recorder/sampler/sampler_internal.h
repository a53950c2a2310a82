/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of the sampler; included only by sampler*.c. */
#ifndef SW_RECORDER_SAMPLER_INTERNAL_H
#define SW_RECORDER_SAMPLER_INTERNAL_H

#include "recorder/sampler/hang.h"
#include "recorder/sampler/pipes.h"
#include "recorder/sampler/sampler.h"
#include "recorder/sampler/subjects.h"
#include "recorder/sources/reading.h"
#include "recorder/tables/self.h"

/* A source and its state. */
struct slot {
	const struct sw_source *source;
	const char *backend;
	struct sw_reading reading;	/* unused for node sources */
	int table;		/* NOT_THERE: never read */
	unsigned int bad;	/* failed reads in a row */
	uint64_t interval;	/* rounds between two reads */
	uint64_t next;		/* round of the next read */
	bool is_later;		/* waiting for SW_READ_LATER to end ... */
	uint64_t later_usec;	/* ... since then; 0: not read yet */
	bool has_complained;	/* for the current failure */
	unsigned int complaints;	/* number so far */
	bool has_left_out;	/* has been reported */
	bool has_rows;
	uint64_t *last;		/* values of the last row, one per column */
	uint64_t last_usec;	/* time of that row */
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
	struct sw_capture capture;	/* of stacks, when the step hangs */
	uint64_t round;
	size_t count;
	struct slot *slots;
	char *arena;		/* memory of sources and slots, in one block */
	size_t arena_bytes;
};

/* Write a row to the table of the source. */
void sw_slot_write_only(const struct sw_sampler *sampler,
			const struct slot *slot, uint64_t time_usec,
			uint64_t index, const uint64_t *numbers);

/* Likewise, and store it for sw_sampler_last(). */
void sw_slot_write(const struct sw_sampler *sampler, struct slot *slot,
		   uint64_t time_usec, uint64_t index,
		   const uint64_t *numbers);

#endif
