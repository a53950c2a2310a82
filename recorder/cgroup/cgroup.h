/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup for the command, below the one the recorder was started in: in v2,
 * or in the tree of v1's memory controller if v2 does not count memory.
 * Without permission there is none, with a reason, and the process tree is used
 * instead.  Never leaves the cgroup assigned by a scheduler.
 */
#ifndef SW_RECORDER_CGROUP_H
#define SW_RECORDER_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"

enum { SW_CGROUP_NAME_SIZE = 48 };

struct sw_cgroup {
	int fd;			/* the command's cgroup, or -1 */
	int home_fd;		/* initial cgroup of the recorder */
	int parent_fd;		/* parent of the command's cgroup */
	char path[PATH_MAX];	/* of parent_fd, for messages */
	char name[SW_CGROUP_NAME_SIZE];	/* the command's cgroup in parent_fd */
	char own_name[SW_CGROUP_NAME_SIZE];	/* the recorder's; "": none */
	unsigned int enabled;	/* controllers enabled here, by bit */
	const char *backend;	/* "cgroup.v2", "cgroup.v2.base",
				 * "cgroup.v1" or "process.tree" */
	struct sw_error reason;	/* why no better backend; "" for the best */
};

/*
 * Write the directory of this process's cgroup to path, in version 2 or, with a
 * controller such as "memory", in that controller's version 1 tree.  It is
 * found from self/cgroup and self/mountinfo below proc_fd, by mount points and
 * namespaces; no name is assumed.  Return 0, or -1 with *error.
 */
int sw_cgroup_find(int proc_fd, const char *controller, char *path,
		   size_t size, struct sw_error *error);

/* Open the root of such a tree.  Return -1 if it is not mounted at its root. */
int sw_cgroup_open_root(int proc_fd, const char *controller);

/*
 * Create the command's cgroup.  May move the recorder itself into a cgroup next
 * to it.  Cannot fail: if nothing could be created, fd is -1 and the backend is
 * "process.tree".
 */
void sw_cgroup_create(struct sw_cgroup *cgroup, int proc_fd);

/*
 * Likewise in the tree of v1's memory controller, if its limits apply to
 * directories below as well.
 */
void sw_cgroup_create_v1(struct sw_cgroup *cgroup, int proc_fd);

/*
 * Move a child process in before it executes anything.  Return 0, or -1 if it
 * could not be moved: the cgroup is then removed, fd is -1 and the backend is
 * set accordingly.
 */
int sw_cgroup_enter(struct sw_cgroup *cgroup, pid_t pid);

/*
 * Move every process still in the command's cgroup back to the recorder's
 * initial cgroup, and call leftover (may be NULL) for each.
 */
void sw_cgroup_evacuate(struct sw_cgroup *cgroup,
			void (*leftover)(void *context, pid_t pid),
			void *context);

/*
 * Remove what was created and disable what was enabled.  Return 0, or -1 with
 * *error if something could not be removed.
 */
int sw_cgroup_destroy(struct sw_cgroup *cgroup, struct sw_error *error);

#endif
