/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of a line of text_profile.h. */
#ifndef SW_TEST_TEXT_WORDS_H
#define SW_TEST_TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profiles/table.h"

/* "rows", its count, a value per column, and one more to find too many. */
enum { TEXT_WORDS_MAX = SW_TABLE_COLUMNS_MAX + 3 };

struct text_word {
	char *text;
	bool is_quoted;
	char number[24];	/* of text_word_step() */
};

/* Cut a line into words, in place, up to "#".  Returns NULL, or what is wrong. */
const char *text_words_split(char *line, struct text_word *words,
			     size_t *count);

/*
 * Replace FIRST+STEP or FIRST-STEP by its value in the row of that index; other
 * words are the same in all rows.  Returns NULL, or what is wrong.
 */
const char *text_word_step(struct text_word *word, uint64_t index);

/* Print a line that text_words_split() reads.  Returns 0, or -1 with errno. */
int text_words_print(FILE *out, const char *first,
		     const struct text_word *words, size_t count);

#endif
