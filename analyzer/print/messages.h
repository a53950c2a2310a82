/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of the command other than its data: messages on stderr, and its exit
 * status.
 */
#ifndef SW_ANALYZER_MESSAGES_H
#define SW_ANALYZER_MESSAGES_H

#include <stddef.h>

#include "analyzer/print/style.h"

/* Exit status of the command. */
enum sw_exit {
	SW_EXIT_OK = 0,
	SW_EXIT_FAILURE = 1,
	SW_EXIT_USAGE = 2,
	SW_EXIT_NOTHING_FOUND = 3,
	SW_EXIT_PARTIAL = 4,	/* data damaged or missing */
	SW_EXIT_FINDINGS = 10,	/* with --exit-code */
};

/* Print "stepwell: ..." to stderr; text is escaped.  Return exit. */
int sw_complain(enum sw_exit exit, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Escape untrusted text for stdout's character set.  Return buf. */
char *sw_shown(char *buf, size_t size, const char *text);

/* Style of text on stdout: width, color, character set. */
struct sw_report_style sw_style_of_stdout(void);

#endif
