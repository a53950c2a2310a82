/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "stepwell run": one command, recorded from its start to its end. */
#ifndef SW_RECORDER_FOREGROUND_H
#define SW_RECORDER_FOREGROUND_H

#include "recorder/run/options.h"

/*
 * Run and record options->command.  Returns the exit status for the shell;
 * where Ctrl-C ended the command, ends this process by the same signal, as a
 * shell does, so that scripts around it stop too.
 */
int sw_foreground_run(const struct sw_options *options);

#endif
