/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes and threads of a step: pids.current, pids.peak, pids.events. */
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum { CURRENT, PEAK, EVENTS_MAX, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[CURRENT] = { "pids.current", "count", SW_KIND_GAUGE,
		      "Processes and threads." },
	[PEAK] = { "pids.peak", "count", SW_KIND_PEAK,
		   "Most processes and threads at once (kernel 6.1)." },
	[EVENTS_MAX] = { "events.max", "count", SW_KIND_COUNTER,
			 "Forks refused by pids.max." },
};

static const struct sw_kernkey keys[] = { { "max", EVENTS_MAX } };

struct state {
	struct sw_kernfile current, peak, events;
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	sw_kernfile_open(&state->peak, target->cgroup_fd, "pids.peak");
	sw_kernfile_open(&state->events, target->cgroup_fd, "pids.events");
	return sw_kernfile_open(&state->current, target->cgroup_fd,
				"pids.current");
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;

	(void)target;
	sw_kernfile_number(&state->peak, &values[PEAK]);
	sw_kernfile_keyed(&state->events, keys, 1, values);
	return sw_kernfile_number(&state->current, &values[CURRENT]);
}

static void close_source(void *memory)
{
	struct state *state = memory;

	sw_kernfile_close(&state->current);
	sw_kernfile_close(&state->peak);
	sw_kernfile_close(&state->events);
}

extern const struct sw_source sw_src_pids;

const struct sw_source sw_src_pids = {
	.name = "pids",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "no pids controller in the command's cgroup",
	.close = close_source,
};
