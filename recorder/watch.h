/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory.events of a cgroup, seen when it changes: an OOM kill or a limit
 * that was hit becomes an event with its time, not with the next sample's.
 */
#ifndef SW_RECORDER_WATCH_H
#define SW_RECORDER_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/events.h"
#include "recorder/kernfile.h"
#include "recorder/tree.h"

enum { SW_WATCH_KINDS = 3 };

struct sw_watch {
	struct sw_kernfile file;	/* POLLPRI when it changed */
	const char *detail;	/* of each event; NULL: none */
	uint64_t first[SW_WATCH_KINDS];
	uint64_t seen[SW_WATCH_KINDS];
	uint64_t written_usec[SW_WATCH_KINDS];
};

/*
 * Watch the cgroup that the command's memory is charged to: its own (own_fd),
 * or where that has no memory controller, or is -1, the nearest above home_fd
 * that has one.  That is shared with others, and each event says so.  Where
 * there is none file.fd is -1.
 */
void sw_watch_open(struct sw_watch *watch, int own_fd, int home_fd);

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
