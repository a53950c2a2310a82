/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add up what the threads of a step wait for, sample by sample.  Threads are
 * counted as left out beyond SW_WAIT_GROUPS kinds of waits; stalls are not
 * reported beyond SW_WAITERS threads in I/O.
 */
#include "recorder/waits/wait_tally.h"

#include <string.h>
#include <sys/stat.h>

#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"

void sw_wait_tally_begin(struct sw_wait_tally *tally, uint64_t now_usec)
{
	size_t i;

	/* The time before the first sample is unknown. */
	tally->width_usec = tally->looks ?
			    sw_excess_u64(now_usec, tally->last_usec) : 0;
	tally->now_usec = tally->last_usec = now_usec;
	tally->looks++;
	tally->io.threads = 0;
	for (i = 0; i < tally->count; i++)
		tally->group[i].threads = 0;
}

/*
 * A page fault does not show its file: assign it to the file system of its type
 * if the step waits for only one.
 */
static bool is_same(const struct sw_wait_group *group,
		    const struct sw_wait_reason *reason, uint32_t device)
{
	return group->reason.kind == reason->kind &&
	       group->reason.fs == reason->fs &&
	       (group->device == device ||
		(!device && reason->fs != SW_FS_LOCAL &&
		 reason->fs != SW_FS_UNKNOWN));
}

static struct sw_wait_group *find_group(struct sw_wait_tally *tally,
					const struct sw_wait_reason *reason,
					uint32_t device)
{
	struct sw_wait_group *group, *found = NULL;
	size_t i;

	for (i = 0; i < tally->count; i++) {
		group = &tally->group[i];
		if (!is_same(group, reason, device))
			continue;
		if (group->device == device)
			return group;
		found = group;
	}
	if (found)
		return found;
	if (tally->count == SW_WAIT_GROUPS)
		return NULL;
	group = &tally->group[tally->count++];
	*group = (struct sw_wait_group){ .reason = *reason, .device = device };
	return group;
}

void sw_wait_tally_count(struct sw_wait_tally *tally, enum sw_wait_kind kind,
			 uint64_t threads)
{
	const struct sw_wait_reason reason = { kind, SW_FS_NONE };
	struct sw_wait_group *group = find_group(tally, &reason, 0);

	if (group)
		group->threads += threads;
	else
		tally->left_out += threads;
}

uint64_t sw_wait_tally_threads(const struct sw_wait_tally *tally,
			       enum sw_wait_kind kind)
{
	uint64_t threads = 0;
	size_t i;

	for (i = 0; i < tally->count; i++) {
		if (tally->group[i].reason.kind == kind)
			threads += tally->group[i].threads;
	}
	return threads;
}

static uint16_t first_known(const struct sw_wait_sight *sight)
{
	size_t i;

	for (i = 0; i < sight->depth; i++) {
		if (sight->function[i] < SW_WAIT_FUNCTIONS)
			return sight->function[i];
	}
	return SW_WAIT_FUNCTIONS;
}

static struct sw_waiter *find_waiter(struct sw_wait_tally *tally, pid_t tid)
{
	size_t i;

	for (i = 0; i < tally->waiter_count; i++) {
		if (tally->waiter[i].tid == tid)
			return &tally->waiter[i];
	}
	return NULL;
}

static void note_waiter(struct sw_wait_tally *tally,
			const struct sw_wait_seen *seen, size_t group)
{
	struct sw_waiter *waiter = find_waiter(tally, seen->tid);

	if (sw_is_missing(seen->switches))
		return;
	if (waiter && waiter->pid == seen->pid &&
	    waiter->switches == seen->switches) {
		waiter->looks = tally->looks;
		return;
	}
	/* The end of the earlier wait must still be reported. */
	if (waiter && waiter->told_usec)
		return;
	if (!waiter) {
		if (tally->waiter_count == SW_WAITERS)
			return;
		waiter = &tally->waiter[tally->waiter_count++];
	}
	*waiter = (struct sw_waiter){
		.pid = seen->pid, .tid = seen->tid,
		.switches = seen->switches, .since_usec = tally->now_usec,
		.looks = tally->looks, .call = seen->sight.syscall,
		.fd = seen->fd, .function = first_known(&seen->sight),
		.group = (uint8_t)group,
	};
}

/* Local files are where scratch files belong. */
static void note_scratch(struct sw_wait_tally *tally,
			 const struct sw_wait_seen *seen,
			 struct sw_wait_group *group)
{
	if (seen->device && seen->inode && S_ISREG(seen->sight.file_mode) &&
	    sw_wait_is_elsewhere(group->reason.fs))
		sw_scratch_see(&tally->scratch, &group->scratch,
			       &(struct sw_scratch_sight){
			.device = seen->device, .inode = seen->inode,
			.bytes = seen->file_bytes,
			.usec = tally->width_usec,
			.access = sw_wait_call_access(seen->sight.syscall),
		});
}

uint64_t sw_wait_tally_see(struct sw_wait_tally *tally,
			   const struct sw_wait_seen *seen)
{
	struct sw_wait_reason reason = sw_wait_explain(&seen->sight);
	bool is_io = reason.kind == SW_WAIT_IO;
	struct sw_wait_group *group;

	if (reason.kind == SW_WAIT_NONE)
		return 0;
	group = find_group(tally, &reason, is_io ? seen->device : 0);
	if (group) {
		group->threads++;
		group->pid = seen->pid;
		group->access_usec[sw_wait_call_access(seen->sight.syscall)] +=
			tally->width_usec;
	} else {
		tally->left_out++;
	}
	if (!is_io)
		return 0;
	tally->io.threads++;
	if (group) {
		note_waiter(tally, seen, (size_t)(group - tally->group));
		note_scratch(tally, seen, group);
	}
	return tally->width_usec;
}

static void add_time(struct sw_wait_group *group, uint64_t usec,
		     uint64_t running)
{
	group->intervals += group->threads && !group->is_waiting;
	group->is_waiting = group->threads > 0;
	if (!group->threads)
		return;
	group->thread_usec += group->threads * usec;
	group->some_usec += usec;
	if (!running)
		group->idle_usec += usec;
}

void sw_wait_tally_end(struct sw_wait_tally *tally, uint64_t running)
{
	size_t i, kept = 0;

	add_time(&tally->io, tally->width_usec, running);
	for (i = 0; i < tally->count; i++) {
		add_time(&tally->group[i], tally->width_usec, running);
		tally->group[i].is_stalled = false;
	}
	for (i = 0; i < tally->waiter_count; i++) {
		const struct sw_waiter *waiter = &tally->waiter[i];

		if (waiter->looks != tally->looks && !waiter->told_usec)
			continue;
		if (waiter->told_usec)
			tally->group[waiter->group].is_stalled = true;
		tally->waiter[kept++] = *waiter;
	}
	tally->waiter_count = kept;
	/* No thread hangs there any more: report the next one again. */
	for (i = 0; i < tally->count; i++)
		tally->group[i].is_told &= tally->group[i].is_stalled;
}

static void fill_stall(const struct sw_wait_tally *tally, size_t index,
		       uint64_t until_usec, struct sw_stall *stall)
{
	const struct sw_waiter *waiter = &tally->waiter[index];

	*stall = (struct sw_stall){
		.waiter = *waiter,
		.reason = tally->group[waiter->group].reason,
		.usec = sw_excess_u64(until_usec, waiter->since_usec),
		.is_over = waiter->told_usec != 0,
	};
}

bool sw_wait_tally_stall(struct sw_wait_tally *tally, struct sw_stall *stall)
{
	const uint64_t long_usec = SW_STALL_SECONDS * SW_USEC_PER_SEC;
	struct sw_wait_group *group;
	struct sw_waiter *waiter;
	size_t i;

	for (i = 0; i < tally->waiter_count; i++) {
		waiter = &tally->waiter[i];
		group = &tally->group[waiter->group];
		if (waiter->looks != tally->looks) {
			/* It was last seen in the previous sample. */
			fill_stall(tally, i, tally->now_usec -
				   tally->width_usec, stall);
			*waiter = tally->waiter[--tally->waiter_count];
			return true;
		}
		if (waiter->told_usec || group->is_told ||
		    tally->stalls == SW_STALLS_MAX ||
		    sw_excess_u64(tally->now_usec, waiter->since_usec) <
			    long_usec)
			continue;
		fill_stall(tally, i, tally->now_usec, stall);
		group->is_told = true;
		waiter->told_usec = tally->now_usec;
		tally->stalls++;
		return true;
	}
	return false;
}
