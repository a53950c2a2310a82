/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine the owner of a folder without querying its file system. */
#include "common/users_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/path.h"

static bool look(int dirfd, const char *name, struct statx *status)
{
	return statx(dirfd, name,
		     AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT |
			     AT_STATX_DONT_SYNC | (*name ? 0 : AT_EMPTY_PATH),
		     STATX_TYPE | STATX_MODE | STATX_UID, status) == 0;
}

/*
 * Parse a line of proc_pid_mountinfo(5) such as "36 35 0:52 / /home/x rw -
 * fuse.sshfs y rw,user_id=1000,group_id=1000".  Users can mount only FUSE file
 * systems, which name the user (Documentation/filesystems/fuse.rst); all others
 * need root.
 */
static bool says_another(const char *line, const struct statx *status,
			 uint32_t uid)
{
	const char *type = strstr(line, " - "), *by;
	unsigned major, minor;

	if (sscanf(line, "%*u %*u %u:%u ", &major, &minor) != 2 ||
	    major != status->stx_dev_major || minor != status->stx_dev_minor ||
	    !type || strncmp(type + 3, "fuse", 4) != 0)
		return false;
	by = strstr(type, "user_id=");
	return !by || (strtoul(by + 8, NULL, 10) != 0 &&
		       strtoul(by + 8, NULL, 10) != uid);
}

static bool is_mounted_by_another(const struct statx *status, uint32_t uid)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	bool is_anothers = !mounts;
	char *line = NULL;
	size_t size = 0;

	while (mounts && !is_anothers && getline(&line, &size, mounts) > 0)
		is_anothers = says_another(line, status, uid);
	free(line);
	if (mounts)
		fclose(mounts);
	return is_anothers;
}

const char *sw_users_folder_fault(int top, int dirfd, const char *name,
				  uint32_t uid, struct statx *status)
{
	struct statx above;

	if (!look(dirfd, name, status) || !look(top, "", &above)) {
		status->stx_mask = 0;
		return "cannot be examined";
	}
	if (S_ISLNK(status->stx_mode))
		return "a link";
	if (!S_ISDIR(status->stx_mode))
		return "not a folder";
	if (status->stx_uid != uid)
		return "owned by another user";
	return (status->stx_dev_major != above.stx_dev_major ||
		status->stx_dev_minor != above.stx_dev_minor) &&
			       is_mounted_by_another(status, uid)
		       ? "mounted by another user"
		       : NULL;
}

static int open_below(int top, const char *name, uint32_t uid)
{
	struct statx status;
	int fd;

	if (sw_users_folder_fault(top, top, name, uid, &status)) {
		if (status.stx_mask)
			errno = ENOTDIR;
		return -1;
	}
	fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* It may have been replaced in between. */
	if (fd < 0 || !sw_users_folder_fault(top, fd, "", uid, &status))
		return fd;
	close(fd);
	errno = ENOTDIR;
	return -1;
}

int sw_users_folder_open(const char *path, uint32_t uid)
{
	char above[PATH_MAX];
	int top, fd, saved;

	if (sw_path_folder(path, above, sizeof(above)) < 0)
		return -1;
	top = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -1;
	fd = open_below(top, sw_path_name(path), uid);
	saved = errno;
	close(top);
	errno = saved;
	return fd;
}
