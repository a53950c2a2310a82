/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user's folder below one in which anybody may create names. */
#ifndef SW_COMMON_USERS_FOLDER_H
#define SW_COMMON_USERS_FOLDER_H

#include <stdint.h>

struct statx;

/*
 * Return why name in dirfd ("": dirfd itself) cannot be the user's folder below
 * top, such as "a link"; NULL: it is.  A FUSE mount of another user is refused:
 * whoever mounts it determines the owner that it reports.  Type, mode and owner
 * are stored in *status, with stx_mask 0 if the name cannot be examined.
 * Nothing is opened and no file system is queried: it may not answer.
 */
const char *sw_users_folder_fault(int top, int dirfd, const char *name,
				  uint32_t uid, struct statx *status);

/*
 * Open the folder at path for reading, if it is the user's by that check.
 * Returns -1 with errno: ENOTDIR if it is not.
 */
int sw_users_folder_open(const char *path, uint32_t uid);

#endif
