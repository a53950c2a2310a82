/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose child was it?  Ends of threads are told of all processes on the node;
 * one is a step's when its parent is, and that may be known only when the
 * parent has ended, too.  All steps of a node have one table, whose entries
 * their jobs share (share.h); a process whose job has its share is counted when
 * it ends, but for what its threads used that ended before.
 */
#ifndef SW_RECORDER_LINEAGE_H
#define SW_RECORDER_LINEAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/programs/pid_map.h"
#include "recorder/programs/taskstats.h"

enum {
	SW_LINEAGE_MAX = 32768,
	/* Those of jobs; the rest is for ends that are nobody's yet. */
	SW_LINEAGE_SHARED = SW_LINEAGE_MAX / 4 * 3,
	SW_LINEAGE_DEAD = 8192,
};

struct sw_share;

/* Who has processes: a step. */
struct sw_lineage_owner {
	struct sw_share *share;	/* the job's, of entries; NULL: unbounded */
	uint64_t missed;	/* threads whose ends it had no room for */
};

/* A process, of a step or of nobody knows whom yet. */
struct sw_kin {
	pid_t pid;
	pid_t parent;
	struct sw_lineage_owner *owner;	/* NULL: not known yet */
	struct sw_share *share;		/* has paid for it; NULL: nobody */
	bool has_ended, has_leader, is_pending, is_foreign;
	/* Of the threads that have ended. */
	int wait_status;
	char comm[SW_TASKSTATS_COMM_SIZE];
	uint64_t elapsed_usec, peak_bytes;
	struct sw_taskstats_sums sums;
	/* The user's: what it said of it while it lived. */
	unsigned program;
	uint64_t user_usec, system_usec;
};

/* A step's process that has ended a moment ago. */
struct sw_dead {
	pid_t pid;
	struct sw_lineage_owner *owner;
	uint64_t ended_usec;
};

struct sw_lineage {
	int proc_fd;
	struct sw_pid_map map;		/* of struct sw_kin */
	/* Of orphans that come to this process. */
	struct sw_lineage_owner *heir;
	size_t pending_count;		/* no owner yet, or to be buried: */
	pid_t *pending;
	struct sw_dead *dead;		/* by their pids, the last ones */
	uint64_t missed;		/* ends without room, nobody's yet */
};

/* 0, or -1 without memory. */
int sw_lineage_open(struct sw_lineage *lineage, int proc_fd);
void sw_lineage_close(struct sw_lineage *lineage);

/* A process of owner's.  0, or -1 with errno where there is no room. */
int sw_lineage_add(struct sw_lineage *lineage, pid_t pid,
		   struct sw_lineage_owner *owner);

/* Children of this process are owner's, but for the recorder's helpers. */
void sw_lineage_inherit(struct sw_lineage *lineage,
			struct sw_lineage_owner *owner);

/*
 * A living process, as the step's tree has it; NULL: not to be counted, or not
 * until it ends, as the job has its share.
 */
struct sw_kin *sw_lineage_see(struct sw_lineage *lineage, pid_t pid,
			      struct sw_lineage_owner *owner);

/* A thread has ended. */
void sw_lineage_take(struct sw_lineage *lineage,
		     const struct sw_taskstats_end *end);

/*
 * Find out whose those are that nobody knew, and hand over the processes that
 * have ended.  How many are not known because somebody is gone whose end may
 * be on its way; when that has been taken (is_sure), they are nobody's.
 */
size_t sw_lineage_resolve(struct sw_lineage *lineage, bool is_sure,
			  void (*bury)(struct sw_lineage_owner *owner,
				       struct sw_kin *kin));

/* Ends were lost: of those that are not there any more. */
void sw_lineage_purge(struct sw_lineage *lineage,
		      void (*lose)(struct sw_lineage_owner *owner,
				   struct sw_kin *kin));

/* The owner is gone. */
void sw_lineage_forget(struct sw_lineage *lineage,
		       const struct sw_lineage_owner *owner);

#endif
