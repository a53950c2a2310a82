/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a step: the memory.* files of its cgroup, or of its directory in
 * the memory controller of cgroup v1.  Also that of its job, whose peak is not
 * the sum of its steps' peaks.
 */
#include "recorder/sources/source.h"
#include "recorder/sources/step/memory_columns.h"
#include "recorder/sources/step/memory_v1.h"

#define COLUMN(id, name, kind, help) [id] = { name, kind, help },
static const struct sw_column columns[MEM_COLUMNS] = {
	SW_MEMORY_COLUMNS(COLUMN, COLUMN)
};
#undef COLUMN

#define KEY(id, name, kind, help) { name, id },
#define NO_KEY(id, name, kind, help)
static const struct sw_kernkey stat_keys[] = {
	SW_MEMORY_COLUMNS(NO_KEY, KEY)
};

static const struct sw_kernkey event_keys[] = {
	{ "high", MEM_EVENTS_HIGH },
	{ "max", MEM_EVENTS_MAX },
	{ "oom", MEM_EVENTS_OOM },
	{ "oom_kill", MEM_EVENTS_OOM_KILL },
	{ "oom_group_kill", MEM_EVENTS_OOM_GROUP_KILL },
};

static const struct sw_kernkey local_event_keys[] = {
	{ "max", MEM_EVENTS_LOCAL_MAX },
	{ "oom", MEM_EVENTS_LOCAL_OOM },
	{ "oom_kill", MEM_EVENTS_LOCAL_OOM_KILL },
};

static const struct sw_kernkey swap_event_keys[] = {
	{ "max", MEM_SWAP_EVENTS_MAX },
	{ "fail", MEM_SWAP_EVENTS_FAIL },
};

/* A file with one number, or with keys */
struct item {
	const char *name;
	const struct sw_kernkey *keys;	/* NULL: one number */
	size_t key_count;
	size_t column;			/* for one number */
};

#define NUMBER(name, column) { name, NULL, 0, column }
#define KEYED(name, keys) { name, keys, sizeof(keys) / sizeof(keys[0]), 0 }

static const struct item items[] = {
	NUMBER("memory.current", MEM_CURRENT),
	NUMBER("memory.peak", MEM_PEAK),
	NUMBER("memory.swap.current", MEM_SWAP_CURRENT),
	NUMBER("memory.max", MEM_MAX),
	NUMBER("memory.high", MEM_HIGH),
	KEYED("memory.stat", stat_keys),
	KEYED("memory.events", event_keys),
	KEYED("memory.swap.events", swap_event_keys),
	KEYED("memory.events.local", local_event_keys),
	NUMBER("memory.swap.max", MEM_SWAP_MAX),
	NUMBER("memory.swap.peak", MEM_SWAP_PEAK),
	NUMBER("memory.zswap.current", MEM_ZSWAP_CURRENT),
};

enum { ITEMS = sizeof(items) / sizeof(items[0]) };

struct state {
	struct sw_kernfile file[ITEMS];
	struct sw_memory_v1 v1;
	bool is_v1;
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < ITEMS; i++)
		sw_kernfile_open(&state->file[i], target->cgroup_fd,
				 items[i].name);
	/* Missing in the root, and in a cgroup without the controller */
	state->is_v1 = state->file[0].fd < 0;
	if (state->is_v1)
		return sw_memory_v1_open(&state->v1, target);
	sw_memory_v1_none(&state->v1);
	return SW_READ_OK;
}

static enum sw_read_status read_v2(const struct state *state,
				   uint64_t *values)
{
	enum sw_read_status status = SW_READ_OK, one;
	size_t i;

	for (i = 0; i < ITEMS; i++) {
		if (items[i].keys)
			one = sw_kernfile_keyed(&state->file[i], items[i].keys,
						items[i].key_count, values);
		else
			one = sw_kernfile_number(&state->file[i],
						 &values[items[i].column]);
		if (one != SW_READ_OK && one != SW_READ_ABSENT &&
		    status == SW_READ_OK)
			status = one;
	}
	return status;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	const struct state *state = memory;

	return state->is_v1 ? sw_memory_v1_read(&state->v1, target, values) :
			      read_v2(state, values);
}

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;

	return state->is_v1 ? "cgroup.v1" : "cgroup.v2";
}

static void close_source(void *memory)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < ITEMS; i++)
		sw_kernfile_close(&state->file[i]);
	sw_memory_v1_close(&state->v1);
}

const struct sw_source sw_src_memory = {
	.name = "memory",
	.backend = "cgroup.v2",
	.find_backend = find_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = MEM_COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "no memory controller in the command's cgroup",
	.close = close_source,
};

/* Opened for each read: a job may have many steps, each with this source. */
struct job_state {
	bool is_v1;
};

/* Return a target with the job's directories and without tasks. */
static struct sw_target of_job(const struct sw_target *target)
{
	return (struct sw_target){
		.cgroup_fd = target->job ? target->job->cgroup_fd : -1,
		.v1 = target->job ? &target->job->v1 : NULL,
		.proc_fd = -1, .sys_fd = -1,
	};
}

static enum sw_read_status open_job(void *memory,
				    const struct sw_target *target)
{
	const struct sw_target job = of_job(target);
	struct job_state *state = memory;
	struct state files = { .is_v1 = false };
	enum sw_read_status status = open_source(&files, &job);

	state->is_v1 = files.is_v1;
	close_source(&files);
	return status;
}

static enum sw_read_status read_job(void *memory,
				    const struct sw_target *target,
				    uint64_t *values)
{
	const struct sw_target job = of_job(target);
	struct state files = { .is_v1 = false };
	enum sw_read_status status = open_source(&files, &job);

	(void)memory;
	if (status == SW_READ_OK)
		status = read_source(&files, &job, values);
	close_source(&files);
	return status == SW_READ_ABSENT ? SW_READ_GONE : status;
}

static const char *find_job_backend(const void *memory)
{
	const struct job_state *state = memory;

	return state->is_v1 ? "cgroup.v1" : "cgroup.v2";
}

const struct sw_source sw_src_job_memory = {
	.name = "job_memory",
	.backend = "cgroup.v2",
	.find_backend = find_job_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = MEM_COLUMNS,
	.state_size = sizeof(struct job_state),
	.open = open_job,
	.read = read_job,
	.absence = "no memory controller in a cgroup of the job",
};
