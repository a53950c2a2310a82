/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "stepwell run": record one command from start to exit. */
#ifndef SW_RECORDER_FOREGROUND_H
#define SW_RECORDER_FOREGROUND_H

#include "recorder/run/options.h"

/*
 * Run and record options->command.  Return the exit status for the shell.  If
 * Ctrl-C ended the command, end this process by the same signal, as a shell
 * does, so that calling scripts stop, too.
 */
int sw_foreground_run(const struct sw_options *options);

#endif
