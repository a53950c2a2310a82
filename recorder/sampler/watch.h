/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory.events of a cgroup, seen when it changes: an OOM kill or a limit
 * that was hit becomes an event with its time, not with the next sample's.
 * Cgroup v1 says nothing of its own to who does not write into its folders, so
 * that it is asked with each sample.
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
	struct sw_kernfile file;	/* POLLPRI when it changed */
	int v1_fd;		/* the folder of v1 that is asked; -1: none */
	const struct sw_target_task *tasks;	/* with folders below that */
	size_t task_count;
	const char *detail;	/* of each event; NULL: none */
	uint64_t first[SW_WATCH_KINDS];
	uint64_t seen[SW_WATCH_KINDS];
	uint64_t written_usec[SW_WATCH_KINDS];
};

/* Nothing to watch. */
void sw_watch_none(struct sw_watch *watch);

/*
 * Watch the cgroup that the command's memory is charged to: the target's own,
 * of v2 or of v1, or where none has a memory controller, the nearest of v2
 * above home_fd that has one, else the folder of shared.  That is shared with
 * others, and each event says so.  home_fd may be -1, shared NULL.  Folders of
 * v1 are the caller's, and are to stay open.
 */
void sw_watch_open(struct sw_watch *watch, const struct sw_target *target,
		   int home_fd, const struct sw_cgroup_v1 *shared);

/* Is it to be looked at with each sample, as nothing else tells? */
bool sw_watch_is_asked(const struct sw_watch *watch);

/*
 * Look, and write events for what has grown.  True when a process was killed
 * or a limit was hit for the first time: worth a sample of its own.  The kernel
 * does not say whom it killed: where tree is not NULL, it is refreshed, and the
 * largest process of the command that has just died is named.
 */
bool sw_watch_check(struct sw_watch *watch, struct sw_tree *tree,
		    struct sw_events *events);

void sw_watch_close(struct sw_watch *watch);

#endif
