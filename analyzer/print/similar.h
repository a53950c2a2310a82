/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the known word that was misspelled. */
#ifndef SW_ANALYZER_SIMILAR_H
#define SW_ANALYZER_SIMILAR_H

#include <stddef.h>

/*
 * Return the closest of the words, the first of several, or NULL if none is
 * close enough for a misspelling, or if the word is empty.  Case is ignored.
 */
const char *sw_similar(const char *word, const char *const *words,
		       size_t count);

#endif
