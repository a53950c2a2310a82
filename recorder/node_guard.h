/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The crash guard: a page beside the socket, shared with the next recorder,
 * that says at which job's data this one is at work.  A job at whose data a
 * recorder has died of a fault of its own (SIGSEGV and the like, or its
 * cgroup's memory limit) is not recorded again; after SW_GUARD_CRASHES_MAX of these in a row
 * no recorder starts until the administrator removes the file or the node
 * boots.
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
};

struct sw_node_guard {
	struct sw_guard_page *page;	/* never NULL */
	struct sw_guard_page own;	/* where no file can be had */
};

/*
 * Open NAME below the folder dirfd, look at what the last recorder was at, and
 * catch what this one may die of.  oom_kills is the count of the recorders'
 * cgroup, 0 where there is none.  Returns -1 with *error where none may start.
 */
int sw_node_guard_open(struct sw_node_guard *guard, int dirfd,
		       const char *name, uint32_t oom_kills,
		       struct sw_error *error);

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
