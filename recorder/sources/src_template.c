/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Template for a counter source: one kernel file, one number.  Compiled with
 * the tests, never shipped.  HACKING.md, "How to add a counter source".
 */
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

/* An entry per column: kernel name, unit, kind, a sentence. */
static const struct sw_column columns[] = {
	{ "cgroup.current", "count", SW_KIND_GAUGE, "What the file says." },
};

/* State kept between reads; zeroed by the loop. */
struct state {
	struct sw_kernfile file;
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	return sw_kernfile_open(&state->file, target->cgroup_fd,
				"template.current");
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;

	(void)target;
	return sw_kernfile_number(&state->file, &values[0]);
}

const struct sw_source sw_src_template = {
	.name = "template",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.state_size = sizeof(struct state),
	.file_count = 1,
	.open = open_source,
	.read = read_source,
	.absence = "no template controller in the command's cgroup",
};
