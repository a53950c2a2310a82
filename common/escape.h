/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making hostile text safe for where it is shown.  Program and job names are
 * chosen by users: they can hold terminal escapes, newlines, quotes and bytes
 * that are no UTF-8.
 */
#ifndef SW_COMMON_ESCAPE_H
#define SW_COMMON_ESCAPE_H

#include <stddef.h>

/*
 * Copy text for a terminal: valid, printable UTF-8 passes, everything else
 * (C0 and C1 controls, bidi and other format controls, invalid bytes) becomes
 * "\xNN".  At most size - 1 bytes, never cut inside a character; always
 * terminated.  Returns buf.
 */
char *sw_escape_terminal(char *buf, size_t size, const char *text);

/* As above, pure ASCII: every other byte becomes "\xNN". */
char *sw_escape_ascii(char *buf, size_t size, const char *text);

#endif
