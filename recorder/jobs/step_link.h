/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much the link of the node carries, for a step whose own traffic could
 * fill one: only then is it worth asking.
 */
#ifndef SW_RECORDER_STEP_LINK_H
#define SW_RECORDER_STEP_LINK_H

#include <stdint.h>

struct sw_shared;

enum { SW_STEP_LINKS = 64 };

/* All zero is empty. */
struct sw_step_link {
	uint64_t usec; /* of the last sample; 0: none */
	uint64_t received_bytes, sent_bytes;
	uint64_t asked_usec;	       /* 0: never */
	uint64_t bytes[SW_STEP_LINKS]; /* of each interface then */
	/* Each way, of the device that carried most; 0: not known. */
	uint64_t bytes_per_sec;
};

/* A sample: what the step has received and sent by now, each SW_MISSING. */
void sw_step_link_take(struct sw_step_link *link, struct sw_shared *shared,
		       uint64_t received_bytes, uint64_t sent_bytes,
		       uint64_t now_usec);

#endif
