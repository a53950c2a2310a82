/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening the files that a process has mapped. */
#ifndef SW_RECORDER_MAPPED_FILE_H
#define SW_RECORDER_MAPPED_FILE_H

#include <stdio.h>
#include <sys/types.h>

/*
 * Open for reading the regular file that maps, a /proc/PID/maps of the process,
 * has at this path, as the process sees it.  -1 where another file has that
 * name by now, or a link, and where it cannot be opened.
 */
int sw_mapped_file_open(pid_t pid, FILE *maps, const char *path);

#endif
