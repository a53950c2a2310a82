/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes that belong to the recorder, not to the recorded job. */
#ifndef SW_RECORDER_HELPERS_H
#define SW_RECORDER_HELPERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Add a child that runs until the end.  Return -1 if there are too many. */
int sw_helpers_add(pid_t pid);
bool sw_helpers_have(pid_t pid);

/* Likewise for a child whose CPU time has its own budget (stacks/turns.h). */
int sw_helpers_add_apart(pid_t pid);

/*
 * Record the CPU time and exit code (siginfo_t, si_code) of pid, which a wait
 * for any child is about to reap.  Both are kept until it is removed.
 */
void sw_helpers_end(pid_t pid, int code);
int sw_helpers_end_code(pid_t pid);	/* 0: not known */

/* Remove a child that was reaped or is about to be.  Return its CPU time. */
uint64_t sw_helpers_remove(pid_t pid);

/* Return the CPU time of the children with their own budget still present. */
uint64_t sw_helpers_apart_usec(void);

/* Return the CPU time of all children, all threads, including removed ones. */
uint64_t sw_helpers_cpu_usec(void);

#endif
