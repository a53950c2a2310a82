/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup of the command's own, below the one the recorder was started in: of
 * v2, and where that does not count memory one in the tree of v1's memory
 * controller.  Gives up, with the reason, where there are no rights: the
 * process tree is followed then.  Never climbs out of the cgroup that a
 * scheduler gave.
 */
#ifndef SW_RECORDER_CGROUP_H
#define SW_RECORDER_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"

enum { SW_CGROUP_NAME_SIZE = 48 };

struct sw_cgroup {
	int fd;			/* the command's cgroup; -1: there is none */
	int home_fd;		/* where the recorder was started */
	int parent_fd;		/* what the command's cgroup is made in */
	char path[PATH_MAX];	/* of parent_fd, for messages */
	char name[SW_CGROUP_NAME_SIZE];	/* the command's cgroup in parent_fd */
	char own_name[SW_CGROUP_NAME_SIZE];	/* the recorder's; "": none */
	unsigned int enabled;	/* controllers switched on here, by bit */
	const char *backend;	/* "cgroup.v2", "cgroup.v2.base",
				 * "cgroup.v1" or "process.tree" */
	struct sw_error reason;	/* why no higher backend; "" on the highest */
};

/*
 * Write the folder of this process's own cgroup to path, of version 2 or, with
 * a controller such as "memory", in that controller's tree of version 1: from
 * self/cgroup and self/mountinfo below proc_fd, mount points and namespaces
 * decide, no name is assumed.  Returns 0, or -1 with *error.
 */
int sw_cgroup_find(int proc_fd, const char *controller, char *path,
		   size_t size, struct sw_error *error);

/* The root of such a tree, open; -1 where it is not mounted from there on. */
int sw_cgroup_open_root(int proc_fd, const char *controller);

/*
 * Make the command's cgroup; the recorder itself may be moved into a cgroup
 * beside it.  Cannot fail: where nothing could be made, fd is -1 and the
 * backend is "process.tree".
 */
void sw_cgroup_create(struct sw_cgroup *cgroup, int proc_fd);

/*
 * Likewise in the tree of v1's memory controller, where its limits hold for
 * folders below as well.
 */
void sw_cgroup_create_v1(struct sw_cgroup *cgroup, int proc_fd);

/*
 * Move a process of ours in, before it executes anything.  Returns 0, or -1
 * when it stays where it is: the cgroup is then removed, fd is -1 and the
 * backend says so.
 */
int sw_cgroup_enter(struct sw_cgroup *cgroup, pid_t pid);

/*
 * Move every process that is still in the command's cgroup back to where the
 * recorder was started; leftover (which may be NULL) is called for each.
 */
void sw_cgroup_evacuate(struct sw_cgroup *cgroup,
			void (*leftover)(void *context, pid_t pid),
			void *context);

/*
 * Remove what was made and undo what was switched on.  Returns 0, or -1 with
 * *error when something had to stay.
 */
int sw_cgroup_destroy(struct sw_cgroup *cgroup, struct sw_error *error);

#endif
