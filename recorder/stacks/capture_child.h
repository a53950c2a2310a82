/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The child process that becomes stepwell-stack. */
#ifndef SW_RECORDER_CAPTURE_CHILD_H
#define SW_RECORDER_CAPTURE_CHILD_H

#include "recorder/stacks/capture.h"

#define SW_CAPTURE_PROGRAM "stepwell-stack"

/* Replaces a stack: the process has other credentials than the step's user. */
#define SW_CAPTURE_REFUSED "!rights"

/*
 * Open the files that only the recorder may open, change to the step's user for
 * good, and execute program.  parent is the recorder; this process is killed
 * when it exits.
 */
__attribute__((noreturn))
void sw_capture_serve(const struct sw_capture_one *one,
		      const struct sw_capture_place *place,
		      const char *program, pid_t parent);

#endif
