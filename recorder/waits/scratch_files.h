/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Track files that a step writes and reads back, from samples of waiting
 * threads: the file a thread waits for, and whether it writes or reads.  Files
 * are identified by device and inode; no paths are known here.
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
	uint64_t bytes;		/* largest size seen */
	uint64_t usec;		/* time that threads waited for it */
	uint64_t turn;		/* when last seen */
};

struct sw_scratch_files {
	size_t count;
	uint64_t turns;
	struct sw_scratch_file file[SW_SCRATCH_FILES];
};

/* Totals of files read back so far; never decreasing */
struct sw_scratch_sums {
	uint64_t files, bytes;
	uint64_t usec;		/* waits of threads, including writes */
};

/* A thread waiting for a file */
struct sw_scratch_sight {
	uint32_t device;
	uint64_t inode;
	uint64_t bytes;		/* size of the file */
	uint64_t usec;		/* waited since the last sample */
	enum sw_wait_access access;
};

/* Note a file; beyond SW_SCRATCH_FILES the oldest one is dropped. */
void sw_scratch_see(struct sw_scratch_files *files,
		    struct sw_scratch_sums *sums,
		    const struct sw_scratch_sight *sight);

#endif
