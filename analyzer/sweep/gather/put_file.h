/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that has its name only when it is whole. */
#ifndef SW_ANALYZER_SWEEP_GATHER_PUT_FILE_H
#define SW_ANALYZER_SWEEP_GATHER_PUT_FILE_H

#include <stdbool.h>

#include "common/own_file.h"

/*
 * What fill() writes becomes the file name in a folder, in place of one of the
 * same kind (SW_OWN_NONE: of any); the file is of mode 0600 until fill() gives it another one.  0, or
 * -1 with errno (EEXIST: the name is taken by another file), as fill() returns:
 * then there is still what there was.
 */
int sw_put_file(int folder, const char *name, enum sw_own kind,
		int (*fill)(int fd, const void *context), const void *context);

/* Delete the file if it is of that kind, or empty. */
void sw_drop_file(int folder, const char *name, enum sw_own kind);

#endif
