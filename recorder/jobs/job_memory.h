/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of the node's recorder, and what of it jobs may hold. */
#ifndef SW_RECORDER_JOB_MEMORY_H
#define SW_RECORDER_JOB_MEMORY_H

#include <stdint.h>

#include "recorder/kernel/share.h"

/*
 * What a quiet step takes, with its part of the job's profile and of the
 * kernel's memory: its structures, files and sources.  Programs, processes and
 * the like are paid for one by one.
 */
#define SW_NODE_STEP_BYTES (192 * 1024)

/*
 * Jobs may hold half of what the recorder's own cgroup is limited to; the
 * rest is for the recorder itself, and for what the kernel can take back.
 */
void sw_node_memory_open(struct sw_share_pool *pool, int proc_fd);

#endif
