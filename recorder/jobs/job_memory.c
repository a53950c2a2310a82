/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine the memory of the node's recorder and the part that jobs may
 * use. */
#include "recorder/jobs/job_memory.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/cgroup/cgroup.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/cgroup/available.h"

/* Limit of the recorder's units and its own cgroup: see node_start.c. */
#define USUAL_LIMIT_BYTES (512 * SW_MIB)

static int open_own_v2(int proc_fd)
{
	struct sw_error error;
	char path[PATH_MAX];

	if (sw_cgroup_find(proc_fd, NULL, path, sizeof(path), &error) < 0)
		return -1;
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static uint64_t own_limit_bytes(int proc_fd)
{
	int fd = open_own_v2(proc_fd);
	uint64_t cpus, v2_bytes, v1_bytes;
	struct sw_cgroup_v1 v1;

	sw_available_in_cgroup(fd, &cpus, &v2_bytes);
	sw_cgroup_v1_open_own(&v1, proc_fd);
	sw_available_in_v1(&v1, &cpus, &v1_bytes);
	sw_cgroup_v1_close(&v1);
	if (fd >= 0)
		close(fd);
	return sw_min_u64(USUAL_LIMIT_BYTES, sw_min_u64(v2_bytes, v1_bytes));
}

void sw_node_memory_open(struct sw_share_pool *pool, int proc_fd)
{
	*pool = (struct sw_share_pool){
		.capacity = own_limit_bytes(proc_fd) / 2 };
}
