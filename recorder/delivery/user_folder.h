/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user's folders below profile_dir: "<uid>", and "<uid>.1" to "<uid>.9" for
 * where somebody else has made what has that name.  One is used only if it is
 * a real folder that this user owns and nobody else may write to.  Where others
 * have taken all ten and keep them busy, root makes a spare one, whose name
 * "<uid>.x<16 hexadecimal digits>" nobody can guess.
 */
#ifndef SW_RECORDER_USER_FOLDER_H
#define SW_RECORDER_USER_FOLDER_H

#include <stddef.h>
#include <sys/types.h>

enum {
	SW_USER_FOLDER_NAMES = 10,	/* that anybody can know */
	SW_USER_FOLDERS_MAX = SW_USER_FOLDER_NAMES + 1,
	SW_USER_FOLDER_NAME_SIZE = 48,
};

/*
 * As root: where the user has none, make one and give it to him; where others
 * have taken all of the names, the first that can be is moved aside.  Where
 * root is nobody (an NFS export with root_squash) nothing is changed.  spare is
 * the name of the spare folder, "" where there is none.
 */
void sw_user_folder_give(const char *profile_dir, uid_t uid, gid_t gid,
			 char spare[SW_USER_FOLDER_NAME_SIZE]);

/*
 * As the user: open those that he has, in order, and the spare one last, made
 * where there is none.  Their number, or -1 with errno: ENOTDIR where others
 * have all of the names, EPERM where even a new one is not his.
 */
int sw_user_folders_open(const char *profile_dir, uid_t uid, const char *spare,
			 int fds[SW_USER_FOLDERS_MAX]);

#endif
