/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Track processes by perf's records, and count them for their programs. */
#ifndef SW_RECORDER_PERF_TASKS_H
#define SW_RECORDER_PERF_TASKS_H

#include "recorder/processes/tree.h"
#include "recorder/programs/ends.h"
#include "recorder/programs/perf_events.h"
#include "recorder/programs/pid_map.h"
#include "recorder/programs/programs_internal.h"

/* A running process */
struct sw_perf_process {
	pid_t pid;
	unsigned program;			/* index, or SW_NO_PROGRAM */
	unsigned other_threads;		/* not counting the first one */
	bool has_left;			/* first thread has exited */
	bool is_sampled;		/* no more records will come */
	uint64_t start_nsec, exec_nsec;
	uint64_t cpu_nsec;
	uint64_t counted_usec;		/* part of cpu_nsec added to the row */
	uint64_t round;			/* of its last sample */
	uint64_t left_nsec;		/* exit of its first thread */
	pid_t last_tid;			/* last thread to exit */
	bool is_counted;		/* exit status is in the row */
	struct sw_told told;
};

/* Process running on a CPU; pid 0: none of ours, or unknown */
struct sw_perf_running {
	pid_t pid;
	uint64_t since_nsec;
};

struct sw_perf_tasks {
	struct sw_programs *programs;
	struct sw_pid_map processes;
	struct sw_pid_map ended;	/* to be reaped by the recorder */
	struct sw_ends ends;		/* exits of all others */
	struct sw_perf_running running[SW_PERF_EVENTS_MAX];
	uint64_t lost;			/* records */
	size_t sampled_count;
	uint64_t round;
	bool has_unseen;		/* some processes have no records */
	bool has_all_switches;		/* CPU time is exact */
	bool is_privileged;
};

/* feeds: see sw_ends_open().  Return 0, or -1 if out of memory. */
int sw_perf_tasks_open(struct sw_perf_tasks *tasks,
		       struct sw_programs *programs,
		       const struct sw_exit_feeds *feeds);
void sw_perf_tasks_close(struct sw_perf_tasks *tasks);

/* Add the command, before exec. */
void sw_perf_tasks_begin(struct sw_perf_tasks *tasks, pid_t pid,
			 uint64_t time_nsec);

/* Process a record of this CPU (an index); in order of time. */
void sw_perf_tasks_take(struct sw_perf_tasks *tasks, unsigned cpu,
			const struct sw_perf_record *record);

/* Count CPU time of running processes up to time_nsec, past all records. */
void sw_perf_tasks_advance(struct sw_perf_tasks *tasks, uint64_t time_nsec);

/*
 * Process a new sample of the tree: once before the records since known_nsec
 * (the time of the last ones taken), and once after them.
 */
void sw_perf_tasks_sample(struct sw_perf_tasks *tasks,
			  const struct sw_tree *tree, uint64_t known_nsec);
void sw_perf_tasks_sampled(struct sw_perf_tasks *tasks,
			   const struct sw_tree *tree, uint64_t now_nsec);

/* Callback for the ends of running processes */
bool sw_perf_tasks_is_living(void *tasks, const struct sw_exit *exit);

/* The recorder has reaped a process whose records have been processed. */
void sw_perf_tasks_reaped(struct sw_perf_tasks *tasks, pid_t pid,
			  int wait_status, uint64_t now_nsec);

#endif
