/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a step's processes ended, for the backends that only see that they did.
 * The kernel tells of each thread that ended with another status than 0.  A
 * process of which it told nothing has ended with 0 if all of that is known:
 * nothing was lost since its first thread ended, and something was told later.
 * Otherwise how it ended is not known.
 *
 * The wait status of a process is that of its last thread (Linux 6.0,
 * d80f7d7b2c75, "signal: Guarantee that SIGNAL_GROUP_EXIT is set on process
 * exit"), which all threads have that exit_group(2) or a signal ended.  A
 * thread that ends by itself has a status of its own, and other threads may
 * live on.
 *
 * A message comes after the end of its thread, by as much as the kernel is
 * held up in between: while there is time it is waited for a second.  At the
 * end of a step that is until no thread of the machine runs or could, or for
 * some turns of all of them on the CPUs.
 */
#ifndef SW_RECORDER_ENDS_H
#define SW_RECORDER_ENDS_H

#include "recorder/programs/exit_feed.h"
#include "recorder/programs/pid_map.h"
#include "recorder/programs/programs_internal.h"

/* What was told of the threads of one process. */
struct sw_told {
	int wait_status; /* of a thread, of a signal if any; 0: nothing */
	pid_t last_tid;	 /* of which was told last, ... */
	uint64_t time_nsec;	   /* ... and of when */
	bool has_first, has_other; /* told of its first thread, of another */
	bool is_mixed;		   /* they ended in different ways */
};

/* A process that has ended; not one that the recorder itself waits for. */
struct sw_end {
	pid_t pid;
	unsigned program; /* an index */
	enum sw_executed executed;
	uint64_t start_nsec; /* of the process */
	uint64_t cpu_usec;   /* that it used; SW_MISSING: not known */
	pid_t last_tid;	  /* the last thread to end; 0: not known */
	bool has_threads; /* more than the first one at its end */
	bool has_left;	  /* its first thread had ended, and others lived on */
	uint64_t begin_nsec; /* it was this process, and this program */
	/* Its first thread had not ended, and all of them had. */
	uint64_t since_nsec, until_nsec;
	struct sw_told told; /* before it was known to have ended */
	uint64_t added_nsec; /* of struct sw_ends' waited_nsec */
};

/* Of one step. */
struct sw_ends {
	struct sw_programs *programs;
	const struct sw_exit_feeds *feeds; /* NULL: nothing is told */
	struct {
		uint64_t at;	     /* of the feed, until here it is read */
		uint64_t blind_nsec; /* of this reader of the feed */
	} reader[SW_EXIT_OTHER_THREADS + 1];
	uint64_t taken_nsec;	     /* messages until then are taken */
	/*
	 * Waited so far: no more for each time that messages were taken than
	 * between two of them, as a machine that stood still told nothing.
	 */
	uint64_t waited_nsec;
	uint64_t oldest_nsec;	     /* no quiet end is older */
	uint64_t settled_blind_nsec; /* blind until then, at the last look */
	struct sw_pid_map quiet;     /* ended, and it is not known how yet */
	size_t killed_count;	     /* events of those that were killed */
};

/* Is it, as of that message, a process that lives on as far as is known? */
typedef bool sw_ends_living_f(void *context, const struct sw_exit *exit);

/* feeds may be NULL.  0, or -1 where there is no memory. */
int sw_ends_open(struct sw_ends *ends, struct sw_programs *programs,
		 const struct sw_exit_feeds *feeds);
void sw_ends_close(struct sw_ends *ends);

void sw_told_add(struct sw_told *told, const struct sw_exit *exit);

void sw_ends_add(struct sw_ends *ends, const struct sw_end *end);

/* The recorder has waited for one that was added, after all. */
void sw_ends_reaped(struct sw_ends *ends, pid_t pid, int wait_status);

/*
 * What was told until then; ends until then have been added.  What is known to
 * live on has to keep its messages itself.
 */
void sw_ends_take(struct sw_ends *ends, uint64_t until_nsec,
		  sw_ends_living_f *is_living, void *context);

/* Some have been in doubt for so long that something has to be told. */
bool sw_ends_need_proof(const struct sw_ends *ends, uint64_t now_nsec);

/* When the last of those that are in doubt ended; SW_MISSING: none is. */
uint64_t sw_ends_last_nsec(const struct sw_ends *ends);

/*
 * No more will be told: those that ended so long ago have ended with 0, and
 * how all others did stays unknown.
 */
void sw_ends_settle(struct sw_ends *ends, uint64_t patience_nsec);

#endif
