/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What hostile input is given to: the readers, each in a process of its own. */
#ifndef TEST_FUZZ_HOSTILE_H
#define TEST_FUZZ_HOSTILE_H

#include <limits.h>
#include <stdbool.h>

#include "test/fuzz/mutate.h"

/* Where things are; all absolute. */
struct hostile_places {
	char source[PATH_MAX]; /* the source tree */
	char build[PATH_MAX];
	char work[PATH_MAX];  /* a folder of this run's own */
	char input[PATH_MAX]; /* the input is in this file */
};

struct hostile_target {
	const char *name;
	unsigned share; /* of the inputs, beside the others' */
	/* glob(7) patterns below the source tree ("build/": below that of the
	 * build, "work/": of this run), NULL-terminated. */
	const char *seeds[6];
	const char *suffix; /* of the input's name; NULL: none */
	/* A seed is the text form of a profile; the input is the profile. */
	bool is_text_profile;
	void (*mutate)(struct input *input, const struct input *other,
		       struct dice *dice);
	/* In a child: returns its exit status.  way is any number, to choose
	 * among several readers. */
	int (*run)(const struct hostile_places *places, size_t way);
};

/* Ends with a NULL name. */
extern const struct hostile_target hostile_targets[];

/* What has to be there first, such as a history; in a child, too. */
int hostile_prepare(const struct hostile_places *places);

#endif
