/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process asks the kernel again and again, and whether that is about
 * names of files.  Needs bpf_task_pt_regs (5.15).
 */
#ifndef SW_RECORDER_SPINS_H
#define SW_RECORDER_SPINS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/bpf/spins_record.h"

enum {
	/* A process is looked at each time it has used so much CPU time. */
	SW_SPINS_NSEC = 10000000,
	/* Threads of one that are looked at, beside those that begin later. */
	SW_SPINS_THREADS_MAX = 8,
};

/* Descriptors of a process that is watched; all zero: it is not. */
struct sw_spins_watch {
	pid_t pid;
	size_t count;
	int fd[SW_SPINS_THREADS_MAX];
};

/* 0, or -1 with *error: nobody can be watched. */
int sw_spins_open(struct sw_error *error);

bool sw_spins_is_open(void);

/* From now on the process's threads are looked at.  0, or -1: they cannot be. */
int sw_spins_begin(struct sw_spins_watch *watch, int proc_fd, pid_t pid);

/* What was seen of it until now; also after its end.  0, or -1. */
int sw_spins_read(const struct sw_spins_watch *watch,
		  struct sw_spins_seen *seen);

/* Harmless for who is not watched. */
void sw_spins_end(struct sw_spins_watch *watch);

/* What tells two of these system calls apart. */
enum sw_spins_object sw_spins_object_of(int call);

#endif
