/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF program exec.bpf.c, brought into the kernel. */
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

/* Room for so many processes of all jobs, of what is loaded from then on. */
void sw_exec_limit(unsigned processes);

/* Loaded and attached; NULL with *error: this machine or user has no BPF. */
struct exec_bpf *sw_exec_load(struct sw_error *error);

/*
 * The number of a job, by its share of the recorder's memory (NULL: it shares
 * with nobody, which is 0), for one more step; then one less.
 */
unsigned sw_exec_join(struct exec_bpf *skeleton, const struct sw_share *job);
void sw_exec_leave(unsigned owner);

/* Records that were lost of it so far. */
uint64_t sw_exec_lost(const struct exec_bpf *skeleton, unsigned owner);

/* Processes of which failed calls could not be kept, for other jobs' sake. */
uint64_t sw_exec_lost_failures(const struct exec_bpf *skeleton, unsigned owner);

/* Those that are kept of a process, and they are forgotten; false: none. */
bool sw_exec_take_failures(struct exec_bpf *skeleton, pid_t pid,
			   struct sw_failures *failures);

/*
 * Follow a process of that job, and all that it starts from now on; one that is followed
 * already is begun anew.  0, or -1 with errno: ESRCH where it has ended.
 */
int sw_exec_follow(struct exec_bpf *skeleton, unsigned owner, pid_t pid);

/* Nothing more is told of this one; of what it has started it is. */
void sw_exec_forget(struct exec_bpf *skeleton, pid_t pid);

/*
 * Let it know the scheduler's clock, to a few microseconds, so that the last
 * tick of who ends is counted.  Again at times: the clocks drift apart.
 */
void sw_exec_compare_clocks(struct exec_bpf *skeleton);

#endif
