/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The crash guard: a page next to the socket, shared with the next recorder,
 * which contains the job being processed, and the job that uses most of the
 * memory.  The first is blamed if a recorder crashed (SIGSEGV and the like),
 * the second if it was killed by its cgroup's memory limit: that job is not
 * recorded any more.  After SW_GUARD_CRASHES_MAX consecutive crashes, no
 * recorder starts until the administrator removes the file or the node reboots.
 */
#ifndef SW_RECORDER_NODE_GUARD_H
#define SW_RECORDER_NODE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

enum { SW_GUARD_CRASHES_MAX = 5, SW_GUARD_JOBS_MAX = 32 };

struct sw_guard_page {
	uint32_t magic;
	uint32_t crashes;		/* since one ran for an hour */
	uint32_t busy_job;		/* 0: none */
	uint32_t has_faulted;		/* 1: it crashed */
	uint32_t oom_kills;		/* in the recorders' cgroup so far */
	uint32_t skipped_count;		/* may exceed the array: ring buffer */
	uint32_t skipped[SW_GUARD_JOBS_MAX];
	uint32_t heaviest_job;		/* 0: none */
};

struct sw_node_guard {
	struct sw_guard_page *page;	/* never NULL */
	struct sw_guard_page own;	/* used if there is no file */
};

/*
 * Open NAME below dirfd, evaluate the last recorder's crash, and catch fatal
 * signals.  oom_kills is the count of the recorders' cgroup, 0 if there is
 * none; for a unit, whose cgroup is removed, a file NAME.oom has the same
 * meaning, and is removed.  Return -1 with *error if no recorder may start.
 */
int sw_node_guard_open(struct sw_node_guard *guard, int dirfd,
		       const char *name, uint32_t oom_kills,
		       struct sw_error *error);

/* Set the job that uses most memory; 0: none. */
static inline void sw_node_guard_weigh(struct sw_node_guard *guard,
				       uint32_t job_id)
{
	guard->page->heaviest_job = job_id;
}

/* Between these calls, a crash is attributed to the job. */
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

/* This recorder has proved stable: reset the number of crashes. */
void sw_node_guard_forgive(struct sw_node_guard *guard);

#endif
