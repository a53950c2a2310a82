/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the comma-separated names in a setting of a user or a site. */
#ifndef SW_RECORDER_WANTED_H
#define SW_RECORDER_WANTED_H

#include <stdbool.h>
#include <stddef.h>

enum { SW_WANTED_SIZE = 64 };

struct sw_wanted {
	char text[80];	 /* as given, possibly truncated */
	const char *why; /* reason why it is invalid, or NULL */
};

/* Get the next nonempty name.  Return false at the end. */
bool sw_wanted_next(const char **names, struct sw_wanted *wanted);

/* Append "NAME: why" to a text, with terminal escapes removed. */
void sw_wanted_refuse(char *text, size_t size, const char *name,
		      const char *why);

#endif
