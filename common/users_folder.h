/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user's folder below one in which anybody may make a name. */
#ifndef SW_COMMON_USERS_FOLDER_H
#define SW_COMMON_USERS_FOLDER_H

#include <stdint.h>

struct statx;

/*
 * Why name in dirfd ("": dirfd itself) cannot be the folder of the user below
 * top, such as "a link"; NULL: it is.  What another user has mounted (FUSE) is
 * refused: who may mount decides what it says of its owner.
 * Type, mode and owner are put into *status, whose stx_mask is 0 where the name
 * cannot be examined.  Nothing is opened, and no file system is asked: it may
 * not answer.
 */
const char *sw_users_folder_fault(int top, int dirfd, const char *name,
				  uint32_t uid, struct statx *status);

/*
 * Open the folder at path for reading, where it is the user's by that.  -1 with
 * errno: ENOTDIR where it is not.
 */
int sw_users_folder_open(const char *path, uint32_t uid);

#endif
