/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damage valid inputs in ways that get past the first check of a reader.  The
 * same random numbers give the same damage.
 */
#ifndef TEST_FUZZ_MUTATE_H
#define TEST_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { INPUT_SIZE_MAX = 1 << 20 };

struct input {
	uint8_t *bytes; /* INPUT_SIZE_MAX of them */
	size_t size;
};

struct dice {
	uint64_t state;
};

/* Return a number below limit, which is not 0. */
size_t dice_below(struct dice *dice, size_t limit);

/* Change bits, bytes, numbers and pieces; other supplies pieces. */
void mutate_bytes(struct input *input, const struct input *other,
		  struct dice *dice);

/* Change lines and words, mostly keeping their separators. */
void mutate_lines(struct input *input, const struct input *other,
		  struct dice *dice);

/*
 * Change values in the rows of a profile's text form (test/text_profile.h), and
 * repeat, reorder or drop rows and tables.
 */
void mutate_rows(struct input *input, const struct input *other,
		 struct dice *dice);

/*
 * Change frames of a profile: their unpacked bytes, and their order.  Checksums
 * are usually repaired afterwards.
 */
void mutate_frames(struct input *input, const struct input *other,
		   struct dice *dice);

/* Change a history: its row values, its tables, or its pages. */
void mutate_history(struct input *input, const struct input *other,
		    struct dice *dice);

/* Change a 64-bit ELF file: its headers, tables and sections. */
void mutate_elf(struct input *input, const struct input *other,
		struct dice *dice);

/* Change a part of a sweep after its head, whose hash is repaired. */
void mutate_night(struct input *input, const struct input *other,
		  struct dice *dice);

#endif
