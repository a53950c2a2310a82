/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences in words, for all who print them.  Functions return buf, which
 * may contain untrusted names.
 */
#ifndef SW_ANALYZER_DIFFERENCE_WORDS_H
#define SW_ANALYZER_DIFFERENCE_WORDS_H

#include "analyzer/compare/compare.h"

enum { SW_DIFFERENCE_TEXT = 512 };

/* The kind's name in JSON: "absent". */
const char *sw_difference_name(enum sw_difference_kind kind);

/* "succeeded", "ran out of memory" */
const char *sw_run_state_words(enum sw_run_state state);

/* "align wrote 3.0 MiB instead of 1.2 GiB (1.1 GiB to 1.4 GiB in 12 runs)". */
char *sw_difference_words(char *buf, size_t size,
			  const struct sw_difference *difference);

/*
 * The first-th difference, and up to two more that it does not account for,
 * largest consequence first, and what they coincide with, in sentences.
 */
char *sw_differences_words(char *buf, size_t size,
			   const struct sw_comparison *comparison,
			   size_t first);

/*
 * Likewise in one sentence, with what goes with the first difference; "" without
 * differences.
 */
char *sw_differences_line(char *buf, size_t size,
			  const struct sw_comparison *comparison);

/*
 * The first line of a comparison: what differs most, what goes with it, and
 * what in the environment it coincides with; or that nothing differs; or why
 * nothing is known: "Not compared: needs 5 successful runs like it, has 2."
 */
char *sw_comparison_words(char *buf, size_t size,
			  const struct sw_comparison *comparison);

#endif
