/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories in the trees of cgroup v1. */
#include "recorder/cgroup/cgroup_v1.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/cgroup/cgroup.h"

static const char *const names[SW_V1_CONTROLLERS] = {
	[SW_V1_MEMORY] = "memory",
	[SW_V1_CPUACCT] = "cpuacct",
	[SW_V1_CPU] = "cpu",
};

const char *sw_v1_name(enum sw_v1_controller controller)
{
	return names[controller];
}

bool sw_cgroup_v1_is_any(const struct sw_cgroup_v1 *cgroup)
{
	return cgroup && (cgroup->fd[SW_V1_MEMORY] >= 0 ||
			  cgroup->fd[SW_V1_CPUACCT] >= 0);
}

void sw_cgroup_v1_none(struct sw_cgroup_v1 *cgroup)
{
	size_t i;

	for (i = 0; i < SW_V1_CONTROLLERS; i++)
		cgroup->fd[i] = -1;
}

void sw_cgroup_v1_close(struct sw_cgroup_v1 *cgroup)
{
	size_t i;

	for (i = 0; i < SW_V1_CONTROLLERS; i++) {
		if (cgroup->fd[i] >= 0)
			close(cgroup->fd[i]);
	}
	sw_cgroup_v1_none(cgroup);
}

void sw_cgroup_v1_open_roots(struct sw_cgroup_v1 *roots, int proc_fd)
{
	size_t i;

	for (i = 0; i < SW_V1_CONTROLLERS; i++)
		roots->fd[i] = sw_cgroup_open_root(proc_fd, names[i]);
}

void sw_cgroup_v1_open_own(struct sw_cgroup_v1 *own, int proc_fd)
{
	struct sw_error error;
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < SW_V1_CONTROLLERS; i++) {
		own->fd[i] = -1;
		if (sw_cgroup_find(proc_fd, names[i], path, sizeof(path),
				   &error) == 0)
			own->fd[i] = open(path, O_RDONLY | O_DIRECTORY |
					  O_CLOEXEC);
	}
}

/* The largest number of pages that a long can hold, for the largest pages. */
#define LIMIT_NONE ((uint64_t)INT64_MAX - 0xffff)

uint64_t sw_v1_limit(uint64_t bytes)
{
	return bytes >= LIMIT_NONE ? SW_MISSING : bytes;
}
