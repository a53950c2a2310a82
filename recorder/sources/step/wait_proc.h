/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the threads of a step wait for, from /proc: where BPF cannot be had. */
#ifndef SW_RECORDER_WAIT_PROC_H
#define SW_RECORDER_WAIT_PROC_H

#include "recorder/sources/source.h"
#include "recorder/waits/wait_tally.h"

struct sw_wait_proc;

/* NULL where there is no memory. */
struct sw_wait_proc *sw_wait_proc_create(void);

/*
 * Look at up to 64 of the step's processes and of each of these at some
 * threads: in each call at up to 8 (is_each: at all), at more of them less
 * often, in each tenth at least.  ABSENT: none was there so far.
 */
enum sw_read_status sw_wait_proc_sample(struct sw_wait_proc *proc,
					const struct sw_target *target,
					bool is_each);

/* What has been seen so far. */
const struct sw_wait_tally *sw_wait_proc_tally(const struct sw_wait_proc *proc);

/* Takes NULL. */
void sw_wait_proc_destroy(struct sw_wait_proc *proc);

#endif
