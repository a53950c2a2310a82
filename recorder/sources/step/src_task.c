/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of each task of a step: of its processes, from BPF's passes, or from
 * the process tree, where the usage of an orphan is lost when it exits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/units.h"
#include "recorder/bpf/account.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/sources/source.h"

enum {
	CPU, RUN_QUEUE_WAIT, RSS, HIWATER, RCHAR, WCHAR, READ_BYTES,
	WRITE_BYTES, PROCESSES, THREADS, RUNNING, BLOCKED,
	COLUMNS,
	NOBODY = UINT16_MAX,
};

static const struct sw_column columns[COLUMNS] = {
	[CPU] = { "cpu_usec", "usec", SW_KIND_COUNTER,
		  "CPU time of its processes, including exited ones." },
	[RUN_QUEUE_WAIT] = { "run_queue_wait_usec", "usec", SW_KIND_COUNTER,
			     "Time waiting for a CPU, all threads; with /proc, "
			     "the main threads." },
	[RSS] = { "rss", "bytes", SW_KIND_GAUGE,
		  "Resident memory of its processes, summed." },
	[HIWATER] = { "hiwater_max", "bytes", SW_KIND_PEAK,
		      "Largest VmHWM of one of its processes." },
	[RCHAR] = { "rchar", "bytes", SW_KIND_COUNTER,
		    "Bytes read by system calls." },
	[WCHAR] = { "wchar", "bytes", SW_KIND_COUNTER,
		    "Bytes written by system calls." },
	[READ_BYTES] = { "read_bytes", "bytes", SW_KIND_COUNTER,
			 "Bytes read from block devices." },
	[WRITE_BYTES] = { "write_bytes", "bytes", SW_KIND_COUNTER,
			  "Bytes written to block devices." },
	[PROCESSES] = { "processes", "count", SW_KIND_GAUGE,
			"Its processes." },
	[THREADS] = { "threads", "count", SW_KIND_GAUGE, "Their threads." },
	[RUNNING] = { "running", "count", SW_KIND_GAUGE,
		      "Runnable threads; with /proc, main threads." },
	[BLOCKED] = { "blocked", "count", SW_KIND_GAUGE,
		      "Threads in uninterruptible sleep, likewise." },
};

/* Maxima so far of values that must not decrease: peaks, and counters */
struct kept {
	uint64_t value[COLUMNS];
};

struct state {
	struct sw_programs *programs;
	size_t count;
	bool has_seen;		/* process seen in the tree */
	uint64_t rank[SW_SUBJECTS_MAX];
	struct kept kept[SW_SUBJECTS_MAX];
};

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;
	const char *backend =
		state->programs ? sw_programs_sample_backend(state->programs)
				: NULL;

	return backend ? backend : "proc";
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	size_t i;

	state->programs = target->programs;
	state->count = target->task_count < SW_SUBJECTS_MAX ?
		       target->task_count : SW_SUBJECTS_MAX;
	for (i = 0; i < state->count; i++)
		state->rank[i] = target->tasks[i].rank;
	memset(state->kept, 0xff, sizeof(state->kept));	/* SW_MISSING */
	if (!target->tree || state->count == 0)
		return SW_READ_ABSENT;
	return state->programs && sw_programs_is_coming(state->programs)
		       ? SW_READ_LATER
		       : SW_READ_OK;
}

static void put_part(const struct sw_account_part *part, uint64_t *values)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	values[CPU] = part->sums.runtime_nsec / SW_NSEC_PER_USEC;
	values[RUN_QUEUE_WAIT] = part->sums.run_delay_nsec / SW_NSEC_PER_USEC;
	values[RSS] = part->rss * page;
	values[HIWATER] = part->hiwater_max * page;
	values[RCHAR] = part->sums.rchar;
	values[WCHAR] = part->sums.wchar;
	values[READ_BYTES] = part->sums.read_bytes;
	values[WRITE_BYTES] = part->sums.write_bytes;
	values[PROCESSES] = part->processes;
	values[THREADS] = part->threads;
	values[RUNNING] = part->running;
	values[BLOCKED] = part->blocked;
}

static void read_account(const struct state *state,
			 const struct sw_account *account,
			 struct sw_rows *rows)
{
	uint64_t *values;
	size_t i;

	for (i = 0; i < state->count && i < account->task_count; i++) {
		values = sw_rows_add(rows, i);
		if (values)
			put_part(&account->tasks[i], values);
	}
}

static void add(uint64_t *values, unsigned column, uint64_t value)
{
	values[column] = sw_sum_u64(values[column], value);
}

static void add_process(uint64_t *values, const struct sw_process *process)
{
	add(values, CPU, sw_add_u64(process->user_usec,
				    process->system_usec));
	add(values, CPU, sw_add_u64(process->waited_user_usec,
				    process->waited_system_usec));
	add(values, RUN_QUEUE_WAIT, process->run_queue_wait_usec);
	add(values, RSS, sw_add_u64(sw_add_u64(process->rss_anon_bytes,
					       process->rss_file_bytes),
				    process->rss_shmem_bytes));
	add(values, RCHAR, process->io[SW_IO_RCHAR]);
	add(values, WCHAR, process->io[SW_IO_WCHAR]);
	add(values, READ_BYTES, process->io[SW_IO_READ_BYTES]);
	add(values, WRITE_BYTES, process->io[SW_IO_WRITE_BYTES]);
	add(values, PROCESSES, 1);
	add(values, THREADS, process->thread_count);
	add(values, RUNNING, process->state == 'R');
	add(values, BLOCKED, process->state == 'D');
	values[HIWATER] = sw_max_u64(values[HIWATER], process->hiwater_bytes);
}

/* Return the task of a process: itself, or the task of its parent. */
static uint16_t owner_of(const struct sw_target *target, size_t index,
			 const uint16_t *owner)
{
	const struct sw_process *process = sw_tree_process(target->tree,
							   index);
	size_t i;

	for (i = 0; i < target->task_count && i < SW_SUBJECTS_MAX; i++) {
		if (process->pid == target->tasks[i].pid)
			return (uint16_t)i;
	}
	for (i = 0; i < index; i++) {
		if (sw_tree_process(target->tree, i)->pid == process->parent)
			return owner[i];
	}
	return NOBODY;
}

/* Keep the maximum, which includes processes that disappeared. */
static void keep(struct kept *kept, uint64_t *values)
{
	unsigned i;

	for (i = 0; i < COLUMNS; i++) {
		if (columns[i].kind == SW_KIND_GAUGE)
			continue;
		kept->value[i] = sw_max_u64(kept->value[i], values[i]);
		values[i] = kept->value[i];
	}
}

static void read_tree(struct state *state, const struct sw_target *target,
		      struct sw_rows *rows)
{
	uint64_t *values[SW_SUBJECTS_MAX];
	uint16_t owner[SW_TREE_PROCESSES_MAX];
	size_t i;

	for (i = 0; i < state->count; i++) {
		values[i] = sw_rows_add(rows, i);
		if (values[i])
			values[i][PROCESSES] = values[i][THREADS] =
				values[i][RUNNING] = values[i][BLOCKED] = 0;
	}
	for (i = 0; i < sw_tree_count(target->tree); i++) {
		/* Parents precede their children. */
		owner[i] = owner_of(target, i, owner);
		if (owner[i] != NOBODY && values[owner[i]])
			add_process(values[owner[i]],
				    sw_tree_process(target->tree, i));
	}
	for (i = 0; i < state->count; i++) {
		if (values[i])
			keep(&state->kept[i], values[i]);
	}
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct state *state = memory;
	const struct sw_account *account =
		target->programs ? sw_programs_sample(target->programs) : NULL;

	if (account) {
		read_account(state, account, rows);
		return SW_READ_OK;
	}
	if (target->programs && sw_programs_is_coming(target->programs))
		return SW_READ_LATER;
	state->has_seen |= sw_tree_count(target->tree) > 0;
	if (!state->has_seen)
		return sw_tree_garbled(target->tree) ? SW_READ_GARBAGE :
						       SW_READ_ABSENT;
	read_tree(state, target, rows);
	return SW_READ_OK;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;

	if (index >= state->count)
		return false;
	snprintf(subject->kind, sizeof(subject->kind), "task");
	if (!sw_is_missing(state->rank[index]))
		snprintf(subject->name, sizeof(subject->name), "%" PRIu64,
			 state->rank[index]);
	return true;
}

const struct sw_source sw_src_task = {
	.name = "task",
	.backend = "proc",
	.find_backend = find_backend,
	.scope = SW_SCOPE_TASK,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = SW_SUBJECTS_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "the command's processes were not followed",
};
