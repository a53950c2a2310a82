/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recording itself costs: the table "series.recorder". */
#ifndef SW_RECORDER_SELF_H
#define SW_RECORDER_SELF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/writer.h"

struct sw_sampler_self;

struct sw_self {
	int table;
	int status_fd;
};

/* CPU time of this process and of its helpers, all threads. */
uint64_t sw_self_cpu_usec(void);

/*
 * A child that is a part of the recorder and not of what it records; it is not
 * waited for before the end.  -1 where there are too many.
 */
int sw_self_add_helper(pid_t pid);
bool sw_self_is_helper(pid_t pid);

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
