/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sample what the threads of a step wait for, from /proc; fallback for BPF. */
#ifndef SW_RECORDER_WAIT_PROC_H
#define SW_RECORDER_WAIT_PROC_H

#include "recorder/sources/source.h"
#include "recorder/waits/wait_tally.h"

struct sw_wait_proc;

/* Return NULL if out of memory. */
struct sw_wait_proc *sw_wait_proc_create(void);

/*
 * Sample up to 64 of the step's processes and some threads of each: up to 8
 * processes in each call (is_each: any number), more of them less often, but at
 * least in each tenth.  Return ABSENT if no process was seen so far.
 */
enum sw_read_status sw_wait_proc_sample(struct sw_wait_proc *proc,
					const struct sw_target *target,
					bool is_each);

/* Return the tally so far. */
const struct sw_wait_tally *sw_wait_proc_tally(const struct sw_wait_proc *proc);

/* Accepts NULL. */
void sw_wait_proc_destroy(struct sw_wait_proc *proc);

#endif
