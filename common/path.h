/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a path. */
#ifndef SW_COMMON_PATH_H
#define SW_COMMON_PATH_H

#include <stddef.h>

/* Return what follows the last slash, or all of path without one. */
const char *sw_path_name(const char *path);

/*
 * Copy the folder that path is in: "." if it has no slash, "/" if only the
 * first.  Return 0, or -1 (errno ENAMETOOLONG).
 */
int sw_path_folder(const char *path, char *folder, size_t size);

#endif
