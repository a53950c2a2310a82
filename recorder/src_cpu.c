/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time and throttling of a step: cpu.stat of its cgroup. */
#include "recorder/kernfile.h"

enum { USAGE, USER, SYSTEM, PERIODS, THROTTLED, THROTTLED_USEC, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[USAGE] = { "usage_usec", "usec", SW_KIND_COUNTER,
		    "CPU time of the step." },
	[USER] = { "user_usec", "usec", SW_KIND_COUNTER,
		   "CPU time in user mode." },
	[SYSTEM] = { "system_usec", "usec", SW_KIND_COUNTER,
		     "CPU time in the kernel." },
	[PERIODS] = { "nr_periods", "count", SW_KIND_COUNTER,
		      "Quota periods; with the cpu controller only." },
	[THROTTLED] = { "nr_throttled", "count", SW_KIND_COUNTER,
			"Periods in which the quota ran out." },
	[THROTTLED_USEC] = { "throttled_usec", "usec", SW_KIND_COUNTER,
			     "Time lost to the quota, summed over CPUs." },
};

static const struct sw_kernkey keys[] = {
	{ "usage_usec", USAGE },     { "user_usec", USER },
	{ "system_usec", SYSTEM },   { "nr_periods", PERIODS },
	{ "nr_throttled", THROTTLED }, { "throttled_usec", THROTTLED_USEC },
};

static enum sw_read_status open_source(void *state,
				       const struct sw_target *target)
{
	return sw_kernfile_open(state, target->cgroup_fd, "cpu.stat");
}

static enum sw_read_status read_source(void *state,
				       const struct sw_target *target,
				       uint64_t *values)
{
	(void)target;
	return sw_kernfile_keyed(state, keys, sizeof(keys) / sizeof(keys[0]),
				 values);
}

static void close_source(void *state)
{
	sw_kernfile_close(state);
}

extern const struct sw_source sw_src_cpu;

const struct sw_source sw_src_cpu = {
	.name = "cpu",
	.ladder = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct sw_kernfile),
	.open = open_source,
	.read = read_source,
	.close = close_source,
};
