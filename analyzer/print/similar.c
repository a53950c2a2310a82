/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the known word that was misspelled, by the number of missing, extra,
 * wrong or swapped letters (F. J. Damerau, "A technique for computer detection
 * and correction of spelling errors", Communications of the ACM 7 (1964)
 * 171-176).  At most one error per three letters: a wild guess helps nobody.
 */
#include "analyzer/print/similar.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Group names are not longer; further letters are not compared. */
enum { LETTERS_MAX = 255, LETTERS_PER_SLIP = 3 };

typedef unsigned short row_t[LETTERS_MAX + 1];

static unsigned short least(unsigned a, unsigned b)
{
	return (unsigned short)(a < b ? a : b);
}

static int lower(char letter)
{
	return tolower((unsigned char)letter);
}

/* Add a letter of the word: compute rows[2] from the previous two. */
static void add_letter(row_t rows[3], const char *word, size_t i,
		       const char *other, size_t length)
{
	size_t j;

	rows[2][0] = (unsigned short)(i + 1);
	for (j = 0; j < length; j++) {
		int is_other = lower(word[i]) != lower(other[j]);
		unsigned slips = rows[1][j] + (unsigned)is_other;

		slips = least(slips, rows[1][j + 1] + 1u);
		slips = least(slips, rows[2][j] + 1u);
		if (i > 0 && j > 0 && lower(word[i]) == lower(other[j - 1]) &&
		    lower(word[i - 1]) == lower(other[j]))
			slips = least(slips, rows[0][j - 1] + 1u);
		rows[2][j + 1] = (unsigned short)slips;
	}
}

static size_t count_slips(const char *word, const char *other)
{
	size_t word_length = strnlen(word, LETTERS_MAX);
	size_t length = strnlen(other, LETTERS_MAX), i;
	row_t rows[3] = { { 0 } };

	for (i = 0; i <= length; i++)
		rows[1][i] = (unsigned short)i;
	for (i = 0; i < word_length; i++) {
		add_letter(rows, word, i, other, length);
		memcpy(rows[0], rows[1], sizeof(rows[0]));
		memcpy(rows[1], rows[2], sizeof(rows[1]));
	}
	return rows[1][length];
}

/* An unfinished word is a match, however much is missing. */
static size_t slips_of(const char *word, const char *other)
{
	size_t length = strlen(word), slips = count_slips(word, other);

	if (slips > 1 && length >= LETTERS_PER_SLIP &&
	    !strncasecmp(word, other, length))
		return 1;
	return slips;
}

const char *sw_similar(const char *word, const char *const *words, size_t count)
{
	size_t length = strlen(word), i;
	/* Maximum plus one, since each match has to be closer than the last. */
	size_t nearest = (length + LETTERS_PER_SLIP - 1) / LETTERS_PER_SLIP + 1;
	const char *best = NULL;

	/* If every letter is wrong, the words are not similar. */
	if (nearest > length)
		nearest = length;
	for (i = 0; i < count; i++) {
		size_t slips = slips_of(word, words[i]);

		if (slips >= nearest)
			continue;
		nearest = slips;
		best = words[i];
	}
	return best;
}
