/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse names in a setting. */
#include "recorder/sources/pmu/wanted.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/escape.h"
#include "common/text.h"

/* Return why a name is invalid (profiles separate names by blanks), or NULL. */
static const char *no_name(const char *name, size_t length)
{
	size_t i;

	if (length >= SW_WANTED_SIZE)
		return "it is too long for a name";
	for (i = 0; i < length; i++) {
		if (!isgraph((unsigned char)name[i]))
			return "no counter has a name with such characters";
	}
	return NULL;
}

static size_t trim(const char **name, size_t length)
{
	while (length && isspace((unsigned char)**name)) {
		++*name;
		length--;
	}
	while (length && isspace((unsigned char)(*name)[length - 1]))
		length--;
	return length;
}

bool sw_wanted_next(const char **names, struct sw_wanted *wanted)
{
	while (*names && **names) {
		const char *name = *names;
		size_t length = strcspn(name, ",");

		*names += length + (name[length] == ',');
		length = trim(&name, length);
		if (!length)
			continue;
		wanted->why = no_name(name, length);
		snprintf(wanted->text, sizeof(wanted->text), "%.*s",
			 (int)length, name);
		return true;
	}
	return false;
}

void sw_wanted_refuse(char *text, size_t size, const char *name,
		      const char *why)
{
	char quoted[80];

	sw_escape_terminal(quoted, sizeof(quoted), name);
	sw_text_add(text, size, "%s%s: %s", text[0] ? "; " : "", quoted, why);
}
