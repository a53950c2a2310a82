/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readers that get hostile input, each in a process of its own. */
#ifndef TEST_FUZZ_HOSTILE_H
#define TEST_FUZZ_HOSTILE_H

#include <limits.h>
#include <stdbool.h>

#include "test/fuzz/mutate.h"

/* Absolute paths. */
struct hostile_places {
	char source[PATH_MAX]; /* the source tree */
	char build[PATH_MAX];
	char work[PATH_MAX];  /* folder of this run */
	char input[PATH_MAX]; /* file with the input */
};

struct hostile_target {
	const char *name;
	unsigned share; /* of the inputs, relative to others */
	/*
	 * glob(7) patterns relative to the source tree ("build/": to the build
	 * tree, "work/": to this run's folder), NULL-terminated.
	 */
	const char *seeds[6];
	const char *suffix; /* of the input's name; NULL: none */
	/* The seed is the text form of a profile; the input is the profile. */
	bool is_text_profile;
	void (*mutate)(struct input *input, const struct input *other,
		       struct dice *dice);
	/*
	 * Runs in a child and returns its exit status.  way is any number, to
	 * choose among several readers.
	 */
	int (*run)(const struct hostile_places *places, size_t way);
};

/* Ends with a NULL name. */
extern const struct hostile_target hostile_targets[];

/* Create the files needed first, such as a history; also runs in a child. */
int hostile_prepare(const struct hostile_places *places);

#endif
