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

/* It has ended, and has been waited for, or is just about to be. */
void sw_helpers_remove(pid_t pid);

/* Their CPU time, all threads, with those that were removed. */
uint64_t sw_helpers_cpu_usec(void);

#endif
