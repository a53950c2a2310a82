/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line on standard error, which may be a pipe that nobody reads from. */
#ifndef SW_RECORDER_SAY_H
#define SW_RECORDER_SAY_H

/*
 * Write "stepwell: " and the text as one line.  Gives up after a second: the
 * command's end must not wait for a reader.
 */
void sw_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on "stepwell: WHAT: ", in a log of several. */
void sw_say_of(const char *what);

#endif
