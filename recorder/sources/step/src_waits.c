/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons for which the threads of a step wait, a row per kind of wait, for I/O
 * one per file system: the number now, and the time so far.  The first row is
 * all I/O.  From BPF's passes, or from /proc; with many processes not in each
 * period.
 */
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/processes/visits.h"
#include "recorder/programs/programs.h"
#include "recorder/sources/source.h"
#include "recorder/sources/step/wait_proc.h"
#include "recorder/waits/wait_tally.h"

enum {
	THREADS, THREAD_USEC, SOME, IDLE, SKIPPED,
	SCRATCH_FILES, SCRATCH_BYTES, SCRATCH_USEC, LOCAL_FREE, COLUMNS,
	ALL_IO = 0, FIRST_GROUP,	/* subjects */
	LOOKUPS_MAX = 8,	/* per mount */
};

#define LOOKUP_USEC (10 * SW_USEC_PER_SEC)

static const struct sw_column columns[COLUMNS] = {
	[THREADS] = { "threads", "count", SW_KIND_GAUGE,
		      "Threads waiting for it." },
	[THREAD_USEC] = { "thread_usec", "usec", SW_KIND_COUNTER,
			 "Time that threads waited, summed." },
	[SOME] = { "some_usec", "usec", SW_KIND_COUNTER,
		  "Time in which at least one thread waited." },
	[IDLE] = { "idle_usec", "usec", SW_KIND_COUNTER,
		  "The part of it in which no thread of the step was running." },
	[SKIPPED] = { "skipped_threads", "count", SW_KIND_COUNTER,
		      "Threads that were not sampled, summed over samples." },
	[SCRATCH_FILES] = { "scratch_files", "count", SW_KIND_COUNTER,
			    "Files on another machine that threads were seen "
			    "waiting to write, and later to read." },
	[SCRATCH_BYTES] = { "scratch_bytes", "bytes", SW_KIND_COUNTER,
			    "Their size." },
	[SCRATCH_USEC] = { "scratch_usec", "usec", SW_KIND_COUNTER,
			   "Time that threads waited for them, summed." },
	[LOCAL_FREE] = { "local_free_bytes", "bytes", SW_KIND_GAUGE,
			 "Free space of the node's local_scratch, once there "
			 "are such files." },
};

/* Subject of a group of waits, once known */
struct place {
	struct sw_mount mount;
	bool has_mount;
	bool is_new;		/* found since it was described */
	unsigned lookups;
	uint64_t looked_usec;
};

struct state {
	struct sw_programs *programs;
	int proc_fd;
	const struct sw_wait_tally *tally;	/* of the last read */
	bool is_interim;		/* use /proc until BPF is ready */
	/* Time of the last check; or 0 */
	uint64_t local_free_bytes, space_usec;
	struct sw_wait_proc *proc;	/* NULL: BPF is used */
	struct place place[SW_WAIT_GROUPS];
};

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;
	const char *backend =
		state->programs ? sw_programs_waits_backend(state->programs)
				: NULL;

	return backend ? backend : "proc";
}

/* Choose BPF, /proc, or /proc until BPF is ready. */
static enum sw_read_status choose(struct state *state,
				  const struct sw_target *target)
{
	if (state->programs && sw_programs_waits_backend(state->programs))
		return SW_READ_OK;
	if (!target->tree)
		return SW_READ_ABSENT;
	state->proc = sw_wait_proc_create();
	if (!state->proc)
		return SW_READ_ABSENT;
	state->is_interim =
		state->programs && sw_programs_is_coming(state->programs);
	return state->is_interim ? SW_READ_LATER : SW_READ_OK;
}

/* Switch to BPF once it is ready, with the tally so far. */
static enum sw_read_status go_over(struct state *state,
				   const struct sw_target *target)
{
	if (sw_programs_is_coming(state->programs)) {
		sw_wait_proc_sample(state->proc, target, true);
		return SW_READ_LATER;
	}
	state->is_interim = false;
	if (sw_programs_waits_backend(state->programs)) {
		sw_programs_adopt_waits(state->programs,
					sw_wait_proc_tally(state->proc));
		sw_wait_proc_destroy(state->proc);
		state->proc = NULL;
	}
	return SW_READ_OK;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->programs = target->programs;
	state->proc_fd = target->proc_fd;
	return choose(state, target);
}

static void put_group(const struct sw_wait_group *group, uint64_t *values)
{
	values[THREADS] = group->threads;
	values[THREAD_USEC] = group->thread_usec;
	values[SOME] = group->some_usec;
	values[IDLE] = group->idle_usec;
}

static void put_scratch(const struct sw_wait_group *group, uint64_t *values)
{
	if (!sw_wait_is_elsewhere(group->reason.fs))
		return;
	values[SCRATCH_FILES] = group->scratch.files;
	values[SCRATCH_BYTES] = group->scratch.bytes;
	values[SCRATCH_USEC] = group->scratch.usec;
}

static bool has_scratch(const struct sw_wait_tally *tally)
{
	size_t i;

	for (i = 0; i < tally->count; i++) {
		if (tally->group[i].scratch.files)
			return true;
	}
	return false;
}

/* Get the free space only if it matters, and not in each sample. */
static uint64_t local_free(struct state *state)
{
	uint64_t now = sw_clock_boottime_usec();

	if (!has_scratch(state->tally))
		return SW_MISSING;
	if (!state->space_usec || now - state->space_usec >= LOOKUP_USEC) {
		state->space_usec = now;
		if (!sw_visit_local_space(state->proc_fd,
					  &state->local_free_bytes))
			state->local_free_bytes = SW_MISSING;
	}
	return state->local_free_bytes;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct state *state = memory;
	enum sw_read_status status = SW_READ_OK;
	uint64_t *values;
	size_t i;

	if (state->is_interim)
		status = go_over(state, target);
	if (status != SW_READ_OK)
		return status;
	if (state->proc) {
		status = sw_wait_proc_sample(state->proc, target, false);
		state->tally = sw_wait_proc_tally(state->proc);
	} else {
		state->tally = sw_programs_waits(state->programs);
	}
	if (target->waits)
		*target->waits = state->tally;
	if (status != SW_READ_OK || !state->tally)
		return status != SW_READ_OK ? status : SW_READ_GONE;
	values = sw_rows_add(rows, ALL_IO);
	if (values) {
		put_group(&state->tally->io, values);
		values[SKIPPED] = state->tally->left_out;
		values[LOCAL_FREE] = local_free(state);
	}
	for (i = 0; i < state->tally->count; i++) {
		values = sw_rows_add(rows, FIRST_GROUP + i);
		if (values) {
			put_group(&state->tally->group[i], values);
			put_scratch(&state->tally->group[i], values);
		}
	}
	return SW_READ_OK;
}

/* Find the mount in a thread, at a limited rate: the table may hang. */
static void find_mount(struct state *state, size_t index)
{
	const struct sw_wait_group *group = &state->tally->group[index];
	struct place *place = &state->place[index];
	uint64_t now = sw_clock_boottime_usec();

	if (place->has_mount || place->lookups == LOOKUPS_MAX ||
	    (place->lookups && now - place->looked_usec < LOOKUP_USEC) ||
	    (!group->device && (group->reason.fs == SW_FS_LOCAL ||
				group->reason.fs == SW_FS_UNKNOWN)))
		return;
	place->lookups++;
	place->looked_usec = now;
	place->mount = (struct sw_mount){ .device = group->device,
					  .fs = group->reason.fs };
	place->has_mount = sw_visit_mount(state->proc_fd, group->pid,
					  &place->mount);
	place->is_new = place->has_mount;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	struct state *state = memory;
	const struct sw_wait_group *group;
	struct place *place;

	if (!state->tally || index >= FIRST_GROUP + state->tally->count)
		return false;
	if (index == ALL_IO) {
		snprintf(subject->kind, sizeof(subject->kind), "all");
		snprintf(subject->name, sizeof(subject->name), "io");
		return true;
	}
	index -= FIRST_GROUP;
	group = &state->tally->group[index];
	place = &state->place[index];
	snprintf(subject->kind, sizeof(subject->kind), "%s",
		 sw_wait_kind_name(group->reason.kind));
	if (group->reason.kind != SW_WAIT_IO)
		return true;
	find_mount(state, index);
	place->is_new = false;
	if (place->has_mount) {
		snprintf(subject->name, sizeof(subject->name), "%s",
			 place->mount.point);
		snprintf(subject->detail, sizeof(subject->detail), "%s %s",
			 place->mount.type, place->mount.source);
	} else {
		snprintf(subject->name, sizeof(subject->name), "%s",
			 sw_wait_fs_name(group->reason.fs));
	}
	return true;
}

static bool is_renamed(void *memory, uint64_t index)
{
	struct state *state = memory;

	if (!state->tally || index < FIRST_GROUP ||
	    index >= FIRST_GROUP + state->tally->count)
		return false;
	index -= FIRST_GROUP;
	if (state->tally->group[index].reason.kind != SW_WAIT_IO)
		return false;
	if (state->tally->group[index].threads)
		find_mount(state, index);
	return state->place[index].is_new;
}

static const char *reason(const void *memory, enum sw_read_status status)
{
	(void)memory;
	switch (status) {
	case SW_READ_OK:
		return "";	/* the backend of /proc samples less often */
	case SW_READ_GONE:
		return "threads can no longer be sampled";
	default:
		return "the step's threads could not be sampled";
	}
}

static void close_source(void *memory)
{
	struct state *state = memory;

	sw_wait_proc_destroy(state->proc);
	state->proc = NULL;
}

const struct sw_source sw_src_waits = {
	.name = "waits",
	.backend = "proc",
	.find_backend = find_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = 1 + SW_WAIT_GROUPS,
	.read_rows = read_source,
	.describe = describe,
	.is_renamed = is_renamed,
	.reason = reason,
	.close = close_source,
};
