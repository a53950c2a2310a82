/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes on all GPUs; a source that is not recorded, since a job must not
 * learn who else is on the node.
 */
#ifndef SW_RECORDER_SRC_GPU_PIDS_H
#define SW_RECORDER_SRC_GPU_PIDS_H

#include "recorder/sources/source.h"

enum { SW_GPU_PIDS_MAX = 512 };	/* on all devices */

/* The index of a row is that of the device, as in "gpu". */
enum {
	SW_GPU_PID, SW_GPU_PID_MEMORY, SW_GPU_PID_BUSY, SW_GPU_PID_MEMORY_BUSY,
	SW_GPU_PID_COLUMNS
};

#endif
