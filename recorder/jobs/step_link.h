/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Determine the speed of the node's link, for a step whose own traffic could
 * fill one; otherwise it is read only at the first sample.
 */
#ifndef SW_RECORDER_STEP_LINK_H
#define SW_RECORDER_STEP_LINK_H

#include <stdbool.h>
#include <stdint.h>

struct sw_shared;

enum { SW_STEP_LINKS = 64 };

/* All zero is empty. */
struct sw_step_link {
	uint64_t usec; /* of the last sample; 0: none */
	uint64_t received_bytes, sent_bytes;
	uint64_t asked_usec;	       /* 0: never */
	bool has_start;
	uint64_t start_bytes[SW_STEP_LINKS]; /* of each device, at first */
	/* Per direction, of the device with the most traffic since the first
	 * sample; 0: unknown */
	uint64_t bytes_per_sec;
};

/* Add a sample of the bytes received and sent so far, each SW_MISSING. */
void sw_step_link_take(struct sw_step_link *link, struct sw_shared *shared,
		       uint64_t received_bytes, uint64_t sent_bytes,
		       uint64_t now_usec);

#endif
