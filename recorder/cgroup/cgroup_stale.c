/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes cgroups left by killed recorders.  Keeps a cgroup that still holds a
 * process: the command may still be running in it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "recorder/cgroup/cgroup_control.h"

enum { DEPTH_MAX = 16 };

static void remove_empty(int parent_fd, const char *name, int depth);

static DIR *open_folder(int parent_fd, const char *name)
{
	int fd = openat(parent_fd, name,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* Remove the cgroups that a command created in its own. */
static void remove_inside(int parent_fd, const char *name, int depth)
{
	DIR *dir = open_folder(parent_fd, name);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			remove_empty(dirfd(dir), entry->d_name, depth + 1);
	if (dir)
		closedir(dir);
}

static void remove_empty(int parent_fd, const char *name, int depth)
{
	if (unlinkat(parent_fd, name, AT_REMOVEDIR) == 0 || errno != EBUSY ||
	    depth == DEPTH_MAX)
		return;
	remove_inside(parent_fd, name, depth);
	unlinkat(parent_fd, name, AT_REMOVEDIR);
}

/*
 * Return true if its recorder is alive and holds the lock (sw_cgroup_hold()):
 * the pid says nothing in another pid namespace sharing the tree.
 */
static bool is_held(int parent_fd, const char *name)
{
	DIR *dir = open_folder(parent_fd, name);
	bool is_held = dir && flock(dirfd(dir), LOCK_EX | LOCK_NB) < 0 &&
		       errno == EWOULDBLOCK;

	if (dir)
		closedir(dir);
	return is_held;
}

/* Return true if its recorder has exited, or had the pid that is ours now. */
static bool is_stale(int parent_fd, const char *name)
{
	int pid;

	return sscanf(name, "stepwell-%d", &pid) == 1 && pid > 0 &&
	       (pid == getpid() || (kill(pid, 0) < 0 && errno == ESRCH)) &&
	       !is_held(parent_fd, name);
}

void sw_cgroup_hold(int fd)
{
	(void)flock(fd, LOCK_SH | LOCK_NB);
}

void sw_cgroup_remove_stale(int parent_fd)
{
	DIR *dir = open_folder(parent_fd, ".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && is_stale(parent_fd, entry->d_name))
			remove_empty(parent_fd, entry->d_name, 0);
	if (dir)
		closedir(dir);
}
