/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory.events of a cgroup, read when it changes: an OOM kill or a limit
 * that was hit becomes an event with its own time, not that of the next sample.
 * Cgroup v1 notifies only processes that can write to its directories, so it is
 * read with each sample.
 */
#ifndef SW_RECORDER_WATCH_H
#define SW_RECORDER_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/processes/tree.h"
#include "recorder/sources/source.h"
#include "recorder/tables/events.h"

enum { SW_WATCH_KINDS = 3 };

struct sw_watch {
	struct sw_kernfile file;	/* POLLPRI when it changes */
	int v1_fd;		/* v1 directory to read, or -1 */
	/* Their directories are below v1_fd */
	const struct sw_target_task *tasks;
	size_t task_count;
	const char *detail;	/* of each event; NULL: none */
	uint64_t first[SW_WATCH_KINDS];
	uint64_t seen[SW_WATCH_KINDS];
	uint64_t written_usec[SW_WATCH_KINDS];
};

/* Initialize without a watch. */
void sw_watch_none(struct sw_watch *watch);

/*
 * Watch the cgroup that the command's memory is charged to: the target's own,
 * v2 or v1.  If neither has a memory controller, use the nearest v2 cgroup
 * above home_fd that has one, else the directory of shared.  Such a cgroup is
 * shared with others, and each event says so.  home_fd may be -1, shared NULL.
 * v1 directories belong to the caller and must stay open.
 */
void sw_watch_open(struct sw_watch *watch, const struct sw_target *target,
		   int home_fd, const struct sw_cgroup_v1 *shared);

/* Return true if it must be read with each sample for lack of notification. */
bool sw_watch_is_asked(const struct sw_watch *watch);

/*
 * Write events for the values that have increased.  Return true if a process
 * was killed or a limit was hit for the first time, which is worth an extra
 * sample.  The kernel does not report which process it killed: if tree is not
 * NULL, refresh it and name the largest process of the command that has just
 * died.
 */
bool sw_watch_check(struct sw_watch *watch, struct sw_tree *tree,
		    struct sw_events *events);

void sw_watch_close(struct sw_watch *watch);

#endif
