/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes on all GPUs, a source that no profile has: who is on a node
 * with others is not a job's to know.
 */
#ifndef SW_RECORDER_SRC_GPU_PIDS_H
#define SW_RECORDER_SRC_GPU_PIDS_H

#include "recorder/sources/source.h"

enum { SW_GPU_PIDS_MAX = 512 };	/* on all devices */

/* The index of a row is the device's, as in "gpu". */
enum {
	SW_GPU_PID, SW_GPU_PID_MEMORY, SW_GPU_PID_BUSY, SW_GPU_PID_MEMORY_BUSY,
	SW_GPU_PID_COLUMNS
};

#endif
