/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that perf's records tell of, and what they count for. */
#ifndef SW_RECORDER_PERF_TASKS_H
#define SW_RECORDER_PERF_TASKS_H

#include "recorder/processes/tree.h"
#include "recorder/programs/ends.h"
#include "recorder/programs/perf_events.h"
#include "recorder/programs/pid_map.h"
#include "recorder/programs/programs_internal.h"

/* A process that has not ended. */
struct sw_perf_process {
	pid_t pid;
	unsigned program;			/* an index, or SW_NO_PROGRAM */
	unsigned other_threads;		/* than its first one */
	bool has_left;			/* its first one has ended */
	bool is_sampled;		/* no record will tell more of it */
	uint64_t start_nsec, exec_nsec;
	uint64_t cpu_nsec;
	uint64_t counted_usec;		/* of these, in the program's row */
	uint64_t round;			/* of the last sample that has it */
	uint64_t left_nsec;		/* when its first thread ended */
	pid_t last_tid;			/* of the thread that ended last */
	bool is_counted;		/* how it ended is in its row */
	struct sw_told told;
};

/* Who runs on a CPU; pid 0: nobody of them, or it is not known. */
struct sw_perf_running {
	pid_t pid;
	uint64_t since_nsec;
};

struct sw_perf_tasks {
	struct sw_programs *programs;
	struct sw_pid_map processes;
	struct sw_pid_map ended;	/* that the recorder has to wait for */
	struct sw_ends ends;		/* of all others */
	struct sw_perf_running running[SW_PERF_EVENTS_MAX];
	uint64_t lost;			/* records */
	size_t sampled_count;
	uint64_t round;
	bool has_unseen;		/* some processes are beyond records */
	bool has_all_switches;		/* so CPU time is exact */
	bool is_privileged;
};

/* feeds as of sw_ends_open().  0, or -1 where there is no memory. */
int sw_perf_tasks_open(struct sw_perf_tasks *tasks,
		       struct sw_programs *programs,
		       const struct sw_exit_feeds *feeds);
void sw_perf_tasks_close(struct sw_perf_tasks *tasks);

/* The command, before it executes. */
void sw_perf_tasks_begin(struct sw_perf_tasks *tasks, pid_t pid,
			 uint64_t time_nsec);

/* A record that was made on this CPU (an index); in the order of time. */
void sw_perf_tasks_take(struct sw_perf_tasks *tasks, unsigned cpu,
			const struct sw_perf_record *record);

/* Count what runs now up to a time that all records taken are before. */
void sw_perf_tasks_advance(struct sw_perf_tasks *tasks, uint64_t time_nsec);

/*
 * A new sample of the tree: before the records that were made since the last
 * records were taken (until known_nsec), and after them.
 */
void sw_perf_tasks_sample(struct sw_perf_tasks *tasks,
			  const struct sw_tree *tree, uint64_t known_nsec);
void sw_perf_tasks_sampled(struct sw_perf_tasks *tasks,
			   const struct sw_tree *tree, uint64_t now_nsec);

/* Of those that live on as far as is known: for the tasks' ends. */
bool sw_perf_tasks_is_living(void *tasks, const struct sw_exit *exit);

/* The recorder has waited for a process, whose records have been taken. */
void sw_perf_tasks_reaped(struct sw_perf_tasks *tasks, pid_t pid,
			  int wait_status, uint64_t now_nsec);

#endif
