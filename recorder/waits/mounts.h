/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mounted where, as a process sees it. */
#ifndef SW_RECORDER_MOUNTS_H
#define SW_RECORDER_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/waits/wait_reason.h"

/* Texts as mountinfo has them: \040 is a space.  Hostile. */
struct sw_mount {
	uint64_t id;		/* of the mount */
	uint32_t device;	/* as the kernel has it: major << 20 | minor */
	enum sw_wait_fs fs;
	bool is_of_user;	/* FUSE that a user has mounted */
	char type[32], source[192], point[256];
};

/*
 * That of mount->id; where that is 0, of its device; where both are, the only
 * one of its kind of file system.  ABSENT where there is none, or several of the kind.  May block:
 * only visits.c calls it.
 */
enum sw_read_status sw_mount_find(struct sw_mount *mount, int proc_fd,
				  pid_t pid);

#endif
