/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The descriptors that the recorder was started with.  They are the
 * command's: the recorder takes none of their numbers and keeps none of their
 * files open, so that a pipe ends when the command closes it.
 */
#ifndef SW_RECORDER_DESCRIPTORS_H
#define SW_RECORDER_DESCRIPTORS_H

#include <stdbool.h>

/*
 * Put a placeholder on each standard descriptor that is closed; it is closed
 * again when the command executes.  Returns whether standard error was open.
 */
bool sw_descriptors_hold(void);

/*
 * Once the command's child has its copies: standard input and output become
 * /dev/null, standard error stays, and every inherited descriptor is closed.
 */
void sw_descriptors_drop(void);

#endif
