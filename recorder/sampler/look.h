/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the threads of a step wait for at one moment, and who is at the other
 * ends of their pipes.  Nothing of the step is stopped, and no file system is
 * asked.
 */
#ifndef SW_RECORDER_LOOK_H
#define SW_RECORDER_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/processes/tree.h"
#include "recorder/processes/visits.h"
#include "recorder/sources/source.h"

enum { SW_LOOK_WAITS_MAX = 64, SW_LOOK_HOLDERS = 8 };

/* Threads of one process that wait for the same. */
struct sw_look_wait {
	const struct sw_process *process;
	struct sw_wait_thread thread; /* the first of them */
	uint64_t threads;
	bool is_of_user; /* it has the rights of the step's user alone */
	uint64_t runs; /* of the one that ran least since marked */
	enum sw_wait_kind kind;
	struct sw_wait_object object;
	char name[SW_VISIT_PATH_SIZE]; /* of the file, or of the peer */
	uint64_t inode; /* of a pipe; of a socket that of its peer */
	uint64_t is_connecting; /* SW_MISSING: it has no peer */
	pid_t other;	/* 0: not known; of several the last */
	/* All but its own that have that end, parents first; and how many of
	 * these are no children of another one: they inherit what it has. */
	size_t holders;
	pid_t holder[SW_LOOK_HOLDERS];
	uint64_t others;
};

struct sw_look {
	int proc_fd;
	const struct sw_tree *tree;
	size_t processes, waits;
	unsigned sockets; /* that were looked up */
	struct sw_look_wait wait[SW_LOOK_WAITS_MAX];
	struct sw_visit visit[SW_VISITS_MAX];
};

/*
 * At up to 64 processes of the target's tree and 8 threads of each, those that
 * wait for this; SW_WAIT_NONE: for anything.  There is one look at a time.
 */
struct sw_look *sw_look_begin(const struct sw_target *target,
			      enum sw_wait_kind only);

/* Does it wait to write, so that a reader is at the other end? */
bool sw_look_is_writing(const struct sw_look_wait *wait);

/* Find who is at the other end of what has an inode. */
void sw_look_find_ends(struct sw_look *look);

/* The process of that number in its tree; NULL: it is not there. */
const struct sw_process *sw_look_process(const struct sw_look *look, pid_t pid);

#endif
