/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding this process's own cgroup v2 in the file system.  Gives up where no
 * cgroup v2 is mounted or where the mount does not show our cgroup.
 */
#include "recorder/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_text(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	FILE *file;

	if (fd < 0)
		return NULL;
	file = fdopen(fd, "r");
	if (!file)
		close(fd);
	return file;
}

/* The path behind "0::" of self/cgroup: relative to the cgroup namespace. */
static int own_path(int proc_fd, char *own, size_t size)
{
	FILE *file = open_text(proc_fd, "self/cgroup");
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int result = -1;

	if (!file)
		return -1;
	errno = ENOENT;
	while (result < 0 && (length = getline(&line, &room, file)) > 0) {
		if (line[length - 1] == '\n')
			line[--length] = '\0';
		if (strncmp(line, "0::/", 4))
			continue;
		if ((size_t)length - 3 >= size)
			break;
		memcpy(own, line + 3, (size_t)length - 2);
		result = 0;
	}
	free(line);
	fclose(file);
	return result;
}

/* Undo mountinfo's "\040" for the characters that separate its fields. */
static void unescape(char *text)
{
	char *out = text;

	while (*text) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' &&
		    text[3] >= '0' && text[3] <= '7') {
			*out++ = (char)((text[1] - '0') << 6 |
					(text[2] - '0') << 3 |
					(text[3] - '0'));
			text += 4;
		} else {
			*out++ = *text++;
		}
	}
	*out = '\0';
}

/*
 * Of "ID PARENT DEV ROOT MOUNTPOINT OPTIONS... - TYPE SOURCE OPTIONS"
 * (proc_pid_mountinfo(5)) the root and the mount point, in place.
 */
static int cgroup2_mount(char *line, char **root, char **point)
{
	char *type = strstr(line, " - "), *save = NULL;
	int i;

	if (!type || strncmp(type, " - cgroup2 ", 11))
		return -1;
	strtok_r(line, " ", &save);
	for (i = 0; i < 2; i++)
		strtok_r(NULL, " ", &save);
	*root = strtok_r(NULL, " ", &save);
	*point = strtok_r(NULL, " ", &save);
	if (!*root || !*point)
		return -1;
	unescape(*root);
	unescape(*point);
	return 0;
}

/* What of path lies below root; NULL where path is not inside of it. */
static const char *below(const char *path, const char *root)
{
	size_t length = strlen(root);

	if (!strcmp(root, "/"))
		return path;
	if (strncmp(path, root, length) ||
	    (path[length] != '/' && path[length] != '\0'))
		return NULL;
	return path + length;
}

static int join(char *path, size_t size, const char *point, const char *rest)
{
	int length;

	if (!strcmp(rest, "/"))
		rest = "";
	length = snprintf(path, size, "%s%s", point, rest);
	return length > 0 && (size_t)length < size ? 0 : -1;
}

int sw_cgroup_find(int proc_fd, char *path, size_t size,
		   struct sw_error *error)
{
	char own[PATH_MAX], *line = NULL, *root, *point;
	size_t room = 0;
	const char *rest;
	int result = -1;
	FILE *file;

	if (own_path(proc_fd, own, sizeof(own)) < 0)
		return sw_error_errno(error, "/proc/self/cgroup: no line of "
				      "cgroup v2");
	if (strstr(own, "/..") || strstr(own, " (deleted)"))
		return sw_error_set(error, "own cgroup %s is outside of what "
				    "can be seen", own);
	file = open_text(proc_fd, "self/mountinfo");
	if (!file)
		return sw_error_errno(error, "/proc/self/mountinfo");
	while (result < 0 && getline(&line, &room, file) > 0) {
		if (cgroup2_mount(line, &root, &point) < 0)
			continue;
		rest = below(own, root);
		if (rest)
			result = join(path, size, point, rest);
	}
	free(line);
	fclose(file);
	if (result < 0)
		sw_error_set(error, "no cgroup v2 file system is mounted that "
			     "shows the own cgroup %s", own);
	return result;
}
