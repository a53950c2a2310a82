/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the profiles that a job's other nodes deliver to its user, for the
 * report at its end.  They belong to the user, and are opened by a process that
 * has become the user.
 */
#ifndef SW_RECORDER_REPORT_NODES_H
#define SW_RECORDER_REPORT_NODES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SW_REPORT_NODES_MAX = 64 };

struct sw_report_nodes {
	const char *profile_dir;
	const char *own_name;	/* CLUSTER.JOB.START.NODE.stepwell */
	uint32_t count;		/* of the job, including this one */
	/*
	 * Components of a heterogeneous job, from this one on, with consecutive
	 * ids; otherwise 1
	 */
	uint32_t components;
};

/*
 * Wait until all other nodes have delivered, at most msec, and open their
 * profiles without close-on-exec.  Return their number.
 */
size_t sw_report_nodes_await(const struct sw_report_nodes *nodes, uid_t uid,
			     unsigned msec, int fds[SW_REPORT_NODES_MAX]);

#endif
