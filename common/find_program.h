/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the file of a command. */
#ifndef SW_COMMON_FIND_PROGRAM_H
#define SW_COMMON_FIND_PROGRAM_H

#include <limits.h>

/*
 * Return the file that execvp(3) would execute, in path or as name itself; NULL
 * if it is not in PATH.
 */
const char *sw_find_program(const char *name, char path[PATH_MAX]);

#endif
