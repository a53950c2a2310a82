/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs sacct, or a program that takes its arguments: no shell, and a limit on
 * its time and on its output.
 */
#ifndef SW_ANALYZER_SACCT_CHILD_H
#define SW_ANALYZER_SACCT_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct sw_sacct_call {
	const char *const *argv;	/* its name first, NULL last */
	unsigned wait_seconds;
	size_t output_bytes_max;
	/*
	 * An error message and no output is a failure whatever the status is:
	 * sacct exits with an errno that not every failure sets.
	 */
	bool is_empty_suspect;
};

/*
 * What it prints, allocated; times are in seconds since the Epoch.  NULL with
 * *error and errno: ENOENT (there is no such program), ETIMEDOUT, EFBIG (more
 * than output_bytes_max, or than its database hands out), EIO.
 */
char *sw_sacct_run(const struct sw_sacct_call *call, struct sw_error *error);

#endif
