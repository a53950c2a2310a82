/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damages bytes and text. */
#include "test/fuzz/mutate.h"

#include <stdbool.h>
#include <string.h>

#include "profiles/layout.h"

enum { PIECE_MAX = 4096, LONG_WORD = 3000, COPIES_MAX = 2000 };

/* Values that break counters, sizes, times, names and settings. */
static const char *const numbers[] = {
	"0",
	"1",
	"2",
	"7",
	"63",
	"64",
	"65",
	"255",
	"1000",
	"4096",
	"65535",
	"65536",
	"1000000",
	"2147483647",
	"2147483648",
	"4294967295",
	"4294967296",
	"1099511627776",
	"9007199254740993",
	"9223372036854775807",
	"9223372036854775808",
	"18446744073709551614",
	"18446744073709551615",
};
static const char *const words[] = {
	"-1",
	"-",
	"",
	"-9223372036854775808",
	"18446744073709551616",
	"99999999999999999999999",
	"0.5",
	"-0.0",
	"1e18",
	"1e19",
	"1e300",
	"1e-300",
	"1e999",
	"nan",
	"inf",
	"-inf",
	"0x7f",
	"1K",
	"1T",
	"17179869184G",
	"1-00:00:00",
	"00:00",
	"99:99:99",
	"9999999-00:00:00",
	"UNLIMITED",
	"Unknown",
	"None",
	"1970-01-01T00:00:00",
	"9999-12-31T23:59:59",
	"2026-11-21T12:00:00",
	"99999999999-01-01",
	"a",
	"*",
	"[1-99999]",
	"n[0-4294967295]",
	"%",
	"%n%s",
	"$(id)",
	"../..",
	"/",
	"/dev/null",
	"<b>",
	"&amp;",
	"\033[2J",
	"\xff\xfe",
	"\xc3",
	"\xe2\x80\xae",
	"yes",
	"no",
	"null",
	"~",
	"[]",
	"{}",
	"&a",
	"*a",
	"|",
	",",
	";",
	"=",
	":",
	"\r",
	"\f",
	/* from here on not in a profile's text form */
	"\"",
	"'",
	"\\",
	"\"\"",
	"\\x00",
	"\\xff",
	"#",
	"\t",
	" ",
};

enum {
	NUMBER_COUNT = sizeof(numbers) / sizeof(numbers[0]),
	WORD_COUNT = sizeof(words) / sizeof(words[0]),
	PLAIN_WORD_COUNT = WORD_COUNT - 9,
};

/* splitmix64, by Sebastiano Vigna. */
static uint64_t roll(struct dice *dice)
{
	uint64_t value = dice->state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

size_t dice_below(struct dice *dice, size_t limit)
{
	return (size_t)(roll(dice) % limit);
}

static const char *pick_text(struct dice *dice)
{
	return dice_below(dice, 2) ? numbers[dice_below(dice, NUMBER_COUNT)]
				   : words[dice_below(dice, WORD_COUNT)];
}

/*
 * Replace the length bytes at from by size bytes; bytes that do not fit are
 * dropped.
 */
static void replace(struct input *input, size_t from, size_t length,
		    const void *bytes, size_t size)
{
	size_t rest = input->size - from - length;

	if (size > INPUT_SIZE_MAX - from)
		size = INPUT_SIZE_MAX - from;
	if (rest > INPUT_SIZE_MAX - from - size)
		rest = INPUT_SIZE_MAX - from - size;
	memmove(input->bytes + from + size, input->bytes + from + length, rest);
	memcpy(input->bytes + from, bytes, size);
	input->size = from + size + rest;
}

static void put_number(struct input *input, struct dice *dice)
{
	static const uint64_t edges[] = {
		0,
		1,
		2,
		3,
		0x7f,
		0x80,
		0xff,
		0x100,
		0x7fff,
		0x8000,
		0xffff,
		0x10000,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0x100000000,
		INT64_MAX,
		(uint64_t)INT64_MAX + 1,
		UINT64_MAX - 1,
		UINT64_MAX,
	};
	uint64_t value =
		edges[dice_below(dice, sizeof(edges) / sizeof(edges[0]))];
	size_t size = (size_t)1 << dice_below(dice, 4), at;

	if (input->size < size)
		return;
	at = dice_below(dice, input->size - size + 1);
	if (dice_below(dice, 2))
		at -= at % size;
	value = htole64(value);
	memcpy(input->bytes + at, &value, size);
}

/*
 * Copy a piece of other or of the input itself over the bytes of a random
 * place, or between them.
 */
static void put_piece(struct input *input, const struct input *other,
		      struct dice *dice)
{
	const struct input *source = dice_below(dice, 2) ? input : other;
	uint8_t piece[PIECE_MAX];
	size_t size, from, at;

	if (!source->size || !input->size)
		return;
	from = dice_below(dice, source->size);
	size = 1 + dice_below(dice, PIECE_MAX);
	if (size > source->size - from)
		size = source->size - from;
	memcpy(piece, source->bytes + from, size);
	at = dice_below(dice, input->size);
	from = dice_below(dice, 2) ? 0 : size;
	if (from > input->size - at)
		from = input->size - at;
	replace(input, at, from, piece, size);
}

static void cut(struct input *input, struct dice *dice)
{
	size_t at, length;

	if (!input->size)
		return;
	at = dice_below(dice, input->size);
	length = input->size - at;
	if (dice_below(dice, 4))
		length = dice_below(dice, length) % PIECE_MAX;
	replace(input, at, length, "", 0);
}

void mutate_bytes(struct input *input, const struct input *other,
		  struct dice *dice)
{
	size_t count = (size_t)1 << dice_below(dice, 6);

	while (count-- > 0 && input->size) {
		uint8_t *at = input->bytes + dice_below(dice, input->size);

		switch (dice_below(dice, 8)) {
		case 0:
		case 1:
			*at ^= (uint8_t)(1u << dice_below(dice, 8));
			break;
		case 2:
			*at = (uint8_t)roll(dice);
			break;
		case 3:
		case 4:
		case 5:
			put_number(input, dice);
			break;
		case 6:
			put_piece(input, other, dice);
			break;
		default:
			cut(input, dice);
		}
	}
}

struct piece {
	size_t from, length;
};

/* Return the line at a random place, including its newline. */
static struct piece pick_line(const struct input *input, struct dice *dice)
{
	struct piece line = { 0 };
	const uint8_t *end;

	if (!input->size)
		return line;
	line.from = dice_below(dice, input->size);
	while (line.from > 0 && input->bytes[line.from - 1] != '\n')
		line.from--;
	end = memchr(input->bytes + line.from, '\n', input->size - line.from);
	line.length = end ? (size_t)(end - input->bytes) + 1 - line.from
			  : input->size - line.from;
	return line;
}

/* Return the word at a random place: the text between two separators. */
static struct piece pick_word(const struct input *input, struct dice *dice)
{
	static const char separators[] = " \t\n,;|=:\"'[]{}()";
	struct piece word = { 0 };

	if (!input->size)
		return word;
	word.from = dice_below(dice, input->size);
	while (word.from > 0 && !memchr(separators, input->bytes[word.from - 1],
					sizeof(separators)))
		word.from--;
	while (word.from + word.length < input->size &&
	       !memchr(separators, input->bytes[word.from + word.length],
		       sizeof(separators)))
		word.length++;
	return word;
}

static void put_word(struct input *input, const struct input *other,
		     struct dice *dice)
{
	struct piece word = pick_word(input, dice), from;
	char text[LONG_WORD];

	switch (dice_below(dice, 8)) {
	case 0: /* very long */
		memset(text, words[dice_below(dice, WORD_COUNT)][0] | 1,
		       sizeof(text));
		replace(input, word.from, word.length, text,
			dice_below(dice, sizeof(text)));
		break;
	case 1: /* a word of other */
		from = pick_word(other, dice);
		replace(input, word.from, word.length, other->bytes + from.from,
			from.length);
		break;
	default: {
		const char *instead = pick_text(dice);

		replace(input, word.from, dice_below(dice, 4) ? word.length : 0,
			instead, strlen(instead));
	}
	}
}

/* Repeat a line in place, once or very often. */
static void repeat_line(struct input *input, struct piece line,
			struct dice *dice)
{
	size_t copies = dice_below(dice, 8) ? 1 : dice_below(dice, COPIES_MAX);
	uint8_t text[PIECE_MAX];

	if (line.length > sizeof(text))
		return;
	memcpy(text, input->bytes + line.from, line.length);
	while (copies-- > 0)
		replace(input, line.from, 0, text, line.length);
}

static void put_line(struct input *input, const struct input *other,
		     struct dice *dice)
{
	struct piece line = pick_line(other, dice);

	replace(input, pick_line(input, dice).from, 0, other->bytes + line.from,
		line.length);
}

static void mutate_line(struct input *input, const struct input *other,
			struct dice *dice)
{
	struct piece line;

	switch (dice_below(dice, 8)) {
	case 0:
		put_line(input, other, dice);
		break;
	case 1:
		line = pick_line(input, dice);
		replace(input, line.from, line.length, "", 0);
		break;
	case 2:
		repeat_line(input, pick_line(input, dice), dice);
		break;
	default:
		put_word(input, other, dice);
	}
}

void mutate_lines(struct input *input, const struct input *other,
		  struct dice *dice)
{
	size_t count = (size_t)1 << dice_below(dice, 6);

	while (count-- > 0)
		mutate_line(input, other, dice);
	if (dice_below(dice, 8) == 0)
		mutate_bytes(input, other, dice);
}

/* Find a row's value at a random place: the text between spaces. */
static bool pick_value(const struct input *input, struct dice *dice,
		       struct piece *value)
{
	struct piece line = pick_line(input, dice);
	size_t end = line.from + line.length;

	if (line.length < 6 || memcmp(input->bytes + line.from, "row ", 4) != 0)
		return false;
	value->from = line.from + 4 + dice_below(dice, line.length - 5);
	while (input->bytes[value->from - 1] != ' ')
		value->from--;
	value->length = 0;
	while (value->from + value->length < end &&
	       !memchr(" \n", input->bytes[value->from + value->length], 2))
		value->length++;
	return true;
}

static bool is_number(const struct input *input, struct piece value)
{
	return !value.length ||
	       memchr("-0123456789", input->bytes[value.from], 11);
}

static void put_value(struct input *input, const struct input *other,
		      struct dice *dice)
{
	struct piece value, from;
	const char *text = numbers[dice_below(dice, NUMBER_COUNT)];

	if (!pick_value(input, dice, &value))
		return;
	if (is_number(input, value) && dice_below(dice, 8) == 0)
		text = "-";
	if (!is_number(input, value))
		text = words[dice_below(dice, PLAIN_WORD_COUNT)];
	if (dice_below(dice, 4) == 0 && pick_value(other, dice, &from) &&
	    is_number(other, from) == is_number(input, value))
		replace(input, value.from, value.length,
			other->bytes + from.from, from.length);
	else
		replace(input, value.from, value.length,
			text[0] ? text : "\"\"", text[0] ? strlen(text) : 2);
}

void mutate_rows(struct input *input, const struct input *other,
		 struct dice *dice)
{
	size_t count = (size_t)1 << dice_below(dice, 8);
	struct piece line;

	while (count-- > 0) {
		put_value(input, other, dice);
		if (dice_below(dice, 64) != 0)
			continue;
		/* Lines before the rows define them and are not repeated. */
		line = pick_line(input, dice);
		if (line.length > 4 &&
		    !memcmp(input->bytes + line.from, "row ", 4))
			repeat_line(input, line, dice);
	}
}
