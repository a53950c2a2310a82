/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose a folder is, without asking its file system. */
#include "common/users_folder.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

static bool look(int dirfd, const char *name, struct statx *status)
{
	return statx(dirfd, name,
		     AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT |
			     AT_STATX_DONT_SYNC | (*name ? 0 : AT_EMPTY_PATH),
		     STATX_TYPE | STATX_MODE | STATX_UID, status) == 0;
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
	return status->stx_dev_major == above.stx_dev_major &&
			       status->stx_dev_minor == above.stx_dev_minor
		       ? NULL
		       : "on another file system";
}
