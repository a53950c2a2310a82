/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Create a file under its name only once it is complete. */
#ifndef SW_ANALYZER_SWEEP_GATHER_PUT_FILE_H
#define SW_ANALYZER_SWEEP_GATHER_PUT_FILE_H

#include <stdbool.h>

#include "common/own_file.h"

/*
 * Create file name in a folder with the output of fill(), or replace one of the
 * same kind (SW_OWN_NONE: of any).  The mode is 0600 until fill() changes it.
 * Return 0, or -1 with errno (EEXIST: another kind of file has the name; or as
 * set by fill()); on failure nothing is changed.
 */
int sw_put_file(int folder, const char *name, enum sw_own kind,
		int (*fill)(int fd, const void *context), const void *context);

/* Delete the file if it is of that kind, or empty. */
void sw_drop_file(int folder, const char *name, enum sw_own kind);

#endif
