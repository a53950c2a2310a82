/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU time and throttling of a step: cpu.stat of its cgroup.  The kernel counts
 * throttling where the quota is, which can be a cgroup above: of a container,
 * of a service, of a batch job.
 */
#include <unistd.h>

#include "recorder/kernfile.h"
#include "recorder/limits.h"

enum {
	USAGE, USER, SYSTEM, PERIODS, THROTTLED, THROTTLED_USEC,
	ABOVE_PERIODS, ABOVE_THROTTLED, ABOVE_THROTTLED_USEC, COLUMNS
};

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
	[ABOVE_PERIODS] = { "above.nr_periods", "count", SW_KIND_COUNTER,
			    "Of the nearest cgroup above that has a quota; "
			    "others may be in it." },
	[ABOVE_THROTTLED] = { "above.nr_throttled", "count", SW_KIND_COUNTER,
			      "Periods in which the quota above ran out." },
	[ABOVE_THROTTLED_USEC] = { "above.throttled_usec", "usec",
				   SW_KIND_COUNTER,
				   "Time lost to the quota above." },
};

static const struct sw_kernkey keys[] = {
	{ "usage_usec", USAGE },     { "user_usec", USER },
	{ "system_usec", SYSTEM },   { "nr_periods", PERIODS },
	{ "nr_throttled", THROTTLED }, { "throttled_usec", THROTTLED_USEC },
};

static const struct sw_kernkey above_keys[] = {
	{ "nr_periods", ABOVE_PERIODS },
	{ "nr_throttled", ABOVE_THROTTLED },
	{ "throttled_usec", ABOVE_THROTTLED_USEC },
};

struct state {
	struct sw_kernfile own, above;
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	int fd = sw_limits_open_quota_above(target->cgroup_fd);

	state->above.fd = -1;
	if (fd >= 0) {
		sw_kernfile_open(&state->above, fd, "cpu.stat");
		close(fd);
	}
	return sw_kernfile_open(&state->own, target->cgroup_fd, "cpu.stat");
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;

	(void)target;
	/* One more to compare with: without it the step's own are as good. */
	sw_kernfile_keyed(&state->above, above_keys,
			  sizeof(above_keys) / sizeof(above_keys[0]), values);
	return sw_kernfile_keyed(&state->own, keys,
				 sizeof(keys) / sizeof(keys[0]), values);
}

static void close_source(void *memory)
{
	struct state *state = memory;

	sw_kernfile_close(&state->own);
	sw_kernfile_close(&state->above);
}

static const char *reason(const void *memory, enum sw_read_status status)
{
	(void)memory;
	return status == SW_READ_ABSENT ?
		"no cpu.stat in the command's cgroup" : NULL;
}

extern const struct sw_source sw_src_cpu;

const struct sw_source sw_src_cpu = {
	.name = "cpu",
	.ladder = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.reason = reason,
	.close = close_source,
};
