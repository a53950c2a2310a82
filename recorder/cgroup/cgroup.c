/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup for the command.  If a step fails, what was done until then is
 * undone and the next backend is used.
 */
#include "recorder/cgroup/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recorder/cgroup/cgroup_control.h"

enum {
	LIST_SIZE = 16384,	/* bytes of cgroup.procs per read */
	DEPTH_MAX = 16,		/* nesting of cgroups made by the command */
	REMOVE_TRIES = 50,	/* 10 ms apart: the kernel may still be busy */
	EVACUATE_TRIES = 20,	/* forks can outrun one pass */
	NAMES_MAX = 10,		/* names tried for our cgroup */
};

/*
 * Use the slice above a login session's scope.  systemd makes that scope and
 * the shell is in it, so no controller can be enabled there.  The slice is
 * usable if it already accounts memory and is writable.  This is the only case
 * of going up.
 */
static void climb_out_of_session(struct sw_cgroup *cgroup)
{
	char *slash = strrchr(cgroup->path, '/'), on[256];
	size_t length = slash ? strlen(slash) : 0;
	int fd;

	if (length < 15 || strncmp(slash, "/session-", 9) ||
	    strcmp(slash + length - 6, ".scope"))
		return;
	fd = openat(cgroup->home_fd, "..",
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (sw_cgroup_read(fd, "cgroup.subtree_control", on, sizeof(on)) < 0 ||
	    !sw_cgroup_has_word(on, "memory") ||
	    faccessat(fd, "cgroup.procs", W_OK, AT_EACCESS) < 0) {
		close(fd);
		return;
	}
	*slash = '\0';
	cgroup->parent_fd = fd;
}

/*
 * Move the recorder to a leaf of its own if it is alone in its cgroup: only the
 * root cgroup may both hold processes and enable controllers.
 */
static void make_room(struct sw_cgroup *cgroup)
{
	int fd = -1;

	snprintf(cgroup->own_name, sizeof(cgroup->own_name),
		 "stepwell-%d-recorder", getpid());
	if (mkdirat(cgroup->parent_fd, cgroup->own_name, 0755) < 0) {
		cgroup->own_name[0] = '\0';
		return;
	}
	fd = openat(cgroup->parent_fd, cgroup->own_name,
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || sw_cgroup_move(fd, getpid()) < 0) {
		unlinkat(cgroup->parent_fd, cgroup->own_name, AT_REMOVEDIR);
		cgroup->own_name[0] = '\0';
	}
	if (fd >= 0)
		close(fd);
}

/*
 * Our pid may be that of a killed recorder whose command is still in the cgroup
 * of that name.
 */
static int make_named(struct sw_cgroup *cgroup)
{
	int i, result;

	snprintf(cgroup->name, sizeof(cgroup->name), "stepwell-%d", getpid());
	result = mkdirat(cgroup->parent_fd, cgroup->name, 0755);
	for (i = 2; i < NAMES_MAX && result < 0 && errno == EEXIST; i++) {
		snprintf(cgroup->name, sizeof(cgroup->name), "stepwell-%d-%d",
			 getpid(), i);
		result = mkdirat(cgroup->parent_fd, cgroup->name, 0755);
	}
	return result;
}

static int make_leaf(struct sw_cgroup *cgroup)
{
	if (make_named(cgroup) < 0) {
		cgroup->name[0] = '\0';
		return sw_error_errno(&cgroup->reason,
				      "%s: no cgroup can be created here",
				      cgroup->path);
	}
	cgroup->fd = openat(cgroup->parent_fd, cgroup->name,
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (cgroup->fd < 0)
		return sw_error_errno(&cgroup->reason, "%s/%s", cgroup->path,
				      cgroup->name);
	sw_cgroup_hold(cgroup->fd);
	return 0;
}

/* Determine the backend: is memory counted in the leaf? */
static void judge(struct sw_cgroup *cgroup, bool is_shared)
{
	char here[256] = "";

	if (faccessat(cgroup->fd, "memory.current", F_OK, 0) == 0) {
		cgroup->backend = "cgroup.v2";
		return;
	}
	cgroup->backend = "cgroup.v2.base";
	sw_cgroup_read(cgroup->parent_fd, "cgroup.controllers", here,
		       sizeof(here));
	if (!sw_cgroup_has_word(here, "memory"))
		sw_error_set(&cgroup->reason,
			     "%s: no memory controller in this cgroup v2",
			     cgroup->path);
	else if (is_shared)
		sw_error_set(&cgroup->reason,
			     "%s: other processes are in this cgroup, so its "
			     "controllers cannot be delegated to the command's",
			     cgroup->path);
	else
		sw_error_set(&cgroup->reason,
			     "%s: the memory controller could not be enabled",
			     cgroup->path);
}

static void move_listed(struct sw_cgroup *cgroup, char *list,
			void (*leftover)(void *context, pid_t pid),
			void *context)
{
	char *save = NULL, *line;

	for (line = strtok_r(list, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		pid_t pid = (pid_t)strtol(line, NULL, 10);

		if (pid > 0 && sw_cgroup_move(cgroup->home_fd, pid) == 0 &&
		    leftover)
			leftover(context, pid);
	}
}

/* Find a cgroup inside dirfd and store its name.  Return false if none. */
static bool find_child(int dirfd, char *name, size_t size)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool is_found = false;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while (!is_found && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    strlen(entry->d_name) >= size)
			continue;
		strcpy(name, entry->d_name);
		is_found = true;
	}
	closedir(dir);
	return is_found;
}

/* Move all processes out and remove the cgroups below. */
static void evacuate(struct sw_cgroup *cgroup, int dirfd, int depth,
		     void (*leftover)(void *context, pid_t pid),
		     void *context)
{
	char list[LIST_SIZE], name[NAME_MAX + 1], *end;
	int i;

	for (i = 0; i < DEPTH_MAX * DEPTH_MAX && depth < DEPTH_MAX &&
		    find_child(dirfd, name, sizeof(name)); i++) {
		int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY |
				O_CLOEXEC | O_NOFOLLOW);

		if (fd < 0)
			break;
		evacuate(cgroup, fd, depth + 1, leftover, context);
		close(fd);
		if (unlinkat(dirfd, name, AT_REMOVEDIR) < 0)
			break;
	}
	for (i = 0; i < EVACUATE_TRIES; i++) {
		if (sw_cgroup_read(dirfd, "cgroup.procs", list,
				   sizeof(list)) <= 0)
			break;
		/* A longer list is truncated: do not move part of a number. */
		end = strrchr(list, '\n');
		if (!end)
			break;
		end[1] = '\0';
		move_listed(cgroup, list, leftover, context);
	}
}

void sw_cgroup_evacuate(struct sw_cgroup *cgroup,
			void (*leftover)(void *context, pid_t pid),
			void *context)
{
	if (cgroup->fd < 0)
		return;
	/*
	 * A cgroup with enabled controllers accepts no processes.  If that is
	 * the command's home, disable them first.
	 */
	if (cgroup->own_name[0])
		sw_cgroup_disable(cgroup);
	evacuate(cgroup, cgroup->fd, 0, leftover, context);
}

/* Leave the recorder's own leaf, after all controllers are disabled. */
static void go_home(struct sw_cgroup *cgroup)
{
	if (!cgroup->own_name[0])
		return;
	if (sw_cgroup_move(cgroup->home_fd, getpid()) == 0 &&
	    unlinkat(cgroup->parent_fd, cgroup->own_name, AT_REMOVEDIR) == 0)
		cgroup->own_name[0] = '\0';
}

static int remove_leaf(struct sw_cgroup *cgroup)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	int i;

	for (i = 0; i < REMOVE_TRIES; i++) {
		if (unlinkat(cgroup->parent_fd, cgroup->name,
			     AT_REMOVEDIR) == 0 || errno == ENOENT) {
			cgroup->name[0] = '\0';
			return 0;
		}
		if (errno != EBUSY)
			break;
		nanosleep(&pause, NULL);
		sw_cgroup_evacuate(cgroup, NULL, NULL);
	}
	return -1;
}

/* Restore the initial state.  home_fd stays open: its limits still apply. */
static int undo(struct sw_cgroup *cgroup, struct sw_error *error)
{
	int result = 0;

	if (cgroup->name[0] && remove_leaf(cgroup) < 0)
		result = sw_error_errno(error, "%s/%s: the cgroup could not be "
					"removed",
					cgroup->path, cgroup->name);
	sw_cgroup_disable(cgroup);
	go_home(cgroup);
	if (cgroup->fd >= 0)
		close(cgroup->fd);
	if (cgroup->parent_fd >= 0 && cgroup->parent_fd != cgroup->home_fd)
		close(cgroup->parent_fd);
	cgroup->fd = cgroup->parent_fd = -1;
	cgroup->backend = "process.tree";
	return result;
}

/* Open the cgroup that the recorder was started in; -1 with the reason. */
static int open_home(struct sw_cgroup *cgroup, int proc_fd,
		     const char *controller)
{
	*cgroup = (struct sw_cgroup){
		.fd = -1, .home_fd = -1, .parent_fd = -1,
		.backend = "process.tree",
	};
	if (sw_cgroup_find(proc_fd, controller, cgroup->path,
			   sizeof(cgroup->path), &cgroup->reason) < 0)
		return -1;
	cgroup->home_fd = open(cgroup->path,
			       O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup->home_fd < 0)
		return sw_error_errno(&cgroup->reason, "%s", cgroup->path);
	cgroup->parent_fd = cgroup->home_fd;
	return 0;
}

void sw_cgroup_create(struct sw_cgroup *cgroup, int proc_fd)
{
	bool is_shared = false;

	if (open_home(cgroup, proc_fd, NULL) < 0)
		return;
	climb_out_of_session(cgroup);
	sw_cgroup_remove_stale(cgroup->parent_fd);
	if (make_leaf(cgroup) < 0) {
		undo(cgroup, NULL);
		return;
	}
	if (cgroup->parent_fd == cgroup->home_fd) {
		if (sw_cgroup_is_true_root(cgroup->home_fd))
			is_shared = false;
		else if (sw_cgroup_is_alone(cgroup->home_fd))
			make_room(cgroup);
		else
			is_shared = true;
		if (!is_shared)
			sw_cgroup_enable(cgroup);
	}
	judge(cgroup, is_shared);
}

/*
 * Return true if limits apply to directories below.  Before Linux 5.11 they
 * need not, and the command would escape them.
 */
static bool is_hierarchical(int dirfd)
{
	char text[8];

	return sw_cgroup_read(dirfd, "memory.use_hierarchy", text,
			      sizeof(text)) < 0 || text[0] == '1';
}

void sw_cgroup_create_v1(struct sw_cgroup *cgroup, int proc_fd)
{
	if (open_home(cgroup, proc_fd, "memory") < 0)
		return;
	if (!is_hierarchical(cgroup->home_fd)) {
		sw_error_set(&cgroup->reason, "%s: its limit has no effect on "
			     "a cgroup below it", cgroup->path);
		return;
	}
	sw_cgroup_remove_stale(cgroup->parent_fd);
	if (make_leaf(cgroup) < 0)
		undo(cgroup, NULL);
	else
		cgroup->backend = "cgroup.v1";
}

int sw_cgroup_enter(struct sw_cgroup *cgroup, pid_t pid)
{
	if (cgroup->fd < 0)
		return -1;
	if (sw_cgroup_move(cgroup->fd, pid) == 0)
		return 0;
	sw_error_errno(&cgroup->reason,
		       "%s/%s: the command could not be moved in",
		       cgroup->path, cgroup->name);
	undo(cgroup, NULL);
	return -1;
}

int sw_cgroup_destroy(struct sw_cgroup *cgroup, struct sw_error *error)
{
	int result = undo(cgroup, error);

	if (cgroup->home_fd >= 0)
		close(cgroup->home_fd);
	cgroup->home_fd = -1;
	return result;
}
