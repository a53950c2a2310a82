/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a step's processes ended, for the backends that only see that they did.
 * One of which nothing is told has ended with 0, if all is heard that is told
 * and something was told later; else how it ended is not known.
 *
 * A message comes a little after the end, by as much as the kernel is held up
 * in between: while there is time it is waited for a second, at the end of a
 * step for SW_ENDS_LATE_NSEC.  One that is later is taken for none.
 */
#ifndef SW_RECORDER_ENDS_H
#define SW_RECORDER_ENDS_H

#include "recorder/programs/exit_feed.h"
#include "recorder/programs/pid_map.h"
#include "recorder/programs/programs_internal.h"

#define SW_ENDS_LATE_NSEC ((uint64_t)5000000)

/* Of one step. */
struct sw_ends {
	struct sw_programs *programs;
	const struct sw_exit_feed *feed; /* NULL: nothing is told */
	uint64_t at;		     /* of the feed, until here it is read */
	uint64_t blind_nsec;	     /* of this reader of the feed */
	uint64_t taken_nsec;	     /* messages until then are taken */
	uint64_t oldest_nsec;	     /* no quiet end is older */
	uint64_t settled_blind_nsec; /* blind until then, at the last look */
	struct sw_pid_map quiet;     /* ended, and nothing is told yet */
	size_t killed_count;	     /* events of those that were killed */
};

/* Is it, as of that message, a process that lives on as far as is known? */
typedef bool sw_ends_living_f(void *context, const struct sw_exit *exit);

/* feed may be NULL.  0, or -1 where there is no memory. */
int sw_ends_open(struct sw_ends *ends, struct sw_programs *programs,
		 const struct sw_exit_feed *feed);
void sw_ends_close(struct sw_ends *ends);

/*
 * One that nothing was told of has ended between these two times; program is
 * an index.  Not for those that the recorder waits for itself.
 */
void sw_ends_add(struct sw_ends *ends, pid_t pid, unsigned program,
		 uint64_t since_nsec, uint64_t until_nsec);

/* It ended as the kernel has told. */
void sw_ends_count(struct sw_ends *ends, unsigned program,
		   const struct sw_exit *exit);

/*
 * What was told until then; ends until then have been added.  Who lives on by
 * what is known here is the caller's, who has the message then.
 */
void sw_ends_take(struct sw_ends *ends, uint64_t until_nsec,
		  sw_ends_living_f *is_living, void *context);

/* Some have been in doubt for so long that something has to be told. */
bool sw_ends_need_proof(const struct sw_ends *ends, uint64_t now_nsec);

/* For no more will come: the last of the ends; SW_MISSING: none is in doubt. */
uint64_t sw_ends_last_nsec(const struct sw_ends *ends);

/* As sw_ends_take() is over for good: who is quiet now stays unknown or was 0.
 */
void sw_ends_settle(struct sw_ends *ends);

#endif
