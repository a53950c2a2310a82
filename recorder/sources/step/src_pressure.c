/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pressure stall information of a step: cpu.pressure, memory.pressure and
 * io.pressure of its cgroup (Documentation/accounting/psi.rst).  It is a mean
 * over CPUs weighted by their load, not "time with a waiting task".
 */
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum { CPU, MEMORY, IO, FILES };

static const struct sw_column columns[2 * FILES] = {
	[2 * CPU] = { "cpu.some.total", "usec", SW_KIND_COUNTER,
		      "Some tasks waited for a CPU." },
	[2 * CPU + 1] = { "cpu.full.total", "usec", SW_KIND_COUNTER,
			  "No task ran because all waited for a CPU." },
	[2 * MEMORY] = { "memory.some.total", "usec", SW_KIND_COUNTER,
			 "Some tasks waited for memory." },
	[2 * MEMORY + 1] = { "memory.full.total", "usec", SW_KIND_COUNTER,
			     "No task ran because all waited for memory." },
	[2 * IO] = { "io.some.total", "usec", SW_KIND_COUNTER,
		     "Some tasks waited for I/O." },
	[2 * IO + 1] = { "io.full.total", "usec", SW_KIND_COUNTER,
			 "No task ran because all waited for I/O." },
};

static const char *const names[FILES] = {
	[CPU] = "cpu.pressure",
	[MEMORY] = "memory.pressure",
	[IO] = "io.pressure",
};

struct state {
	struct sw_kernfile file[FILES];
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	enum sw_read_status status = SW_READ_ABSENT, one;
	struct state *state = memory;
	size_t i;

	for (i = 0; i < FILES; i++) {
		one = sw_kernfile_open(&state->file[i], target->cgroup_fd,
				       names[i]);
		if (one == SW_READ_OK)
			status = SW_READ_OK;
	}
	return status;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	enum sw_read_status status = SW_READ_ABSENT, one;
	struct state *state = memory;
	size_t i;

	(void)target;
	for (i = 0; i < FILES; i++) {
		one = sw_kernfile_pressure(&state->file[i], &values[2 * i],
					   &values[2 * i + 1]);
		if (one != SW_READ_ABSENT && status != SW_READ_GARBAGE)
			status = one;
	}
	return status;
}

const struct sw_source sw_src_pressure = {
	.name = "pressure",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = 2 * FILES,
	.state_size = sizeof(struct state),
	.file_count = FILES,
	.open = open_source,
	.read = read_source,
	.absence = "the kernel does not record pressure (PSI) in the "
		   "command's cgroup",
};
