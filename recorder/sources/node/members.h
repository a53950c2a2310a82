/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the subdirectories of a kernel directory: ports, mounts. */
#ifndef SW_RECORDER_NODE_MEMBERS_H
#define SW_RECORDER_NODE_MEMBERS_H

#include <stddef.h>

#include "recorder/kernel/kernfile.h"

enum { SW_MEMBERS_MAX = 32, SW_MEMBER_SIZE = 64 };

/* For sources whose state begins with it: sw_members_close() closes them. */
struct sw_members {
	int fd;			/* the directory; -1: none */
	size_t count;
	char name[SW_MEMBERS_MAX][SW_MEMBER_SIZE];
};

/*
 * Open the directory NAME below dirfd and call add() for each entry, which
 * appends names; then sort them.  Return ABSENT if there are none.
 */
enum sw_read_status
sw_members_open(struct sw_members *members, int dirfd, const char *name,
		void (*add)(struct sw_members *members, const char *item));

/* members is a struct sw_members. */
void sw_members_close(void *members);

#endif
