/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing a line to standard error, which may be a pipe without a reader. */
#ifndef SW_RECORDER_SAY_H
#define SW_RECORDER_SAY_H

/*
 * Write "stepwell: " and the text as one line.  Gives up after a second: the
 * end of the command must not wait for a reader.
 */
void sw_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Change the prefix to "stepwell: WHAT: ", for a log of several. */
void sw_say_of(const char *what);

#endif
