/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that has its name only when it is whole. */
#ifndef SW_ANALYZER_SWEEP_GATHER_PUT_FILE_H
#define SW_ANALYZER_SWEEP_GATHER_PUT_FILE_H

/*
 * What fill() writes becomes the file name in a folder, in place of what has
 * that name; the file is of mode 0600 until fill() gives it another one.  0, or
 * -1 with errno, as fill() returns: then there is still what there was.
 */
int sw_put_file(int folder, const char *name,
		int (*fill)(int fd, const void *context), const void *context);

#endif
