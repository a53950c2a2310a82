/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening a file that another user may have put there.  A link is followed
 * only where the caller or root made it, and nothing blocks.
 */
#ifndef SW_COMMON_OPEN_FILE_H
#define SW_COMMON_OPEN_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * To read name below dirfd (AT_FDCWD: a path); it may be a pipe or a folder.
 * -1 with errno, ELOOP for a link that is not followed.
 */
int sw_open_file(int dirfd, const char *name, bool follows_links);

/* A path that must lead to a regular file: else EISDIR or EINVAL. */
int sw_open_regular(const char *path);

/* The same as a stream; NULL with errno. */
FILE *sw_open_stream(const char *path);

#endif
