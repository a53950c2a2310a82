/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the known words was meant by one that is not among them. */
#ifndef SW_ANALYZER_SIMILAR_H
#define SW_ANALYZER_SIMILAR_H

#include <stddef.h>

/*
 * The nearest of the words, which is theirs, or NULL: none is near enough to
 * be a slip, or the word is empty.  Of equally near ones the first.  Letters
 * are compared in either case.
 */
const char *sw_similar(const char *word, const char *const *words,
		       size_t count);

#endif
