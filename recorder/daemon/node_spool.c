/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spool of the node's recorder. */
#include "recorder/daemon/node_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parents are world-readable: users get to their own profiles there. */
static int make_folders(const char *path)
{
	char part[PATH_MAX];
	char *slash = part;

	if ((size_t)snprintf(part, sizeof(part), "%s", path) >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(part, 0755) == 0 && chmod(part, 0755) < 0)
			return -1;
		*slash = '/';
	}
	return mkdir(part, 0700) < 0 && errno != EEXIST ? -1 : 0;
}

int sw_node_spool_open(const char *path, struct sw_error *error)
{
	struct stat status;
	int fd;

	if (make_folders(path) < 0)
		return sw_error_errno(error, "%s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return sw_error_errno(error, "%s", path);
	if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
	    !(status.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	return sw_error_set(error, "%s is not this user's own folder, or is "
			    "writable by others", path);
}

void sw_node_spool_refresh(int fd, const char *path)
{
	struct stat status;
	struct sw_error error;
	int fresh;

	if (fstat(fd, &status) < 0 || status.st_nlink > 0)
		return;
	fresh = sw_node_spool_open(path, &error);
	if (fresh < 0)
		return;
	dup3(fresh, fd, O_CLOEXEC);
	close(fresh);
}
