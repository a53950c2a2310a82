/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The crash guard: a page beside the socket, shared with the next recorder,
 * that says at which job's data this one is at work, and which job holds most
 * of its memory.  The first is blamed where a recorder died of a fault of its
 * own (SIGSEGV and the like), the second where its cgroup's memory limit killed
 * it, whatever it was at: that job is not recorded again.  After
 * SW_GUARD_CRASHES_MAX of these in a row no recorder starts until the
 * administrator removes the file or the node boots.
 */
#ifndef SW_RECORDER_NODE_GUARD_H
#define SW_RECORDER_NODE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

enum { SW_GUARD_CRASHES_MAX = 5, SW_GUARD_JOBS_MAX = 32 };

struct sw_guard_page {
	uint32_t magic;
	uint32_t crashes;		/* since one was alive for an hour */
	uint32_t busy_job;		/* 0: none */
	uint32_t has_faulted;		/* 1: it died of it */
	uint32_t oom_kills;		/* in the recorders' cgroup so far */
	uint32_t skipped_count;		/* may pass the room: the ring wraps */
	uint32_t skipped[SW_GUARD_JOBS_MAX];
	uint32_t heaviest_job;		/* 0: none */
};

struct sw_node_guard {
	struct sw_guard_page *page;	/* never NULL */
	struct sw_guard_page own;	/* where no file can be had */
};

/*
 * Open NAME below the folder dirfd, look at what the last recorder was at, and
 * catch what this one may die of.  oom_kills is the count of the recorders'
 * cgroup, 0 where there is none; a file NAME.oom says the same of a unit, whose
 * cgroup goes with it, and is removed.  Returns -1 with *error where none may
 * start.
 */
int sw_node_guard_open(struct sw_node_guard *guard, int dirfd,
		       const char *name, uint32_t oom_kills,
		       struct sw_error *error);

/* The job that holds most memory, 0: none does. */
static inline void sw_node_guard_weigh(struct sw_node_guard *guard,
				       uint32_t job_id)
{
	guard->page->heaviest_job = job_id;
}

/* Between these a crash is the job's. */
static inline void sw_node_guard_enter(struct sw_node_guard *guard,
				       uint32_t job_id)
{
	guard->page->busy_job = job_id;
}

static inline void sw_node_guard_leave(struct sw_node_guard *guard)
{
	guard->page->busy_job = 0;
}

bool sw_node_guard_skips(const struct sw_node_guard *guard, uint32_t job_id);

/* This recorder has proved to live: crashes are counted anew. */
void sw_node_guard_forgive(struct sw_node_guard *guard);

#endif
