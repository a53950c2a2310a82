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
	struct sw_kernfile file[COLUMNS];
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	sw_kernfile_open(&state->file[PEAK], target->cgroup_fd, "pids.peak");
	sw_kernfile_open(&state->file[EVENTS_MAX], target->cgroup_fd,
			 "pids.events");
	return sw_kernfile_open(&state->file[CURRENT], target->cgroup_fd,
				"pids.current");
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;

	(void)target;
	sw_kernfile_number(&state->file[PEAK], &values[PEAK]);
	sw_kernfile_keyed(&state->file[EVENTS_MAX], keys, 1, values);
	return sw_kernfile_number(&state->file[CURRENT], &values[CURRENT]);
}

const struct sw_source sw_src_pids = {
	.name = "pids",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.file_count = COLUMNS,
	.open = open_source,
	.read = read_source,
	.absence = "no pids controller in the command's cgroup",
};
