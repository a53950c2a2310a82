/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose child was it? */
#include "recorder/programs/lineage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/share.h"
#include "recorder/processes/helpers.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/tables/self.h"

/*
 * An end is told a little before the children go to another parent: they may
 * be told of later, as its children.
 */
#define REMEMBER_USEC SW_USEC_PER_SEC

enum { DEPTH_MAX = 64, STATUS_SIZE = 8192, FIRST_PROCESS = 1 };

enum verdict { IS_OURS, IS_FOREIGN, IS_GONE };

int sw_lineage_open(struct sw_lineage *lineage, int proc_fd)
{
	memset(lineage, 0, sizeof(*lineage));
	lineage->proc_fd = proc_fd;
	lineage->pending = calloc(SW_LINEAGE_MAX, sizeof(pid_t));
	lineage->dead = calloc(SW_LINEAGE_DEAD, sizeof(*lineage->dead));
	if (lineage->pending && lineage->dead &&
	    sw_pid_map_open(&lineage->map, (size_t)2 * SW_LINEAGE_MAX,
			    sizeof(struct sw_kin)) == 0)
		return 0;
	free(lineage->pending);
	free(lineage->dead);
	return -1;
}

void sw_lineage_close(struct sw_lineage *lineage)
{
	sw_pid_map_close(&lineage->map);
	free(lineage->pending);
	free(lineage->dead);
	memset(lineage, 0, sizeof(*lineage));
}

/* False, and it stays nobody's, where the owner's job has its share. */
static bool own(struct sw_kin *kin, struct sw_lineage_owner *owner)
{
	if (!sw_share_take(owner->share, 1))
		return false;
	kin->owner = owner;
	kin->share = owner->share;
	return true;
}

static void drop(struct sw_lineage *lineage, struct sw_kin *kin)
{
	sw_share_give(kin->share, 1);
	sw_pid_map_remove(&lineage->map, kin->pid);
}

/* One that is not there. */
static struct sw_kin *add(struct sw_lineage *lineage, pid_t pid)
{
	struct sw_kin *kin = sw_pid_map_add(&lineage->map, pid);

	if (kin)
		kin->program = SW_NO_PROGRAM;
	return kin;
}

/* Likewise.  The share first: the table is dear to search where it is full. */
static struct sw_kin *add_owned(struct sw_lineage *lineage, pid_t pid,
				struct sw_lineage_owner *owner)
{
	struct sw_kin *kin;

	if (!sw_share_take(owner->share, 1))
		return NULL;
	kin = add(lineage, pid);
	if (!kin) {
		sw_share_give(owner->share, 1);
		return NULL;
	}
	kin->owner = owner;
	kin->share = owner->share;
	return kin;
}

int sw_lineage_add(struct sw_lineage *lineage, pid_t pid,
		   struct sw_lineage_owner *owner)
{
	struct sw_kin *before = sw_pid_map_find(&lineage->map, pid);

	if (before)
		drop(lineage, before);
	if (add_owned(lineage, pid, owner))
		return 0;
	errno = ENOSPC;
	return -1;
}

void sw_lineage_inherit(struct sw_lineage *lineage,
			struct sw_lineage_owner *owner)
{
	lineage->heir = owner;
}

static void add_sums(struct sw_taskstats_sums *to,
		     const struct sw_taskstats_sums *more)
{
	to->cpu_nsec += more->cpu_nsec;
	to->user_usec += more->user_usec;
	to->system_usec += more->system_usec;
	to->run_delay_nsec += more->run_delay_nsec;
	to->rchar += more->rchar;
	to->wchar += more->wchar;
	to->read_bytes += more->read_bytes;
	to->write_bytes += more->write_bytes;
}

static void put_off(struct sw_lineage *lineage, struct sw_kin *kin)
{
	if (kin->is_pending || lineage->pending_count == SW_LINEAGE_MAX)
		return;
	kin->is_pending = true;
	lineage->pending[lineage->pending_count++] = kin->pid;
}

/* It has ended, a moment ago; NULL: not that anybody knows. */
static const struct sw_dead *find_dead(const struct sw_lineage *lineage,
				       pid_t pid)
{
	const struct sw_dead *dead = &lineage->dead[pid % SW_LINEAGE_DEAD];

	return pid > 0 && dead->pid == pid &&
	       sw_clock_boottime_usec() - dead->ended_usec < REMEMBER_USEC ?
		       dead : NULL;
}

static void remember_dead(struct sw_lineage *lineage, const struct sw_kin *kin)
{
	lineage->dead[kin->pid % SW_LINEAGE_DEAD] = (struct sw_dead){
		.pid = kin->pid, .owner = kin->owner,
		.ended_usec = sw_clock_boottime_usec() };
}

/* The process that a thread was of, new where it is not known; or NULL. */
static struct sw_kin *find_process(struct sw_lineage *lineage,
				   const struct sw_taskstats_end *end)
{
	struct sw_kin *kin = sw_pid_map_find(&lineage->map, end->process);

	/* Of two that end at once, the last may be told of first. */
	if (kin ? kin->has_ended :
		  !end->is_last && find_dead(lineage, end->process))
		return NULL;
	if (kin)
		return kin;
	kin = add(lineage, end->process);
	lineage->missed += !kin;
	return kin;
}

struct sw_kin *sw_lineage_see(struct sw_lineage *lineage, pid_t pid,
			      struct sw_lineage_owner *owner)
{
	struct sw_kin *kin = sw_pid_map_find(&lineage->map, pid);

	if (!kin)
		return find_dead(lineage, pid) ?
			       NULL : add_owned(lineage, pid, owner);
	if (kin->has_ended || (kin->owner && kin->owner != owner) ||
	    (!kin->owner && !own(kin, owner)))
		return NULL;
	return kin;
}

void sw_lineage_take(struct sw_lineage *lineage,
		     const struct sw_taskstats_end *end)
{
	struct sw_kin *kin = find_process(lineage, end);
	bool is_leader = end->pid == end->process;

	if (!kin)
		return;
	kin->parent = end->parent;
	add_sums(&kin->sums, &end->sums);
	if (end->peak_bytes > kin->peak_bytes)
		kin->peak_bytes = end->peak_bytes;
	if (is_leader || !kin->has_leader) {
		memcpy(kin->comm, end->comm, sizeof(kin->comm));
		kin->wait_status = end->wait_status;
	}
	kin->has_leader |= is_leader;
	if (end->is_last) {
		kin->has_ended = true;
		kin->elapsed_usec = end->elapsed_usec;
		/* The main thread may have ended well before the others. */
		if (end->wait_status & 0x7f)
			kin->wait_status = end->wait_status;
	}
	if (!kin->owner || kin->has_ended)
		put_off(lineage, kin);
}

/* 0: it is gone. */
static pid_t parent_of(int proc_fd, pid_t pid)
{
	char path[32], text[STATUS_SIZE];
	const char *line;

	/* Not its stat, which may not answer while it executes. */
	snprintf(path, sizeof(path), "%d/status", (int)pid);
	if (sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) != SW_READ_OK)
		return 0;
	line = strstr(text, "\nPPid:\t");
	return line ? (pid_t)strtol(line + 7, NULL, 10) : 0;
}

/* From child to parent, until somebody is known. */
static enum verdict judge(const struct sw_lineage *lineage, pid_t child,
			  pid_t parent, struct sw_lineage_owner **owner)
{
	const struct sw_dead *dead;
	const struct sw_kin *kin;
	int depth;

	for (depth = 0; depth < DEPTH_MAX && parent > FIRST_PROCESS; depth++) {
		if (parent == getpid()) {
			*owner = lineage->heir;
			return lineage->heir && !sw_helpers_have(child) ?
				       IS_OURS : IS_FOREIGN;
		}
		kin = sw_pid_map_find(&lineage->map, parent);
		if (kin && kin->owner) {
			*owner = kin->owner;
			return IS_OURS;
		}
		dead = kin ? NULL : find_dead(lineage, parent);
		if (dead) {
			*owner = dead->owner;
			return IS_OURS;
		}
		child = parent;
		parent = kin ? kin->parent :
			       parent_of(lineage->proc_fd, child);
		if (!kin && parent == 0 && child != FIRST_PROCESS)
			return IS_GONE;
	}
	return IS_FOREIGN;
}

/* It is owner's; who has ended is buried at once, and costs nothing. */
static void give(struct sw_kin *kin, struct sw_lineage_owner *owner)
{
	if (kin->has_ended) {
		kin->owner = owner;
	} else if (!own(kin, owner)) {
		kin->is_foreign = true;
		owner->missed++;
	}
}

/* Of all that is to be done: whose they are. */
static void judge_all(struct sw_lineage *lineage, bool is_sure)
{
	/* Most of what ends on a node has few parents. */
	struct {
		pid_t parent;
		enum verdict verdict;
		struct sw_lineage_owner *owner;
	} last = { .parent = 0 };
	struct sw_kin *kin;
	size_t i;

	for (i = 0; i < lineage->pending_count; i++) {
		kin = sw_pid_map_find(&lineage->map, lineage->pending[i]);
		if (!kin || kin->owner)
			continue;
		if (kin->parent != last.parent || kin->parent == getpid()) {
			last.parent = kin->parent;
			last.verdict = judge(lineage, kin->pid, kin->parent,
					     &last.owner);
		}
		if (last.verdict == IS_OURS)
			give(kin, last.owner);
		kin->is_foreign |= last.verdict == IS_FOREIGN ||
				  (last.verdict == IS_GONE && is_sure);
	}
}

size_t sw_lineage_resolve(struct sw_lineage *lineage, bool is_sure,
			  void (*bury)(struct sw_lineage_owner *owner,
				       struct sw_kin *kin))
{
	size_t i, left = 0;
	struct sw_kin *kin;

	judge_all(lineage, is_sure);
	/* From behind: what the map has behind an entry makes removal dear. */
	for (i = lineage->pending_count; i-- > 0; ) {
		kin = sw_pid_map_find(&lineage->map, lineage->pending[i]);
		if (!kin || (!kin->owner && !kin->is_foreign))
			continue;
		lineage->pending[i] = 0;
		kin->is_pending = false;
		if (kin->owner && !kin->has_ended)
			continue;
		if (kin->owner) {
			remember_dead(lineage, kin);
			bury(kin->owner, kin);
		}
		drop(lineage, kin);
	}
	for (i = 0; i < lineage->pending_count; i++) {
		if (lineage->pending[i])
			lineage->pending[left++] = lineage->pending[i];
	}
	lineage->pending_count = left;
	return left;
}

void sw_lineage_purge(struct sw_lineage *lineage,
		      void (*lose)(struct sw_lineage_owner *owner,
				   struct sw_kin *kin))
{
	struct sw_kin *kin;
	size_t slot = 0;

	while ((kin = sw_pid_map_next(&lineage->map, &slot))) {
		if (kin->has_ended || kin->is_pending ||
		    parent_of(lineage->proc_fd, kin->pid))
			continue;
		lose(kin->owner, kin);
		drop(lineage, kin);
		slot--;		/* another may have moved up */
	}
}

void sw_lineage_forget(struct sw_lineage *lineage,
		       const struct sw_lineage_owner *owner)
{
	struct sw_kin *kin;
	size_t slot = 0;

	if (lineage->heir == owner)
		lineage->heir = NULL;
	memset(lineage->dead, 0, SW_LINEAGE_DEAD * sizeof(*lineage->dead));
	while ((kin = sw_pid_map_next(&lineage->map, &slot))) {
		if (kin->owner != owner)
			continue;
		drop(lineage, kin);
		slot--;
	}
}
