/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user's folders below profile_dir: "<uid>", and "<uid>.1" to "<uid>.9" for
 * where somebody else has made what has that name.  One is used only if it is
 * a real folder that this user owns and nobody else may write to.
 */
#ifndef SW_RECORDER_USER_FOLDER_H
#define SW_RECORDER_USER_FOLDER_H

#include <stddef.h>
#include <sys/types.h>

enum { SW_USER_FOLDERS_MAX = 10 };

/*
 * As root: where the user has none, make one and give it to him; where others
 * have taken all of the names, the first that can be is moved aside.  Where
 * root is nobody (an NFS export with root_squash) nothing is changed.
 */
void sw_user_folder_give(const char *profile_dir, uid_t uid, gid_t gid);

/*
 * As the user: open those that he has, in order, made where there is none.
 * Their number, or -1 with errno: ENOTDIR where others have all of the names,
 * EPERM where even a new one is not his.
 */
int sw_user_folders_open(const char *profile_dir, uid_t uid,
			 int fds[SW_USER_FOLDERS_MAX]);

#endif
