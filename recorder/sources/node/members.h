/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a folder of the kernel's has a folder for each: ports, mounts. */
#ifndef SW_RECORDER_MEMBERS_H
#define SW_RECORDER_MEMBERS_H

#include <stddef.h>

#include "recorder/kernel/kernfile.h"

enum { SW_MEMBERS_MAX = 32, SW_MEMBER_SIZE = 64 };

/* A source whose state begins with it is closed by sw_members_close(). */
struct sw_members {
	int fd;			/* the folder; -1: none */
	size_t count;
	char name[SW_MEMBERS_MAX][SW_MEMBER_SIZE];
};

/*
 * Those of the folder NAME below dirfd, in the order of their names whatever
 * the folder's, as add() puts them behind the others.  ABSENT without any.
 */
enum sw_read_status
sw_members_open(struct sw_members *members, int dirfd, const char *name,
		void (*add)(struct sw_members *members, const char *item));

/* Takes a struct sw_members. */
void sw_members_close(void *members);

#endif
