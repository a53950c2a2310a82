/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find mounts, as seen by a process. */
#ifndef SW_RECORDER_MOUNTS_H
#define SW_RECORDER_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/waits/wait_reason.h"

/* Strings as in mountinfo: \040 is a space.  Untrusted. */
struct sw_mount {
	uint64_t id;		/* mount ID */
	uint32_t device;	/* as in the kernel: major << 20 | minor */
	enum sw_wait_fs fs;
	bool is_of_user;	/* FUSE mounted by a user */
	char type[32], source[192], point[256];
};

/*
 * Find a mount by its ID; if that is 0, by device; if both are 0, the only one
 * of its file system type.  Return ABSENT if there is none, or several of the
 * type.  May block: for visits.c only.
 */
enum sw_read_status sw_mount_find(struct sw_mount *mount, int proc_fd,
				  pid_t pid);

#endif
