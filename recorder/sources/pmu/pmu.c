/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of kernel performance counters. */
#include "recorder/sources/pmu/pmu.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/delta.h"

/* Result of reading a group, in the kernel's order */
struct reading {
	uint64_t count;
	uint64_t enabled_nsec, running_nsec;
	uint64_t value[SW_PMU_GROUP_MAX];
};

static int kernel_open(struct perf_event_attr *attr, pid_t pid, int cpu,
		       int group_fd)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
			    PERF_FLAG_FD_CLOEXEC);
}

static ssize_t kernel_read(int fd, void *bytes, size_t size)
{
	return read(fd, bytes, size);
}

static void kernel_close(int fd)
{
	close(fd);
}

static const struct sw_pmu_calls kernel_calls = {
	.open = kernel_open, .read = kernel_read, .close = kernel_close,
};

static const struct sw_pmu_calls *calls = &kernel_calls;

void sw_pmu_use(const struct sw_pmu_calls *other)
{
	calls = other ? other : &kernel_calls;
}

void sw_pmu_keep(void)
{
	static const uint64_t kept[] = {
		PERF_COUNT_SW_DUMMY, PERF_COUNT_SW_PAGE_FAULTS,
		PERF_COUNT_SW_PAGE_FAULTS_MAJ, PERF_COUNT_SW_CONTEXT_SWITCHES,
		PERF_COUNT_SW_CPU_MIGRATIONS,
	};
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	size_t i;

	/* If one fails, so will the others. */
	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		attr.config = kept[i];
		kernel_open(&attr, 0, -1, -1);
	}
}

static int add(struct sw_pmu_group *group, struct perf_event_attr *attr,
	       pid_t pid, int cpu)
{
	int fd;

	if (group->count == SW_PMU_GROUP_MAX) {
		errno = ENOSPC;
		return -1;
	}
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_GROUP |
			    PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = calls->open(attr, pid, cpu, group->count ? group->fd[0] : -1);
	if (fd < 0)
		return -1;
	group->fd[group->count++] = fd;
	return 0;
}

int sw_pmu_group_add(struct sw_pmu_group *group,
		     const struct perf_event_attr *attr, pid_t pid)
{
	struct perf_event_attr own = *attr;
	bool is_leader = group->count == 0;

	own.inherit = 1;
	/* The others count whenever their leader does. */
	own.disabled = is_leader;
	own.enable_on_exec = is_leader;
	return add(group, &own, pid, -1);
}

int sw_pmu_group_add_node(struct sw_pmu_group *group,
			  const struct perf_event_attr *attr, int cpu)
{
	struct perf_event_attr own = *attr;

	return add(group, &own, -1, cpu);
}

static uint64_t scale(uint64_t value, uint64_t enabled, uint64_t running)
{
	/* Exact if the counter was running all the time */
	if (running >= enabled)
		return value;
	return sw_whole_real(
		(double)value * ((double)enabled / (double)running) + 0.5);
}

/* Return false if a value has decreased: nothing is known then. */
static bool is_onward(const struct sw_pmu_group *group,
		      const struct reading *now)
{
	unsigned i;

	for (i = 0; i < group->count; i++) {
		if (sw_is_missing(sw_delta_u64(now->value[i], group->raw[i])))
			return false;
	}
	return !sw_is_missing(sw_delta_u64(now->enabled_nsec,
					   group->enabled_nsec)) &&
	       !sw_is_missing(sw_delta_u64(now->running_nsec,
					   group->running_nsec));
}

static void take(struct sw_pmu_group *group, const struct reading *now)
{
	uint64_t enabled = sw_delta_u64(now->enabled_nsec,
					group->enabled_nsec);
	uint64_t running = sw_delta_u64(now->running_nsec,
					group->running_nsec);
	unsigned i;

	group->told_enabled_nsec = now->enabled_nsec;
	/* Not scheduled so far: add the lost time to the next interval. */
	if (enabled && !running)
		return;
	for (i = 0; i < group->count; i++) {
		uint64_t counted = sw_delta_u64(now->value[i], group->raw[i]);

		group->raw[i] = now->value[i];
		group->value[i] += scale(counted, enabled, running);
	}
	group->enabled_nsec = now->enabled_nsec;
	group->running_nsec = now->running_nsec;
	group->has_counted = true;
}

enum sw_read_status sw_pmu_group_read(struct sw_pmu_group *group)
{
	struct reading now;
	size_t size = offsetof(struct reading, value) +
		      group->count * sizeof(now.value[0]);
	ssize_t length;

	if (group->count == 0)
		return SW_READ_ABSENT;
	length = calls->read(group->fd[0], &now, size);
	/* End of file: the kernel has given up the counter. */
	if (length <= 0)
		return SW_READ_ABSENT;
	if ((size_t)length != size || now.count != group->count ||
	    !is_onward(group, &now))
		return SW_READ_GARBAGE;
	take(group, &now);
	return SW_READ_OK;
}

uint64_t sw_pmu_group_value(const struct sw_pmu_group *group, unsigned event)
{
	bool has_missed_all = group->told_enabled_nsec &&
			      !group->running_nsec;

	return group->has_counted && !has_missed_all &&
	       event < group->count ? group->value[event] : SW_MISSING;
}

void sw_pmu_group_close(struct sw_pmu_group *group)
{
	while (group->count > 0)
		calls->close(group->fd[--group->count]);
}
