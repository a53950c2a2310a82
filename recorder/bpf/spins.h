/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find requests to the kernel that a process repeats, and whether it works on
 * file names.  Needs bpf_task_pt_regs (5.15).
 */
#ifndef SW_RECORDER_SPINS_H
#define SW_RECORDER_SPINS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/bpf/spins_record.h"

enum {
	/* CPU time of a process between samples */
	SW_SPINS_NSEC = 10000000,
	/* Threads of a process sampled, without those created later. */
	SW_SPINS_THREADS_MAX = 8,
};

/* Descriptors of a watched process; all zero: not watched */
struct sw_spins_watch {
	pid_t pid;
	size_t count;
	int fd[SW_SPINS_THREADS_MAX];
};

/* Return 0, or -1 with *error if no process can be watched. */
int sw_spins_open(struct sw_error *error);

bool sw_spins_is_open(void);

/* Sample the process's threads from now on.  Return 0, or -1 on failure. */
int sw_spins_begin(struct sw_spins_watch *watch, int proc_fd, pid_t pid);

/* Get the samples so far, even if the process has exited.  Return 0 or -1. */
int sw_spins_read(const struct sw_spins_watch *watch,
		  struct sw_spins_seen *seen);

/* Does nothing if the process is not watched. */
void sw_spins_end(struct sw_spins_watch *watch);

#endif
