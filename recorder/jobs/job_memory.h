/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine the memory of the node's recorder and the part that jobs may
 * use. */
#ifndef SW_RECORDER_JOB_MEMORY_H
#define SW_RECORDER_JOB_MEMORY_H

#include <stdint.h>

#include "recorder/kernel/share.h"

/*
 * Memory of an idle step, with its part of the job's profile and of kernel
 * memory: its structures, files and sources.  Programs, processes and the like
 * are charged one by one.
 */
#define SW_NODE_STEP_BYTES (192 * 1024)

/*
 * Jobs may use half of the limit of the recorder's own cgroup; the rest is for
 * the recorder itself, and for memory that the kernel can reclaim.
 */
void sw_node_memory_open(struct sw_share_pool *pool, int proc_fd);

#endif
