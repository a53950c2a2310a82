/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening the files that a process has mapped. */
#ifndef SW_RECORDER_MAPPED_FILE_H
#define SW_RECORDER_MAPPED_FILE_H

#include <stdio.h>
#include <sys/types.h>

/*
 * Open for reading the regular file at path, as the process sees it, as listed
 * in maps, the /proc/PID/maps of the process.  Return -1 if the name now
 * belongs to another file or a link, or if it cannot be opened.
 */
int sw_mapped_file_open(pid_t pid, FILE *maps, const char *path);

#endif
