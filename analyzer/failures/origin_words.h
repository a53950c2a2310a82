/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for what a failure coincides with. */
#ifndef SW_ANALYZER_ORIGIN_WORDS_H
#define SW_ANALYZER_ORIGIN_WORDS_H

#include "analyzer/failures/origin.h"

enum { SW_ORIGIN_WORDS_SIZE = 640 };

/* Names as they are to be printed. */
struct sw_origin_names {
	const char *what;  /* "sample"; "": not known */
	const char *thing; /* "S7" */
	const char *place[SW_ORIGIN_PLACES];
};

/*
 * Format "2 of 2 attempts at sample S7 failed in this way, on 2 nodes, and 46
 * of 46 runs of others since then did not: its input." and whether to run it
 * again as it is.
 */
char *sw_origin_words(char *buf, size_t size, const struct sw_origin *origin,
		      const struct sw_origin_names *names);

/* "input", "node", "mount", "node kind", "program", "request", "not known" */
const char *sw_origin_word(const struct sw_origin *origin);

#endif
