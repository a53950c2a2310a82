/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Context: the helper process. */
#include "recorder/sources/node/members.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

enum sw_read_status
sw_members_open(struct sw_members *members, int dirfd, const char *name,
		void (*add)(struct sw_members *members, const char *item))
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	struct dirent *item;
	DIR *folder;
	int fd;

	members->fd = dirfd < 0 ? -1 : openat(dirfd, name, flags);
	fd = members->fd < 0 ? -1 : openat(members->fd, ".", flags);
	folder = fd < 0 ? NULL : fdopendir(fd);
	if (!folder) {
		if (fd >= 0)
			close(fd);
		return SW_READ_ABSENT;
	}
	while ((item = readdir(folder))) {
		if (item->d_name[0] != '.')
			add(members, item->d_name);
	}
	closedir(folder);
	qsort(members->name, members->count, SW_MEMBER_SIZE, compare);
	return members->count ? SW_READ_OK : SW_READ_ABSENT;
}

void sw_members_close(void *memory)
{
	struct sw_members *members = memory;

	if (members->fd >= 0)
		close(members->fd);
	members->fd = -1;
}
