/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/path.h"

#include <errno.h>
#include <string.h>

const char *sw_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int sw_path_folder(const char *path, char *folder, size_t size)
{
	size_t length = (size_t)(sw_path_name(path) - path);

	if (length == 0) {
		path = ".";
		length = 1;
	} else if (length > 1) {
		length--;
	}
	if (length >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(folder, path, length);
	folder[length] = '\0';
	return 0;
}
