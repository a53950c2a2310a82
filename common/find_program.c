/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the file of a command. */
#include "common/find_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *sw_find_program(const char *name, char path[PATH_MAX])
{
	const char *folder = getenv("PATH");
	size_t length;

	if (strchr(name, '/'))
		return name;
	for (; folder && *folder; folder += length + (folder[length] == ':')) {
		length = strcspn(folder, ":");
		snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folder, name);
		if (access(path, X_OK) == 0)
			return path;
	}
	return NULL;
}
