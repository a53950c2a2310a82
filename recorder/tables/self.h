/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recording itself costs: the table "series.recorder". */
#ifndef SW_RECORDER_SELF_H
#define SW_RECORDER_SELF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/writer.h"

/* What the loop knows about itself. */
struct sw_sampler_self {
	uint64_t wakeups;
	uint64_t late_usec;
	uint64_t cpu_before_usec;	/* used before this recording began */
};

struct sw_self {
	int table;
	int status_fd;
};

/* CPU time of this process and of its helpers, all threads. */
uint64_t sw_self_cpu_usec(void);

/*
 * Resident memory and its high-water mark from self/status, a descriptor to
 * it; SW_MISSING where it cannot be read.  Not getrusage(): its maximum is
 * inherited from what this process was before it executed the recorder.
 */
void sw_self_memory(int status_fd, uint64_t *rss_bytes,
		    uint64_t *hiwater_bytes);

void sw_self_open(struct sw_self *self, int proc_fd, struct sw_writer *writer);
void sw_self_write(struct sw_self *self, struct sw_writer *writer,
		   const struct sw_sampler_self *loop);
void sw_self_close(struct sw_self *self);

#endif
