/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command says besides its data: messages on stderr, and its exit
 * status.
 */
#ifndef SW_ANALYZER_MESSAGES_H
#define SW_ANALYZER_MESSAGES_H

#include <stddef.h>

#include "analyzer/print/style.h"

/* What the command exits with. */
enum sw_exit {
	SW_EXIT_OK = 0,
	SW_EXIT_FAILURE = 1,
	SW_EXIT_USAGE = 2,
	SW_EXIT_NOTHING_FOUND = 3,
	SW_EXIT_PARTIAL = 4,	/* some of it was damaged or missing */
	SW_EXIT_FINDINGS = 10,	/* with --exit-code */
};

/* "stepwell: ..." on stderr; user text in it is escaped. Returns exit. */
int sw_complain(enum sw_exit exit, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Hostile text as standard output's characters allow it.  Returns buf. */
char *sw_shown(char *buf, size_t size, const char *text);

/* How stdout wants its text: width, colour, characters. */
struct sw_report_style sw_style_of_stdout(void);

#endif
