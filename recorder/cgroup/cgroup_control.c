/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of a cgroup directory.  Each write may be refused, and the
 * caller continues without it.
 */
#include "recorder/cgroup/cgroup_control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Controllers with counters; enabled one by one, each may be refused. */
static const char *const controllers[] = { "memory", "cpu", "io", "pids" };

enum { CONTROLLER_COUNT = sizeof(controllers) / sizeof(controllers[0]) };

static int write_text(int dirfd, const char *name, const char *text)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t written;
	int saved;

	if (fd < 0)
		return -1;
	written = write(fd, text, strlen(text));
	saved = errno;
	close(fd);
	errno = saved;
	return written < 0 ? -1 : 0;
}

ssize_t sw_cgroup_read(int dirfd, const char *name, char *buf, size_t size)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length;
	size_t used = 0;

	if (fd < 0)
		return -1;
	while (used < size - 1 &&
	       (length = read(fd, buf + used, size - 1 - used)) > 0)
		used += (size_t)length;
	close(fd);
	buf[used] = '\0';
	return (ssize_t)used;
}

bool sw_cgroup_has_word(const char *list, const char *word)
{
	size_t length = strlen(word);
	const char *p = list;

	while ((p = strstr(p, word))) {
		if ((p == list || p[-1] == ' ') &&
		    (p[length] == ' ' || p[length] == '\n' ||
		     p[length] == '\0'))
			return true;
		p += length;
	}
	return false;
}

int sw_cgroup_move(int dirfd, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return write_text(dirfd, "cgroup.procs", text);
}

bool sw_cgroup_is_alone(int dirfd)
{
	char list[64], own[16];

	if (sw_cgroup_read(dirfd, "cgroup.procs", list, sizeof(list)) <= 0)
		return false;
	snprintf(own, sizeof(own), "%d\n", getpid());
	return !strcmp(list, own);
}

/* The root has no cgroup.events, unlike the root of a namespace. */
bool sw_cgroup_is_true_root(int dirfd)
{
	return faccessat(dirfd, "cgroup.events", F_OK, 0) < 0 &&
	       errno == ENOENT;
}

static void switch_controller(int dirfd, size_t i, char sign,
			      unsigned int *enabled)
{
	char text[16];

	snprintf(text, sizeof(text), "%c%s", sign, controllers[i]);
	if (write_text(dirfd, "cgroup.subtree_control", text) < 0)
		return;
	if (sign == '+')
		*enabled |= 1u << i;
	else
		*enabled &= ~(1u << i);
}

/* Enable those available but disabled, and record what to undo. */
void sw_cgroup_enable(struct sw_cgroup *cgroup)
{
	char here[256] = "", on[256] = "";
	size_t i;

	sw_cgroup_read(cgroup->parent_fd, "cgroup.controllers", here,
		       sizeof(here));
	sw_cgroup_read(cgroup->parent_fd, "cgroup.subtree_control", on,
		       sizeof(on));
	for (i = 0; i < CONTROLLER_COUNT; i++) {
		if (sw_cgroup_has_word(here, controllers[i]) &&
		    !sw_cgroup_has_word(on, controllers[i]))
			switch_controller(cgroup->parent_fd, i, '+',
					  &cgroup->enabled);
	}
}

/* Return true if another recording uses controllers enabled by this one. */
static bool has_sibling(const struct sw_cgroup *cgroup)
{
	int fd = openat(cgroup->parent_fd, ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool result = false;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while (!result && (entry = readdir(dir)))
		result = entry->d_type == DT_DIR &&
			 !strncmp(entry->d_name, "stepwell-", 9) &&
			 strcmp(entry->d_name, cgroup->name) &&
			 strcmp(entry->d_name, cgroup->own_name);
	closedir(dir);
	return result;
}

void sw_cgroup_disable(struct sw_cgroup *cgroup)
{
	size_t i;

	if (!cgroup->enabled || has_sibling(cgroup))
		return;
	for (i = 0; i < CONTROLLER_COUNT; i++) {
		if (cgroup->enabled & 1u << i)
			switch_controller(cgroup->parent_fd, i, '-',
					  &cgroup->enabled);
	}
}
