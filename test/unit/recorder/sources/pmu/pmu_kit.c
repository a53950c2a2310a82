/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated PMU for tests. */
#include "test/unit/recorder/sources/pmu/pmu_kit.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/sources/pmu/pmu.h"

enum { EVENTS_MAX = 64, OPEN_MAX_COUNT = 8192, FIRST_FD = 100000 };

struct opened {
	bool is_open;
	struct perf_event_attr attr;
	pid_t pid;
	size_t leader;
};

static struct {
	struct pmu_kit_event event[EVENTS_MAX];
	size_t event_count;
	struct opened opened[OPEN_MAX_COUNT];
	size_t opened_count, reads, limit;
	enum pmu_kit_fault fault;
	int dirfd;		/* -1: the test sets the events */
} kit;

/* Return the event of a process; the last one that was set. */
static struct pmu_kit_event *find(uint32_t type, uint64_t config, pid_t pid)
{
	size_t i;

	for (i = kit.event_count; i > 0; i--) {
		struct pmu_kit_event *event = &kit.event[i - 1];

		if (event->type == type && event->config == config &&
		    (!event->pid || event->pid == pid))
			return event;
	}
	return NULL;
}

void pmu_kit_set(const struct pmu_kit_event *event)
{
	struct pmu_kit_event *same = find(event->type, event->config,
					  event->pid);

	if (same && same->pid == event->pid) {
		*same = *event;
		return;
	}
	ck_assert_uint_lt(kit.event_count, EVENTS_MAX);
	kit.event[kit.event_count++] = *event;
}

static int kit_open(struct perf_event_attr *attr, pid_t pid, int cpu,
		    int group_fd)
{
	const struct pmu_kit_event *event = find(attr->type, attr->config,
						 pid);
	struct opened *opened = &kit.opened[kit.opened_count];

	/* A process on any CPU, or a CPU with any process. */
	ck_assert((pid < 0) != (cpu < 0));
	if (kit.limit && pmu_kit_open_count() == kit.limit) {
		errno = EMFILE;
		return -1;
	}
	if (!event || event->why) {
		errno = event ? event->why : ENOENT;
		return -1;
	}
	ck_assert_uint_lt(kit.opened_count, OPEN_MAX_COUNT);
	*opened = (struct opened){
		.is_open = true,
		.attr = *attr,
		.pid = pid,
		.leader = group_fd < 0 ? kit.opened_count :
					 (size_t)(group_fd - FIRST_FD),
	};
	if (group_fd >= 0)
		ck_assert(kit.opened[opened->leader].is_open &&
			  kit.opened[opened->leader].pid == pid);
	return FIRST_FD + (int)kit.opened_count++;
}

static struct opened *opened_of(int fd)
{
	ck_assert_int_ge(fd, FIRST_FD);
	ck_assert_uint_lt((size_t)(fd - FIRST_FD), kit.opened_count);
	ck_assert(kit.opened[fd - FIRST_FD].is_open);
	return &kit.opened[fd - FIRST_FD];
}

/* Write the values of a group, in the order of opening. */
static size_t put_values(size_t leader, uint64_t *words)
{
	size_t i, count = 0;

	for (i = leader; i < kit.opened_count; i++) {
		const struct opened *one = &kit.opened[i];

		if (!one->is_open || one->leader != leader)
			continue;
		words[count++] = find(one->attr.type, one->attr.config,
				      one->pid)->value;
	}
	return count;
}

static ssize_t kit_read(int fd, void *bytes, size_t size)
{
	const struct opened *opened = opened_of(fd);
	uint64_t words[3 + SW_PMU_GROUP_MAX + 1];
	const struct pmu_kit_event *event;
	size_t count, length;

	kit.reads++;
	if (kit.dirfd >= 0)
		pmu_kit_load(kit.dirfd);
	event = find(opened->attr.type, opened->attr.config, opened->pid);
	if (kit.fault == PMU_KIT_NOTHING || !event)
		return 0;
	count = put_values((size_t)(fd - FIRST_FD), words + 3);
	words[0] = count + (kit.fault == PMU_KIT_COUNT);
	words[1] = event->enabled_nsec;
	words[2] = event->running_nsec;
	length = (3 + count) * sizeof(*words);
	if (size < length) {
		errno = ENOSPC;
		return -1;
	}
	length -= kit.fault == PMU_KIT_SHORT ? 4 : 0;
	memcpy(bytes, words, length);
	return (ssize_t)length;
}

static void kit_close(int fd)
{
	opened_of(fd)->is_open = false;
}

static const struct sw_pmu_calls calls = {
	.open = kit_open, .read = kit_read, .close = kit_close,
};

void pmu_kit_begin(void)
{
	memset(&kit, 0, sizeof(kit));
	kit.dirfd = -1;
	sw_pmu_use(&calls);
}

void pmu_kit_end(void)
{
	sw_pmu_use(NULL);
}

/* Parse "event TYPE CONFIG VALUE ENABLED_NSEC RUNNING_NSEC", "fault short". */
static void take_line(const char *line)
{
	struct pmu_kit_event event = { 0 };

	if (sscanf(line, "event %" SCNu32 " %" SCNx64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64, &event.type, &event.config, &event.value,
		   &event.enabled_nsec, &event.running_nsec) == 5)
		pmu_kit_set(&event);
	else if (!strcmp(line, "fault short\n"))
		kit.fault = PMU_KIT_SHORT;
	else
		ck_assert_msg(line[0] == '#', "not understood: %s", line);
}

void pmu_kit_load(int dirfd)
{
	int fd = openat(dirfd, "pmu", O_RDONLY | O_CLOEXEC);
	char line[256];
	FILE *file;

	kit.event_count = 0;
	kit.dirfd = dirfd;
	file = fd >= 0 ? fdopen(fd, "r") : NULL;
	while (file && fgets(line, sizeof(line), file))
		take_line(line);
	if (file)
		fclose(file);
}

void pmu_kit_fault(enum pmu_kit_fault fault)
{
	kit.fault = fault;
}

void pmu_kit_limit(size_t descriptors)
{
	kit.limit = descriptors;
}

size_t pmu_kit_open_count(void)
{
	size_t i, count = 0;

	for (i = 0; i < kit.opened_count; i++)
		count += kit.opened[i].is_open;
	return count;
}

size_t pmu_kit_reads(void)
{
	return kit.reads;
}

const struct perf_event_attr *pmu_kit_attr(size_t open_index)
{
	return open_index < kit.opened_count ? &kit.opened[open_index].attr :
					       NULL;
}

size_t pmu_kit_leader(size_t open_index)
{
	ck_assert_uint_lt(open_index, kit.opened_count);
	return kit.opened[open_index].leader;
}
