/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a user or a site wrote into one text, with commas between them. */
#ifndef SW_RECORDER_WANTED_H
#define SW_RECORDER_WANTED_H

#include <stdbool.h>
#include <stddef.h>

enum { SW_WANTED_SIZE = 64 };

struct sw_wanted {
	char text[80];	 /* the name, as it was written, perhaps cut */
	const char *why; /* it is none; NULL */
};

/* The next that is not empty.  False: there is none. */
bool sw_wanted_next(const char **names, struct sw_wanted *wanted);

/* Adds "NAME: why" to a text, with nothing in it that a terminal obeys. */
void sw_wanted_refuse(char *text, size_t size, const char *name,
		      const char *why);

#endif
