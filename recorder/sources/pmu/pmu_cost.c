/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimate the cost of inherited counters for a step with many threads. */
#include "recorder/sources/pmu/pmu_cost.h"

#include <string.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"

enum {
	/*
	 * Cost of start and exit of a thread with inherited counters, which the
	 * kernel creates and destroys with it; measured on a 2 GHz Xeon.
	 */
	START_NSEC = 1000,
	EVENT_NSEC = 800,
	STARTS_PER_SECOND = 1000,	/* below is never many */
	STARTS_MIN = 3000,
	SHARE_MAX = 50,			/* of CPU time: one in 50 */
	PATIENCE_MAX = 8,		/* checks */
};

/* Return the last pid assigned on this node, to a thread or process. */
static uint64_t read_last_pid(int proc_fd)
{
	uint64_t value;
	const char *last;
	char text[128];

	if (sw_kernfile_slurp(proc_fd, "loadavg", text, sizeof(text)) !=
	    SW_READ_OK)
		return SW_MISSING;
	last = strrchr(text, ' ');
	if (!last)
		return SW_MISSING;
	last++;
	return sw_kern_parse_u64(&last, &value) < 0 ? SW_MISSING : value;
}

static uint64_t read_pid_max(int proc_fd)
{
	char text[32];
	const char *at = text;
	uint64_t value;

	if (sw_kernfile_slurp(proc_fd, "sys/kernel/pid_max", text,
			      sizeof(text)) != SW_READ_OK ||
	    sw_kern_parse_u64(&at, &value) < 0)
		return SW_MISSING;
	return value;
}

void sw_pmu_cost_open(struct sw_pmu_tasks *tasks)
{
	tasks->pid_max = read_pid_max(tasks->proc_fd);
	tasks->last_pid = read_last_pid(tasks->proc_fd);
	tasks->last_usec = sw_clock_boottime_usec();
	tasks->patience = 1;
	tasks->starts = tasks->enabled_nsec = tasks->switches = 0;
}

/* Count starts on the whole node; pids wrap around at pid_max. */
static void count_starts(struct sw_pmu_tasks *tasks)
{
	uint64_t before = tasks->last_pid;
	uint64_t now = read_last_pid(tasks->proc_fd);

	tasks->last_pid = now;
	if (sw_is_missing(now) || sw_is_missing(before))
		return;
	if (now >= before)
		tasks->starts += now - before;
	else
		tasks->starts += now + sw_zero_if_missing(
			sw_delta_u64(tasks->pid_max, before));
}

/* Return whether starts are many and sustained, rather than a short burst. */
static bool are_many(uint64_t starts, uint64_t usec)
{
	return starts >= STARTS_MIN &&
	       starts * SW_USEC_PER_SEC > STARTS_PER_SECOND * usec;
}

bool sw_pmu_cost_is_due(struct sw_pmu_tasks *tasks, uint64_t now_usec)
{
	count_starts(tasks);
	if (tasks->wait > 0) {
		tasks->wait--;
		return false;
	}
	if (!are_many(tasks->starts,
		      sw_excess_u64(now_usec, tasks->last_usec)))
		return false;
	/* If counters are kept, others start the threads: check less often. */
	tasks->wait = tasks->patience;
	if (tasks->patience < PATIENCE_MAX)
		tasks->patience *= 2;
	return true;
}

bool sw_pmu_cost_is_high(struct sw_pmu_tasks *tasks, uint64_t enabled_nsec,
			 uint64_t switches, uint64_t now_usec)
{
	uint64_t usec = sw_excess_u64(now_usec, tasks->last_usec);
	uint64_t used = sw_excess_u64(enabled_nsec, tasks->enabled_nsec);
	uint64_t cost = START_NSEC + EVENT_NSEC * tasks->events;
	uint64_t starts;

	count_starts(tasks);
	starts = tasks->starts;
	/* Each start involves a wait: excess starts are of other steps. */
	if (!sw_is_missing(switches))
		starts = sw_min_u64(starts, sw_excess_u64(switches,
							  tasks->switches));
	tasks->starts = 0;
	tasks->last_usec = now_usec;
	tasks->enabled_nsec = enabled_nsec;
	tasks->switches = switches;
	return are_many(starts, usec) && starts * cost > used / SHARE_MAX;
}
