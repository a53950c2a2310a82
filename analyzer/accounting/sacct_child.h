/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run sacct, or a program that takes its arguments, without a shell and with
 * limits on its time and output.
 */
#ifndef SW_ANALYZER_SACCT_CHILD_H
#define SW_ANALYZER_SACCT_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct sw_sacct_call {
	const char *const *argv;	/* argv[0] first, NULL last */
	unsigned wait_seconds;
	size_t output_bytes_max;
	/*
	 * Treat an error message without output as a failure, whatever the
	 * status: sacct exits with an errno that not every failure sets.
	 */
	bool is_empty_suspect;
};

/*
 * Return the output, allocated; times are in seconds since the Epoch.  NULL
 * with *error and errno: ENOENT (no such program), ETIMEDOUT, EFBIG (more than
 * output_bytes_max, or than its database returns), EIO.
 */
char *sw_sacct_run(const struct sw_sacct_call *call, struct sw_error *error);

#endif
