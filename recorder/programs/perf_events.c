/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open perf's task events for a process and its descendants. */
#include "recorder/programs/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	/* kernel.perf_event_mlock_kb is 516 per CPU: both rings, and more. */
	TASK_RING_MAX = 256 << 10,
	TASK_RING_MIN = 16 << 10,
	RINGS_MAX = 4 << 20,	/* approximate total */
	CPUS_MAX = 8192,
	WORD_BITS = 8 * sizeof(unsigned long),
};

/* CPU set in the kernel's format, larger than glibc's */
struct cpus {
	unsigned long word[CPUS_MAX / WORD_BITS];
};

static bool has_cpu(const struct cpus *cpus, unsigned cpu)
{
	return cpus->word[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1;
}

static unsigned count_cpus(const struct cpus *cpus)
{
	unsigned cpu, count = 0;

	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		count += has_cpu(cpus, cpu);
	return count;
}

static int get_affinity(pid_t pid, struct cpus *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	return sched_getaffinity(pid, sizeof(*cpus), (cpu_set_t *)cpus);
}

/*
 * Find the CPUs on which the processes may run: not only the command's own set,
 * which it can widen, but all that the cpuset allows.  Without reading cgroups,
 * the only way to find out is to try.
 */
static void find_reach(const struct cpus *own, struct cpus *reach)
{
	struct cpus before, all;
	size_t i;

	*reach = *own;
	memset(&all, 0xff, sizeof(all));
	if (get_affinity(0, &before) < 0)
		return;
	if (sched_setaffinity(0, sizeof(all), (cpu_set_t *)&all) == 0)
		get_affinity(0, &all);
	else
		all = before;
	sched_setaffinity(0, sizeof(before), (cpu_set_t *)&before);
	for (i = 0; i < CPUS_MAX / WORD_BITS; i++)
		reach->word[i] |= all.word[i];
}

static int choose_cpus(struct sw_perf_events *events, pid_t pid,
		       struct sw_error *error)
{
	struct cpus own, reach;
	unsigned cpu, count;

	if (get_affinity(pid, &own) < 0)
		return sw_error_errno(error, "perf: the command's CPUs cannot "
				      "be read");
	find_reach(&own, &reach);
	events->has_all_cpus = count_cpus(&reach) <= SW_PERF_EVENTS_MAX;
	if (!events->has_all_cpus)
		reach = own;
	count = count_cpus(&reach);
	if (count > SW_PERF_EVENTS_MAX)
		return sw_error_set(error, "perf: events on %u CPUs would slow "
				    "the command", count);
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (has_cpu(&reach, cpu))
			events->cpu_number[events->cpu_count++] = cpu;
	}
	events->has_switches = 2 * events->cpu_count <= SW_PERF_EVENTS_MAX;
	return 0;
}

/*
 * Do not use inherit_stat, which would report the CPU time of an exiting
 * process: the kernel then writes to the rings of other CPUs without locking,
 * and two concurrent exits corrupt a ring.
 */
static int open_event(pid_t pid, unsigned cpu, bool is_switch)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_id_all = 1,
		.comm = !is_switch,
		.comm_exec = !is_switch,
		.task = !is_switch,
		.context_switch = is_switch,
		/* Not polled: do not wake up on each record. */
		.watermark = 1,
		.wakeup_watermark = UINT32_MAX,
		.use_clockid = 1,
		.clockid = CLOCK_BOOTTIME,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, (int)cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static int map_ring(struct sw_perf_event *event, size_t ring_size)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = page_size + ring_size;
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 event->fd, 0);

	if (map == MAP_FAILED)
		return -1;
	event->map = map;
	event->map_size = size;
	event->ring = (struct sw_perf_ring){
		.data = (unsigned char *)map + page_size,
		.size = ring_size,
	};
	return 0;
}

/* cpu is an index. */
static int add_event(struct sw_perf_events *events, pid_t pid, unsigned cpu,
		     bool is_switch, size_t ring_size)
{
	struct sw_perf_event *event = &events->event[events->count];

	memset(event, 0, sizeof(*event));
	event->cpu = cpu;
	event->fd = open_event(pid, events->cpu_number[cpu], is_switch);
	if (event->fd < 0)
		return -1;
	events->count++;
	return map_ring(event, ring_size);
}

void sw_perf_events_close(struct sw_perf_events *events)
{
	while (events->count > 0) {
		struct sw_perf_event *event = &events->event[--events->count];

		if (event->map)
			munmap(event->map, event->map_size);
		close(event->fd);
	}
}

static int open_all(struct sw_perf_events *events, pid_t pid, size_t ring_size)
{
	unsigned i;

	for (i = 0; i < events->cpu_count; i++) {
		if (add_event(events, pid, i, false, ring_size) < 0)
			return -1;
	}
	for (i = 0; events->has_switches && i < events->cpu_count; i++) {
		if (add_event(events, pid, i, true, ring_size / 2) < 0)
			return -1;
	}
	return 0;
}

/* Use smaller rings if another recorder has part of the locked memory. */
static int open_largest(struct sw_perf_events *events, pid_t pid)
{
	size_t ring_size = TASK_RING_MAX;

	while (ring_size > TASK_RING_MIN &&
	       ring_size * events->cpu_count > RINGS_MAX / 3 * 2)
		ring_size /= 2;
	for (;;) {
		if (open_all(events, pid, ring_size) == 0)
			return 0;
		if (errno != EPERM || ring_size <= TASK_RING_MIN ||
		    events->count == 0)
			return -1;
		sw_perf_events_close(events);
		ring_size /= 2;
	}
}

int sw_perf_events_open(struct sw_perf_events *events, pid_t pid,
			struct sw_error *error)
{
	memset(events, 0, sizeof(*events));
	if (choose_cpus(events, pid, error) < 0)
		return -1;
	if (open_largest(events, pid) == 0)
		return 0;
	sw_error_errno(error, "perf: task events are not available here");
	sw_perf_events_close(events);
	return -1;
}

void sw_perf_events_load(struct sw_perf_events *events)
{
	const struct perf_event_mmap_page *page;
	unsigned i;

	for (i = 0; i < events->count; i++) {
		page = events->event[i].map;
		events->event[i].ring.head =
			__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	}
}

void sw_perf_events_store(struct sw_perf_events *events)
{
	struct perf_event_mmap_page *page;
	unsigned i;

	for (i = 0; i < events->count; i++) {
		page = events->event[i].map;
		__atomic_store_n(&page->data_tail, events->event[i].ring.tail,
				 __ATOMIC_RELEASE);
	}
}

void sw_perf_events_stop_switches(struct sw_perf_events *events)
{
	unsigned i;

	/* Also disables the inherited ones. */
	for (i = events->cpu_count; i < events->count; i++)
		ioctl(events->event[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	events->has_switches = false;
}
