/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make untrusted text safe to display.  Users choose the names of programs and
 * jobs, which can contain terminal escapes, newlines, quotes and invalid UTF-8.
 */
#ifndef SW_COMMON_ESCAPE_H
#define SW_COMMON_ESCAPE_H

#include <stddef.h>

/*
 * Copy text for a terminal: valid, printable UTF-8 is kept, everything else (C0
 * and C1 controls, bidi and other format controls, invalid bytes) becomes
 * "\xNN".  Writes at most size - 1 bytes, never cut inside a character, and a
 * NUL.  Returns buf.
 */
char *sw_escape_terminal(char *buf, size_t size, const char *text);

/* As above, pure ASCII: every other byte becomes "\xNN". */
char *sw_escape_ascii(char *buf, size_t size, const char *text);

#endif
