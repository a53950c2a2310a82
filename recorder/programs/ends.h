/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Determine the exit statuses of a step's processes, for backends that only see
 * that they exited.  The kernel reports each thread that exits with a nonzero
 * status.  A process without a report has exited with 0 if the reports are
 * complete: nothing was lost since its first thread exited, and a later report
 * was received.  Otherwise its status is unknown.
 *
 * The wait status of a process is that of its last thread (Linux 6.0,
 * d80f7d7b2c75, "signal: Guarantee that SIGNAL_GROUP_EXIT is set on process
 * exit"), which is the same for all threads after exit_group(2) or a fatal
 * signal.  A thread that exits by itself has its own status, and others may
 * continue.
 *
 * A report comes after the exit of its thread, delayed by as long as the kernel
 * is held up: normally it is waited for a second.  At the end of a step, the
 * wait lasts until no thread of the machine is runnable, or for some scheduling
 * rounds.
 */
#ifndef SW_RECORDER_ENDS_H
#define SW_RECORDER_ENDS_H

#include "recorder/programs/exit_feed.h"
#include "recorder/programs/pid_map.h"
#include "recorder/programs/programs_internal.h"

/* Reports on the threads of one process */
struct sw_told {
	int wait_status; /* of a thread, preferably a signal; 0: none */
	pid_t last_tid;	 /* of the last report, ... */
	uint64_t time_nsec;	   /* ... and its time */
	bool has_first, has_other; /* reports on the first thread, on another */
	bool is_mixed;		   /* statuses differ */
};

/* An exited process, other than one that the recorder itself waits for */
struct sw_end {
	pid_t pid;
	unsigned program; /* index */
	enum sw_executed executed;
	uint64_t start_nsec; /* start of the process */
	uint64_t cpu_usec;   /* CPU time used; SW_MISSING: unknown */
	pid_t last_tid;	  /* last thread to exit; 0: unknown */
	bool has_threads; /* more than one thread at its exit */
	bool has_left;	  /* first thread had exited while others ran */
	uint64_t begin_nsec; /* since when it is this process and program */
	/* Times when its first thread still ran, and when all had exited. */
	uint64_t since_nsec, until_nsec;
	struct sw_told told; /* reports before its exit was known */
	uint64_t added_nsec; /* value of waited_nsec in struct sw_ends */
};

/* Exits of one step */
struct sw_ends {
	struct sw_programs *programs;
	const struct sw_exit_feeds *feeds; /* NULL: no reports */
	struct {
		uint64_t at;	     /* position in the feed */
		uint64_t blind_nsec; /* of this reader of the feed */
	} reader[SW_EXIT_OTHER_THREADS + 1];
	uint64_t taken_nsec;	     /* messages were processed until then */
	/*
	 * Time waited so far.  Each pass counts no more than the interval
	 * between two passes, since a machine that was stopped sent no
	 * messages.
	 */
	uint64_t waited_nsec;
	uint64_t oldest_nsec;	     /* no undecided exit is older */
	uint64_t settled_blind_nsec; /* as of the last pass */
	struct sw_pid_map quiet;     /* exited, status not known yet */
	size_t killed_count;	     /* number of events for killed processes */
};

/* Return whether the process of the message is still running, if known. */
typedef bool sw_ends_living_f(void *context, const struct sw_exit *exit);

/* feeds may be NULL.  Return 0, or -1 if out of memory. */
int sw_ends_open(struct sw_ends *ends, struct sw_programs *programs,
		 const struct sw_exit_feeds *feeds);
void sw_ends_close(struct sw_ends *ends);

void sw_told_add(struct sw_told *told, const struct sw_exit *exit);

void sw_ends_add(struct sw_ends *ends, const struct sw_end *end);

/* The recorder has reaped a process that was added, after all. */
void sw_ends_reaped(struct sw_ends *ends, pid_t pid, int wait_status);

/*
 * Process the messages until then; exits until then have been added.  Messages
 * on running processes have to be kept by the caller.
 */
void sw_ends_take(struct sw_ends *ends, uint64_t until_nsec,
		  sw_ends_living_f *is_living, void *context);

/* Return whether exits are undecided for so long that a message is forced. */
bool sw_ends_need_proof(const struct sw_ends *ends, uint64_t now_nsec);

/* Return the time of the last undecided exit, or SW_MISSING. */
uint64_t sw_ends_last_nsec(const struct sw_ends *ends);

/*
 * No more messages will come: processes that exited that long ago have exited
 * with 0, and the status of all others remains unknown.
 */
void sw_ends_settle(struct sw_ends *ends, uint64_t patience_nsec);

#endif
