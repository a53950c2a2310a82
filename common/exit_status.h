/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exit statuses of shells for commands.  Source: Exit Status for Commands in
 * POSIX.1-2017, Shell Command Language 2.8.2; all shells use 128 plus the
 * signal for its "greater than 128".
 */
#ifndef SW_COMMON_EXIT_STATUS_H
#define SW_COMMON_EXIT_STATUS_H

enum {
	SW_STATUS_NOT_EXECUTABLE = 126,
	SW_STATUS_NOT_FOUND = 127,
	SW_STATUS_SIGNAL = 128	/* plus the signal that killed a command */
};

#endif
