/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU time and throttling of a step: cpu.stat of its cgroup, or the controllers
 * "cpuacct" and "cpu" of cgroup v1.  The kernel counts throttling where the
 * quota is set, possibly in an ancestor: of a container, a service, a batch
 * job.
 */
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/cgroup/available.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum {
	USAGE, USER, SYSTEM, PERIODS, THROTTLED, THROTTLED_USEC,
	ANCESTOR_PERIODS, ANCESTOR_THROTTLED, ANCESTOR_THROTTLED_USEC, COLUMNS
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
	[ANCESTOR_PERIODS] = { "ancestor.nr_periods", "count",
			       SW_KIND_COUNTER,
			       "Periods of the nearest quota of an ancestor "
			       "cgroup; others may be in that cgroup." },
	[ANCESTOR_THROTTLED] = { "ancestor.nr_throttled", "count",
				 SW_KIND_COUNTER,
				 "Periods in which that quota ran out." },
	[ANCESTOR_THROTTLED_USEC] = { "ancestor.throttled_usec", "usec",
				      SW_KIND_COUNTER,
				      "Time lost to that quota." },
};

static const struct sw_kernkey keys[] = {
	{ "usage_usec", USAGE },     { "user_usec", USER },
	{ "system_usec", SYSTEM },   { "nr_periods", PERIODS },
	{ "nr_throttled", THROTTLED }, { "throttled_usec", THROTTLED_USEC },
};

static const struct sw_kernkey ancestor_keys[] = {
	{ "nr_periods", ANCESTOR_PERIODS },
	{ "nr_throttled", ANCESTOR_THROTTLED },
	{ "throttled_usec", ANCESTOR_THROTTLED_USEC },
};

/*
 * v1: clock ticks, and nanoseconds
 * (Documentation/admin-guide/cgroup-v1/cpuacct.rst)
 */
static const struct sw_kernkey v1_keys[] = {
	{ "user", USER },
	{ "system", SYSTEM },
};

static const struct sw_kernkey v1_quota_keys[] = {
	{ "nr_periods", PERIODS },
	{ "nr_throttled", THROTTLED },
	{ "throttled_time", THROTTLED_USEC },
};

static const struct sw_kernkey v1_ancestor_keys[] = {
	{ "nr_periods", ANCESTOR_PERIODS },
	{ "nr_throttled", ANCESTOR_THROTTLED },
	{ "throttled_time", ANCESTOR_THROTTLED_USEC },
};

struct state {
	struct sw_kernfile own, ancestor;
	struct sw_kernfile v1_usage, v1_stat, v1_quota;
	bool is_v1;		/* for the step itself */
	bool is_ancestor_v1;
};

static int open_at(struct sw_kernfile *file, int fd, const char *name)
{
	sw_kernfile_open(file, fd, name);
	if (fd >= 0)
		close(fd);
	return file->fd;
}

static enum sw_read_status open_v1(struct state *state,
				   const struct sw_target *target)
{
	const struct sw_cgroup_v1 *v1 = target->v1;

	if (!v1)
		return SW_READ_ABSENT;
	sw_kernfile_open(&state->v1_stat, v1->fd[SW_V1_CPUACCT],
			 "cpuacct.stat");
	/* Exists here if both controllers are mounted together. */
	sw_kernfile_open(&state->v1_quota, v1->fd[SW_V1_CPUACCT], "cpu.stat");
	return sw_kernfile_open(&state->v1_usage, v1->fd[SW_V1_CPUACCT],
				"cpuacct.usage");
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->v1_usage.fd = state->v1_stat.fd = state->v1_quota.fd = -1;
	state->is_ancestor_v1 =
		open_at(&state->ancestor,
			sw_available_open_quota_above(target->cgroup_fd),
			"cpu.stat") < 0 && target->v1 &&
		open_at(&state->ancestor,
			sw_available_open_quota_v1(target->v1->fd[SW_V1_CPU]),
			"cpu.stat") >= 0;
	state->is_v1 = sw_kernfile_open(&state->own, target->cgroup_fd,
					"cpu.stat") != SW_READ_OK;
	return state->is_v1 ? open_v1(state, target) : SW_READ_OK;
}

static void divide(uint64_t *value, uint64_t by)
{
	if (!sw_is_missing(*value))
		*value /= by;
}

static enum sw_read_status read_v1(const struct state *state,
				   uint64_t *values)
{
	enum sw_read_status status;

	status = sw_kernfile_number(&state->v1_usage, &values[USAGE]);
	if (status != SW_READ_OK)
		return status;
	divide(&values[USAGE], SW_NSEC_PER_USEC);
	if (sw_kernfile_keyed(&state->v1_quota, v1_quota_keys,
			      sizeof(v1_quota_keys) / sizeof(v1_quota_keys[0]),
			      values) == SW_READ_OK)
		divide(&values[THROTTLED_USEC], SW_NSEC_PER_USEC);
	status = sw_kernfile_keyed(&state->v1_stat, v1_keys,
				   sizeof(v1_keys) / sizeof(v1_keys[0]),
				   values);
	values[USER] = sw_clock_ticks_usec(values[USER]);
	values[SYSTEM] = sw_clock_ticks_usec(values[SYSTEM]);
	return status == SW_READ_ABSENT ? SW_READ_OK : status;
}

/* For comparison only: errors do not matter. */
static void read_ancestor(const struct state *state, uint64_t *values)
{
	sw_kernfile_keyed(&state->ancestor,
			  state->is_ancestor_v1 ? v1_ancestor_keys :
						  ancestor_keys,
			  sizeof(ancestor_keys) / sizeof(ancestor_keys[0]),
			  values);
	if (state->is_ancestor_v1)
		divide(&values[ANCESTOR_THROTTLED_USEC], SW_NSEC_PER_USEC);
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	const struct state *state = memory;

	(void)target;
	read_ancestor(state, values);
	if (state->is_v1)
		return read_v1(state, values);
	return sw_kernfile_keyed(&state->own, keys,
				 sizeof(keys) / sizeof(keys[0]), values);
}

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;

	return state->is_v1 ? "cgroup.v1" : "cgroup.v2";
}

static void close_source(void *memory)
{
	struct state *state = memory;

	sw_kernfile_close(&state->own);
	sw_kernfile_close(&state->ancestor);
	sw_kernfile_close(&state->v1_usage);
	sw_kernfile_close(&state->v1_stat);
	sw_kernfile_close(&state->v1_quota);
}

const struct sw_source sw_src_cpu = {
	.name = "cpu",
	.backend = "cgroup.v2",
	.find_backend = find_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "no cpu.stat in the command's cgroup",
	.close = close_source,
};
