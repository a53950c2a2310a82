/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node's topology once per boot: from the cache of an earlier recorder,
 * else by hwloc in a short child, else from /sys.  The cache is a text and,
 * beside it, hwloc's XML; a text that was not written by this user or root, or
 * for another boot or other CPUs, is not read.
 */
#ifndef SW_RECORDER_TOPOLOGY_LOAD_H
#define SW_RECORDER_TOPOLOGY_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "profiles/writer.h"
#include "recorder/topology/topology.h"

enum { SW_TOPOLOGY_PATH_SIZE = 1024, SW_TOPOLOGY_TRIES_MAX = 3 };

struct sw_topology_load {
	int proc_fd, sys_fd;
	char cache[SW_TOPOLOGY_PATH_SIZE];	/* the folder; "": none */
	int cache_fd;		/* -1: not open */
	char key[SW_TOPOLOGY_KEY_SIZE];	/* "": it cannot be told apart */
	pid_t pid;		/* of the child; 0: none runs */
	int text_fd;		/* what it writes */
	uint64_t deadline_usec;
	unsigned tries;
	pid_t child[SW_TOPOLOGY_TRIES_MAX];	/* of each try */
	bool is_known;
	struct sw_topology topology;
};

/*
 * Begin: proc_fd and sys_fd stay the caller's, the folder cache (NULL: none)
 * is made.  Never waits: where the folder may be on a file system that hangs,
 * is_local is false, and only the child looks there.
 */
void sw_topology_begin(struct sw_topology_load *load, int proc_fd, int sys_fd,
		       const char *cache, bool is_local);

/* Where other CPUs are online than at the beginning, begin again. */
void sw_topology_refresh(struct sw_topology_load *load);

/* Is it known by now?  Never waits. */
bool sw_topology_poll(struct sw_topology_load *load);

/*
 * What is known, by /sys where the child has not answered until wait_usec from
 * now.
 */
const struct sw_topology *sw_topology_finish(struct sw_topology_load *load,
					     uint64_t wait_usec);

/* Kill the child, if it runs, and wait for those that have ended. */
void sw_topology_end(struct sw_topology_load *load);

/* Begin with the cache of this user. */
void sw_topology_begin_own(struct sw_topology_load *load, int proc_fd,
			   int sys_fd);

/*
 * The tables "topology", "topology.node" and "topology.devices"; nothing
 * where nothing is known.
 */
void sw_topology_write(const struct sw_topology *topology,
		       struct sw_writer *writer);

/* Write it as soon as it is known, if *is_written does not say that it is. */
void sw_topology_offer(struct sw_topology_load *load, bool *is_written,
		       struct sw_writer *writer);

#endif
