/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damage to valid inputs, in ways that get past the first check of a reader.
 * The same random numbers give the same damage.
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

/* A number below limit, which is not 0. */
size_t dice_below(struct dice *dice, size_t limit);

/* Bits, bytes, numbers and pieces; other is one to take pieces of. */
void mutate_bytes(struct input *input, const struct input *other,
		  struct dice *dice);

/* Lines and words, which keep their separators for the most part. */
void mutate_lines(struct input *input, const struct input *other,
		  struct dice *dice);

/*
 * Values in the rows of a profile's text form (test/text_profile.h), and rows
 * and tables that come twice, in another order or not at all.
 */
void mutate_rows(struct input *input, const struct input *other,
		 struct dice *dice);

/*
 * Frames of a profile: their bytes, unpacked, and their order.  Checksums are
 * right again afterwards, for the most part.
 */
void mutate_frames(struct input *input, const struct input *other,
		   struct dice *dice);

/* A history: what its rows hold, its tables, or its pages. */
void mutate_history(struct input *input, const struct input *other,
		    struct dice *dice);

/* A 64-bit ELF file: its headers, tables and sections. */
void mutate_elf(struct input *input, const struct input *other,
		struct dice *dice);

/* A part of a sweep: what lies behind its head, whose hash is right again. */
void mutate_night(struct input *input, const struct input *other,
		  struct dice *dice);

#endif
