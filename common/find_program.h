/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file a command's name stands for. */
#ifndef SW_COMMON_FIND_PROGRAM_H
#define SW_COMMON_FIND_PROGRAM_H

#include <limits.h>

/*
 * The file that execvp(3) would execute, in the buffer or the name itself;
 * NULL: there is none in PATH.
 */
const char *sw_find_program(const char *name, char path[PATH_MAX]);

#endif
