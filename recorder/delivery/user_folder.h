/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user's directories below profile_dir: "<uid>", or "<uid>.1" to "<uid>.9" if
 * others have taken that name.  A name is only used if it is a real directory
 * owned by this user and not writable by others.  If others have taken all ten
 * and keep them busy, root creates a spare one, whose name "<uid>.x<16
 * hexadecimal digits>" cannot be guessed.
 */
#ifndef SW_RECORDER_USER_FOLDER_H
#define SW_RECORDER_USER_FOLDER_H

#include <stddef.h>
#include <sys/types.h>

enum {
	SW_USER_FOLDER_NAMES = 10,	/* predictable ones */
	SW_USER_FOLDERS_MAX = SW_USER_FOLDER_NAMES + 1,
	SW_USER_FOLDER_NAME_SIZE = 48,
};

/*
 * As root: create a directory for a user who has none; if others have taken all
 * names, move the first possible one aside.  If root is mapped to nobody (NFS
 * with root_squash), nothing is changed.  spare is set to the name of the spare
 * directory, or "".
 */
void sw_user_folder_give(const char *profile_dir, uid_t uid, gid_t gid,
			 char spare[SW_USER_FOLDER_NAME_SIZE]);

/*
 * As the user: open the user's directories, in order, and the spare one last;
 * create one if there is none.  Return their number, or -1 with errno: ENOTDIR
 * if others have taken all names, EPERM if even a new one has another owner.
 */
int sw_user_folders_open(const char *profile_dir, uid_t uid, const char *spare,
			 int fds[SW_USER_FOLDERS_MAX]);

#endif
