/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block device I/O: io.stat of a step's cgroup, all devices. */
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum { RBYTES, WBYTES, RIOS, WIOS, DBYTES, DIOS, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[RBYTES] = { "rbytes", "bytes", SW_KIND_COUNTER,
		     "Bytes read from block devices." },
	[WBYTES] = { "wbytes", "bytes", SW_KIND_COUNTER,
		     "Bytes written to block devices." },
	[RIOS] = { "rios", "count", SW_KIND_COUNTER, "Read requests." },
	[WIOS] = { "wios", "count", SW_KIND_COUNTER, "Write requests." },
	[DBYTES] = { "dbytes", "bytes", SW_KIND_COUNTER, "Bytes discarded." },
	[DIOS] = { "dios", "count", SW_KIND_COUNTER, "Discard requests." },
};

static const struct sw_kernkey keys[] = {
	{ "rbytes", RBYTES }, { "wbytes", WBYTES }, { "rios", RIOS },
	{ "wios", WIOS },     { "dbytes", DBYTES }, { "dios", DIOS },
};

static enum sw_read_status open_source(void *state,
				       const struct sw_target *target)
{
	return sw_kernfile_open(state, target->cgroup_fd, "io.stat");
}

static enum sw_read_status read_source(void *state,
				       const struct sw_target *target,
				       uint64_t *values)
{
	(void)target;
	return sw_kernfile_nested(state, keys, sizeof(keys) / sizeof(keys[0]),
				  values);
}

const struct sw_source sw_src_io = {
	.name = "io",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct sw_kernfile),
	.file_count = 1,
	.open = open_source,
	.read = read_source,
	.absence = "no io controller in the command's cgroup",
};
