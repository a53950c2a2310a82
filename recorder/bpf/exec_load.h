/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load the BPF program exec.bpf.c. */
#ifndef SW_RECORDER_EXEC_LOAD_H
#define SW_RECORDER_EXEC_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/bpf/exec_record.h"
#include "recorder/bpf/failures_record.h"

#include "recorder/bpf/exec.skel.h"

struct sw_share;

/* Limit the number of processes of all jobs, for programs loaded later. */
void sw_exec_limit(unsigned processes);

/* Load and attach.  Return NULL with *error if BPF is unavailable. */
struct exec_bpf *sw_exec_load(struct sw_error *error);

/*
 * Return the owner number of a job (by its share of the recorder's memory;
 * NULL: 0) and count one more step for it; sw_exec_leave() counts one less.
 */
unsigned sw_exec_join(struct exec_bpf *skeleton, const struct sw_share *job);
void sw_exec_leave(unsigned owner);

/* Return the number of records lost so far. */
uint64_t sw_exec_lost(const struct exec_bpf *skeleton, unsigned owner);

/* Return the number of processes whose failed calls could not be kept. */
uint64_t sw_exec_lost_failures(const struct exec_bpf *skeleton, unsigned owner);

/* Take the failures kept of a process.  Return false if there are none. */
bool sw_exec_take_failures(struct exec_bpf *skeleton, pid_t pid,
			   struct sw_failures *failures);

/*
 * Follow a process of that job and all its future children; restart if already
 * followed.  Return 0, or -1 with errno: ESRCH if it has exited.
 */
int sw_exec_follow(struct exec_bpf *skeleton, unsigned owner, pid_t pid);

/* Stop following this process, but not its children. */
void sw_exec_forget(struct exec_bpf *skeleton, pid_t pid);

/*
 * Measure the scheduler's clock, to a few microseconds, so that the last tick
 * of an exiting thread is counted.  Repeat from time to time: the clocks drift.
 */
void sw_exec_compare_clocks(struct exec_bpf *skeleton);

#endif
