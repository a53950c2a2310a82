/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine and the cgroups above would give to the command. */
#include "recorder/cgroup/available.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/cgroup/cgroup_v1.h"

enum {
	CPUS_MAX = 8192,	/* largest NR_CPUS of the kernel */
	ANCESTORS_MAX = 64,
};

static bool read_text(int dirfd, const char *name, char *buf, size_t size)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length;

	if (fd < 0)
		return false;
	length = read(fd, buf, size - 1);
	close(fd);
	if (length <= 0)
		return false;
	buf[length] = '\0';
	return true;
}

/* Parse "max 100000" or "QUOTA PERIOD", both in microseconds. */
static uint64_t cpu_max(int dirfd)
{
	uint64_t quota, period;
	char text[64];

	if (!read_text(dirfd, "cpu.max", text, sizeof(text)) ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) != 2 ||
	    period == 0 || quota > UINT64_MAX / 1000)
		return SW_MISSING;
	return quota * 1000 / period;
}

static uint64_t memory_max(int dirfd)
{
	uint64_t bytes;
	char text[64];

	if (!read_text(dirfd, "memory.max", text, sizeof(text)) ||
	    sscanf(text, "%" SCNu64, &bytes) != 1)
		return SW_MISSING;
	return bytes;
}

/* Open the parent cgroup and close fd.  Return -1 if there is none. */
static int climb(int fd)
{
	int up = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	close(fd);
	if (up >= 0 && faccessat(up, "cgroup.controllers", F_OK, 0) < 0) {
		close(up);
		return -1;
	}
	return up;
}

int sw_available_open_quota_above(int cgroup_fd)
{
	int fd = openat(cgroup_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int i;

	for (i = 0; i < ANCESTORS_MAX && fd >= 0; i++) {
		fd = climb(fd);
		if (fd >= 0 && !sw_is_missing(cpu_max(fd)))
			return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

void sw_available_in_cgroup(int cgroup_fd, uint64_t *cpus_milli,
			    uint64_t *memory_bytes)
{
	int fd = openat(cgroup_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int i;

	*cpus_milli = *memory_bytes = SW_MISSING;
	if (fd >= 0 && faccessat(fd, "cgroup.controllers", F_OK, 0) < 0) {
		close(fd);
		return;
	}
	for (i = 0; i < ANCESTORS_MAX && fd >= 0; i++) {
		*cpus_milli = sw_min_u64(*cpus_milli, cpu_max(fd));
		*memory_bytes = sw_min_u64(*memory_bytes, memory_max(fd));
		fd = climb(fd);
	}
	if (fd >= 0)
		close(fd);
}

static uint64_t read_u64(int dirfd, const char *name)
{
	uint64_t value;
	char text[64];

	/* "-1" means no quota. */
	return read_text(dirfd, name, text, sizeof(text)) && text[0] != '-' &&
	       sscanf(text, "%" SCNu64, &value) == 1 ? value : SW_MISSING;
}

static uint64_t cpus_v1(int dirfd)
{
	uint64_t quota = read_u64(dirfd, "cpu.cfs_quota_us");
	uint64_t period = read_u64(dirfd, "cpu.cfs_period_us");

	if (sw_is_missing(quota) || sw_is_missing(period) || period == 0 ||
	    quota > UINT64_MAX / 1000)
		return SW_MISSING;
	return quota * 1000 / period;
}

/* Open the parent directory and close fd.  Return -1 at the tree's root. */
static int climb_v1(int fd)
{
	int up = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	close(fd);
	if (up >= 0 && faccessat(up, "cgroup.procs", F_OK, 0) < 0) {
		close(up);
		return -1;
	}
	return up;
}

int sw_available_open_quota_v1(int start_fd)
{
	int fd = start_fd < 0 ? -1 :
		 openat(start_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int i;

	for (i = 0; i < ANCESTORS_MAX && fd >= 0; i++) {
		if (!sw_is_missing(cpus_v1(fd)))
			return fd;
		fd = climb_v1(fd);
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Return the smallest value of the directories from start_fd up. */
static uint64_t smallest_v1(int start_fd, uint64_t (*read_one)(int dirfd))
{
	int fd = start_fd < 0 ? -1 :
		 openat(start_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t smallest = SW_MISSING;
	int i;

	for (i = 0; i < ANCESTORS_MAX && fd >= 0; i++) {
		smallest = sw_min_u64(smallest, read_one(fd));
		fd = climb_v1(fd);
	}
	if (fd >= 0)
		close(fd);
	return smallest;
}

static uint64_t memory_v1(int dirfd)
{
	return sw_v1_limit(read_u64(dirfd, "memory.limit_in_bytes"));
}

void sw_available_in_v1(const struct sw_cgroup_v1 *v1, uint64_t *cpus_milli,
			uint64_t *memory_bytes)
{
	*cpus_milli = smallest_v1(v1->fd[SW_V1_CPU], cpus_v1);
	*memory_bytes = smallest_v1(v1->fd[SW_V1_MEMORY], memory_v1);
}

static uint64_t affinity_cpus(void)
{
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	uint64_t count = SW_MISSING;

	if (!set)
		return SW_MISSING;
	if (sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), set) == 0)
		count = (uint64_t)CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MAX), set);
	CPU_FREE(set);
	return count;
}

static uint64_t total_memory(int proc_fd)
{
	uint64_t kib;
	char text[256], *line;

	if (!read_text(proc_fd, "meminfo", text, sizeof(text)))
		return SW_MISSING;
	line = strstr(text, "MemTotal:");
	if (!line || sscanf(line, "MemTotal: %" SCNu64 " kB", &kib) != 1 ||
	    kib >= SW_MISSING / SW_KIB)
		return SW_MISSING;
	return kib * SW_KIB;
}

void sw_available_read(struct sw_available *available, int proc_fd,
		       int cgroup_fd, const struct sw_cgroup_v1 *v1)
{
	uint64_t cpus = affinity_cpus(), cpus_milli, memory_bytes;
	uint64_t v1_cpus = SW_MISSING, v1_bytes = SW_MISSING;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	available->node_cpus = online > 0 ? (uint64_t)online : SW_MISSING;
	available->node_memory_bytes = total_memory(proc_fd);
	sw_available_in_cgroup(cgroup_fd, &cpus_milli, &memory_bytes);
	if (v1)
		sw_available_in_v1(v1, &v1_cpus, &v1_bytes);
	available->cpus_milli = sw_min_u64(
		sw_is_missing(cpus) ? SW_MISSING : cpus * 1000,
		sw_min_u64(cpus_milli, v1_cpus));
	available->memory_bytes = sw_min_u64(
		available->node_memory_bytes,
		sw_min_u64(memory_bytes, v1_bytes));
}
