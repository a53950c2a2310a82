/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptors inherited by the recorder.  They belong to the command: the
 * recorder uses none of their numbers and keeps none of their files open, so
 * that a pipe ends when the command closes it.
 */
#ifndef SW_RECORDER_DESCRIPTORS_H
#define SW_RECORDER_DESCRIPTORS_H

#include <stdbool.h>

/*
 * Put a placeholder on each closed standard descriptor; it is closed at exec.
 * Return whether standard error was open.
 */
bool sw_descriptors_hold(void);

/*
 * Call after the fork: redirect standard input and output to /dev/null, keep
 * standard error, and close all inherited descriptors.
 */
void sw_descriptors_drop(void);

#endif
