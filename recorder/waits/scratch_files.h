/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that a step wrote and reads back, as looks at waiting threads see it:
 * which file a thread waits for, and whether it writes or reads.  By device
 * and inode; no path is known here.
 */
#ifndef SW_RECORDER_SCRATCH_FILES_H
#define SW_RECORDER_SCRATCH_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/waits/wait_reason.h"

enum { SW_SCRATCH_FILES = 128 };

struct sw_scratch_file {
	uint64_t inode;
	uint32_t device;
	bool is_written, is_read_back;
	uint64_t bytes;		/* the most that was seen */
	uint64_t usec;		/* that threads waited for it */
	uint64_t turn;		/* of the last sight */
};

struct sw_scratch_files {
	size_t count;
	uint64_t turns;
	struct sw_scratch_file file[SW_SCRATCH_FILES];
};

/* Of those that were read back, so far; they never go back. */
struct sw_scratch_sums {
	uint64_t files, bytes;
	uint64_t usec;		/* threads' waits for them, writing too */
};

/* A thread in a wait for a file. */
struct sw_scratch_sight {
	uint32_t device;
	uint64_t inode;
	uint64_t bytes;		/* size of the file */
	uint64_t usec;		/* waited since the last look */
	enum sw_wait_access access;
};

/* Beyond SW_SCRATCH_FILES the one that was seen least recently is forgotten. */
void sw_scratch_see(struct sw_scratch_files *files,
		    struct sw_scratch_sums *sums,
		    const struct sw_scratch_sight *sight);

#endif
