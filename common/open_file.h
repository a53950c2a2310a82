/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open a file that another user may have created.  A symbolic link is followed
 * only if the caller or root owns it, and nothing blocks.
 */
#ifndef SW_COMMON_OPEN_FILE_H
#define SW_COMMON_OPEN_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Open name below dirfd (AT_FDCWD: a path) for reading; it may be a pipe or a
 * folder.  Returns -1 with errno, ELOOP for a link that is not followed.
 */
int sw_open_file(int dirfd, const char *name, bool follows_links);

/* Open a regular file; anything else is EISDIR or EINVAL. */
int sw_open_regular(const char *path);

/* The same as a stream; NULL with errno. */
FILE *sw_open_stream(const char *path);

#endif
