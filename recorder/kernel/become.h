/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Becoming somebody who may do less, for good. */
#ifndef SW_RECORDER_BECOME_H
#define SW_RECORDER_BECOME_H

#include <sys/types.h>

/*
 * This process, a child with one thread, becomes the user for good: no group
 * but gid, no new rights by executing, not to be traced by the user's other
 * processes.  -1 with errno, and the caller must end then.
 */
int sw_become(uid_t uid, gid_t gid);

#endif
