/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that are a part of the recorder and not of what it records. */
#ifndef SW_RECORDER_HELPERS_H
#define SW_RECORDER_HELPERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* It is not waited for before the end.  -1 where there are too many. */
int sw_helpers_add(pid_t pid);
bool sw_helpers_have(pid_t pid);

/* Likewise one whose CPU time has a budget of its own (stacks/turns.h). */
int sw_helpers_add_apart(pid_t pid);

/*
 * Somebody is about to wait for it, who waits for any child: what it used, and
 * how it ended (siginfo_t, si_code), is known until it is removed.
 */
void sw_helpers_end(pid_t pid, int code);
int sw_helpers_end_code(pid_t pid);	/* 0: not known */

/* It has ended, and has been waited for, or is just about to be: its CPU time. */
uint64_t sw_helpers_remove(pid_t pid);

/* CPU time of those with a budget of their own that were not removed. */
uint64_t sw_helpers_apart_usec(void);

/* Their CPU time, all threads, with those that were removed. */
uint64_t sw_helpers_cpu_usec(void);

#endif
