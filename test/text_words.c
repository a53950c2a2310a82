/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of a line of text_profile.h. */
#include "test/text_words.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Return the character after a backslash; NULL if it is unknown. */
static char *unescape(char *in, char *out)
{
	char hex[3] = "";

	switch (*in) {
	case 'n':
		*out = '\n';
		return in + 1;
	case 't':
		*out = '\t';
		return in + 1;
	case '"':
	case '\\':
		*out = *in;
		return in + 1;
	case 'x':
		if (!isxdigit((unsigned char)in[1]) ||
		    !isxdigit((unsigned char)in[2]))
			return NULL;
		memcpy(hex, in + 1, 2);
		*out = (char)strtoul(hex, NULL, 16);
		return in + 3;
	default:
		return NULL;
	}
}

/* Cut one word off *rest, in place; 0 at the end, -1 for a bad quote. */
static int next_word(char **rest, struct text_word *word)
{
	char *in = *rest + strspn(*rest, " \t\n"), *out;

	if (*in == '\0' || *in == '#')
		return 0;
	word->is_quoted = *in == '"';
	if (!word->is_quoted) {
		word->text = in;
		in += strcspn(in, " \t\n");
		if (*in)
			*in++ = '\0';
		*rest = in;
		return 1;
	}
	word->text = out = ++in;
	while (in && *in && *in != '"') {
		if (*in == '\\')
			in = unescape(in + 1, out++);
		else
			*out++ = *in++;
	}
	if (!in || *in != '"')
		return -1;
	*out = '\0';
	*rest = in + 1;
	return 1;
}

const char *text_words_split(char *line, struct text_word *words, size_t *count)
{
	int rc;

	*count = 0;
	while ((rc = next_word(&line, &words[*count])) > 0) {
		if (++*count == TEXT_WORDS_MAX)
			return "too many words";
	}
	return rc < 0 ? "bad quotes" : NULL;
}

static void print_word(FILE *out, const struct text_word *word)
{
	const char *c;

	if (!word->is_quoted) {
		fputs(word->text, out);
		return;
	}
	fputc('"', out);
	for (c = word->text; *c; c++) {
		if (*c == '"' || *c == '\\' || *c == '\n')
			fprintf(out, "\\x%02x", (unsigned char)*c);
		else
			fputc(*c, out);
	}
	fputc('"', out);
}

int text_words_print(FILE *out, const char *first,
		     const struct text_word *words, size_t count)
{
	size_t i;

	fputs(first, out);
	for (i = 0; i < count; i++) {
		fputc(' ', out);
		print_word(out, &words[i]);
	}
	fputc('\n', out);
	return ferror(out) ? -1 : 0;
}

const char *text_word_step(struct text_word *word, uint64_t index)
{
	uint64_t value, step;
	char *sign, *end;
	bool is_out;

	errno = 0;
	value = strtoull(word->text, &sign, 10);
	if (word->is_quoted || !isdigit((unsigned char)word->text[0]) ||
	    (*sign != '+' && *sign != '-') || !isdigit((unsigned char)sign[1]))
		return NULL;
	step = strtoull(sign + 1, &end, 10);
	if (*end)
		return NULL;
	is_out = errno || __builtin_mul_overflow(step, index, &step);
	is_out |= *sign == '+' ? __builtin_add_overflow(value, step, &value) :
				 __builtin_sub_overflow(value, step, &value);
	if (is_out)
		return "a step leads below 0 or above 2^64 - 1";
	snprintf(word->number, sizeof(word->number), "%" PRIu64, value);
	word->text = word->number;
	return NULL;
}
