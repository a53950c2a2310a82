/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits of a step's threads at one moment, and the processes at the other
 * ends of their pipes.  The step is not stopped, and no file system is
 * accessed.
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

/* Threads of one process that wait for the same object. */
struct sw_look_wait {
	const struct sw_process *process;
	struct sw_wait_thread thread; /* the first of them */
	uint64_t threads;
	bool is_of_user; /* has only the credentials of the step's user */
	uint64_t runs; /* minimum among the threads since the mark */
	enum sw_wait_kind kind;
	struct sw_wait_object object;
	char name[SW_VISIT_PATH_SIZE]; /* of the file, or of the peer */
	uint64_t inode; /* of a pipe, or of the peer of a socket */
	uint64_t is_connecting; /* SW_MISSING: it has no peer */
	pid_t other;	/* 0: not known; the last one if several */
	/*
	 * Other processes with that end, parents first, and the number without
	 * children of another one, since children inherit descriptors.
	 */
	size_t holders;
	pid_t holder[SW_LOOK_HOLDERS];
	uint64_t others;
};

struct sw_look {
	int proc_fd;
	const struct sw_tree *tree;
	size_t processes, waits;
	unsigned sockets; /* number looked up */
	struct sw_look_wait wait[SW_LOOK_WAITS_MAX];
	struct sw_visit visit[SW_VISITS_MAX];
};

/*
 * Find the threads that wait for only (SW_WAIT_NONE: for anything), in up to 64
 * processes of the target's tree and 8 threads of each.  The result is
 * overwritten by the next call.
 */
struct sw_look *sw_look_begin(const struct sw_target *target,
			      enum sw_wait_kind only);

/* Return true if it waits to write, so that the other end is a reader. */
bool sw_look_is_writing(const struct sw_look_wait *wait);

/* Find the process at the other end of each wait with an inode. */
void sw_look_find_ends(struct sw_look *look);

/* Return the process with that pid in the tree, or NULL. */
const struct sw_process *sw_look_process(const struct sw_look *look, pid_t pid);

#endif
