/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profiles that the other nodes of a job deliver to its user, for the
 * report at its end.  They are the user's, and are opened by a process that
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
	uint32_t count;		/* of the job, this one included */
	uint32_t components; /* of a heterogeneous job, from this one on, with
			      * ids in a row; else 1 */
};

/*
 * Wait until all other nodes have delivered, for msec at most, and open their
 * profiles; the descriptors are kept on exec.  Their number.
 */
size_t sw_report_nodes_await(const struct sw_report_nodes *nodes, uid_t uid,
			     unsigned msec, int fds[SW_REPORT_NODES_MAX]);

#endif
