/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cgroup of this process in the file system, in the version 2 tree or
 * in that of one version 1 controller.  Fails if it is not mounted or if the
 * mount does not show our cgroup.
 */
#include "recorder/cgroup/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/protocol.h"

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

static int own_path(int proc_fd, const char *controller, char *own,
		    size_t size)
{
	FILE *file = open_text(proc_fd, "self/cgroup");
	char *line = NULL;
	size_t room = 0;
	const char *path;
	ssize_t length;
	int result = -1;

	if (!file)
		return -1;
	errno = ENOENT;
	while (result < 0 && (length = getline(&line, &room, file)) > 0) {
		if (line[length - 1] == '\n')
			line[--length] = '\0';
		path = sw_cgroup_path(line, controller);
		if (!path)
			continue;
		if (strlen(path) >= size)
			break;
		strcpy(own, path);
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

/* "TYPE SOURCE OPTIONS": the options of version 1 name the controllers. */
static bool is_mount_of(const char *type, const char *controller)
{
	const char *options;

	if (!controller)
		return strncmp(type, "cgroup2 ", 8) == 0;
	if (strncmp(type, "cgroup ", 7) != 0)
		return false;
	options = strchr(type + 7, ' ');
	return options && sw_cgroup_has_controller(options + 1, controller);
}

/*
 * Extract in place the root and the mount point from "ID PARENT DEV ROOT
 * MOUNTPOINT OPTIONS... - TYPE SOURCE OPTIONS" (proc_pid_mountinfo(5)).
 */
static int cgroup_mount(char *line, const char *controller, char **root,
			char **point)
{
	char *type = strstr(line, " - "), *save = NULL;
	int i;

	if (!type || !is_mount_of(type + 3, controller))
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

/* Return the part of path below root, or NULL if it is not inside. */
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

int sw_cgroup_find(int proc_fd, const char *controller, char *path,
		   size_t size, struct sw_error *error)
{
	const char *what = controller ? controller : "cgroup v2", *rest;
	char own[PATH_MAX], *line = NULL, *root, *point;
	size_t room = 0;
	int result = -1;
	FILE *file;

	if (own_path(proc_fd, controller, own, sizeof(own)) < 0)
		return sw_error_errno(error, "/proc/self/cgroup: no line of "
				      "%s", what);
	if (strstr(own, "/..") || strstr(own, " (deleted)"))
		return sw_error_set(error, "the recorder's own cgroup %s is "
				    "outside the visible hierarchy", own);
	file = open_text(proc_fd, "self/mountinfo");
	if (!file)
		return sw_error_errno(error, "/proc/self/mountinfo");
	while (result < 0 && getline(&line, &room, file) > 0) {
		if (cgroup_mount(line, controller, &root, &point) < 0)
			continue;
		rest = below(own, root);
		if (rest)
			result = join(path, size, point, rest);
	}
	free(line);
	fclose(file);
	if (result < 0)
		sw_error_set(error, "no file system of %s is mounted that "
			     "shows the recorder's own cgroup %s", what, own);
	return result;
}

int sw_cgroup_open_root(int proc_fd, const char *controller)
{
	FILE *file = open_text(proc_fd, "self/mountinfo");
	char *line = NULL, *root, *point;
	size_t room = 0;
	int fd = -1;

	while (file && fd < 0 && getline(&line, &room, file) > 0) {
		if (cgroup_mount(line, controller, &root, &point) == 0 &&
		    !strcmp(root, "/"))
			fd = open(point, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	free(line);
	if (file)
		fclose(file);
	return fd;
}
