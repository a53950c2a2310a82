/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node's topology once per boot: from the cache of an earlier recorder,
 * else from hwloc in a short-lived child, else from /sys.  The cache is a text
 * file next to hwloc's XML.  A text not written by this user or root, or for
 * another boot or other CPUs, is ignored.
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
	char cache[SW_TOPOLOGY_PATH_SIZE];	/* the directory; "": none */
	int cache_fd;		/* -1: not open */
	char key[SW_TOPOLOGY_KEY_SIZE];	/* "": not known */
	pid_t pid;		/* of the child; 0: none is running */
	int text_fd;		/* output of the child */
	uint64_t deadline_usec;
	unsigned tries;
	pid_t child[SW_TOPOLOGY_TRIES_MAX];	/* of each try */
	bool is_known;
	struct sw_topology topology;
};

/*
 * Begin.  proc_fd and sys_fd remain the caller's; the directory cache (NULL:
 * none) is created.  Never blocks: if the directory may be on a file system
 * that hangs, is_local is false, and only the child accesses it.
 */
void sw_topology_begin(struct sw_topology_load *load, int proc_fd, int sys_fd,
		       const char *cache, bool is_local);

/* Begin again if other CPUs are online than at the beginning. */
void sw_topology_refresh(struct sw_topology_load *load);

/* Return true if it is known by now.  Never blocks. */
bool sw_topology_poll(struct sw_topology_load *load);

/*
 * Return what is known, from /sys if the child has not finished within
 * wait_usec.
 */
const struct sw_topology *sw_topology_finish(struct sw_topology_load *load,
					     uint64_t wait_usec);

/* Kill the child if it is running, and reap all children. */
void sw_topology_end(struct sw_topology_load *load);

/* Begin with the cache of this user. */
void sw_topology_begin_own(struct sw_topology_load *load, int proc_fd,
			   int sys_fd);

/*
 * Write the tables "topology", "topology.node" and "topology.devices"; nothing
 * if the topology is not known.
 */
void sw_topology_write(const struct sw_topology *topology,
		       struct sw_writer *writer);

/* Write it as soon as it is known, once; *is_written keeps track of that. */
void sw_topology_offer(struct sw_topology_load *load, bool *is_written,
		       struct sw_writer *writer);

#endif
