/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of the recording itself: the table "series.recorder". */
#ifndef SW_RECORDER_SELF_H
#define SW_RECORDER_SELF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/writer.h"

/* Values provided by the loop. */
struct sw_sampler_self {
	uint64_t wakeups;
	uint64_t late_usec;
	uint64_t cpu_before_usec;	/* used before this recording began */
};

struct sw_self {
	int table;
	int status_fd;
};

/* Return the CPU time of this process and its helpers, all threads. */
uint64_t sw_self_cpu_usec(void);

/*
 * Read the resident memory and its high-water mark from status_fd, an open
 * self/status; SW_MISSING if it cannot be read.  getrusage() is not used,
 * because its maximum is inherited from before this process executed the
 * recorder.
 */
void sw_self_memory(int status_fd, uint64_t *rss_bytes,
		    uint64_t *hiwater_bytes);

void sw_self_open(struct sw_self *self, int proc_fd, struct sw_writer *writer);
void sw_self_write(struct sw_self *self, struct sw_writer *writer,
		   const struct sw_sampler_self *loop);
void sw_self_close(struct sw_self *self);

#endif
