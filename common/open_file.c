/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open a file that another user may have created. */
#include "common/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe must not block before it is recognized as one. */
static int open_as(int dirfd, const char *name, int more_flags)
{
	return openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
		      O_NOCTTY | more_flags);
}

static bool is_own_link(int dirfd, const char *name, struct stat *status)
{
	return fstatat(dirfd, name, status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISLNK(status->st_mode) &&
	       (status->st_uid == geteuid() || status->st_uid == 0);
}

/* The link examined must be the one that was followed. */
static int open_link(int dirfd, const char *name)
{
	struct stat before, after;
	int fd;

	if (!is_own_link(dirfd, name, &before)) {
		errno = ELOOP;
		return -1;
	}
	fd = open_as(dirfd, name, 0);
	if (fd < 0 || (is_own_link(dirfd, name, &after) &&
		       before.st_dev == after.st_dev &&
		       before.st_ino == after.st_ino &&
		       before.st_ctim.tv_sec == after.st_ctim.tv_sec &&
		       before.st_ctim.tv_nsec == after.st_ctim.tv_nsec))
		return fd;
	close(fd);
	errno = ELOOP;
	return -1;
}

int sw_open_file(int dirfd, const char *name, bool follows_links)
{
	int fd = open_as(dirfd, name, O_NOFOLLOW);

	return fd < 0 && errno == ELOOP && follows_links ?
	       open_link(dirfd, name) : fd;
}

int sw_open_regular(const char *path)
{
	int fd = sw_open_file(AT_FDCWD, path, true);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
	close(fd);
	return -1;
}

FILE *sw_open_stream(const char *path)
{
	int fd = sw_open_regular(path), saved;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (file || fd < 0)
		return file;
	saved = errno;
	close(fd);
	errno = saved;
	return NULL;
}
