/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs inside a step: how often, how long, at what cost, to what end.
 * Processes of one program are one row of the table "programs"; rows are
 * cumulative.  Bounded: programs beyond SW_PROGRAMS_MAX, or beyond the job's
 * share of memory, are one row "(other)".
 */
#ifndef SW_RECORDER_PROGRAMS_H
#define SW_RECORDER_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "common/error.h"
#include "profiles/writer.h"

struct sw_account;
struct sw_event;
struct sw_share;
struct sw_programs;
struct sw_tree;
struct sw_wait_tally;

enum { SW_PROGRAMS_MAX = 512, SW_PROGRAM_SIZE = 64 };

struct sw_programs_target {
	pid_t root_pid;
	uint64_t step;		/* the key of the step in the profile */
	uint64_t first_key;	/* of its programs: 0, or behind those that an
				 * earlier recorder has written */
	int cgroup_fd;		/* of the step's own cgroup; -1: none */
	int proc_fd;
	const char *only;	/* NULL, or the one backend to use, for tests */
	bool is_late;		/* processes have executed already */
	bool has_many;		/* more than one pid will be attached */
	/* Tell of something; NULL: nobody wants to know. */
	void (*event)(void *context, const struct sw_event *event);
	void *context;
	struct sw_share *share;	/* the job's, of memory; NULL: unbounded */
	struct sw_tree *tree;	/* refreshed by the loop before each drain */
};

/* NULL with *error where there is no memory. */
struct sw_programs *sw_programs_create(const struct sw_programs_target *target,
				       struct sw_error *error);

/* BPF follows so many processes of all steps; before sw_programs_prepare(). */
void sw_programs_limit(unsigned processes);

/*
 * Have what takes longer than a launch may be held up brought up beside the
 * caller, after such a nap.  Again is harmless.  The descriptor is readable
 * (8 bytes) when something has come; -1: nothing will.
 */
void sw_programs_prepare(unsigned int nap_msec);
bool sw_programs_are_preparing(void);
int sw_programs_news_fd(void);

/* Wait for what sw_programs_attach() would otherwise wait for. */
void sw_programs_await(void);

/*
 * Watch pid, which waits to execute, and all that comes of it; 0 or -1.  Again
 * for each further one.
 */
int sw_programs_attach(struct sw_programs *programs, pid_t pid);

/* Processes had executed already when they were attached, after all. */
void sw_programs_set_late(struct sw_programs *programs);

/* The backend, and why not a higher one (NULL: the highest). */
const char *sw_programs_source(const struct sw_programs *programs);
const char *sw_programs_reason(const struct sw_programs *programs);

/* Which calls of theirs that fail it sees: "functions", "connections", "none". */
const char *sw_programs_failures_source(const struct sw_programs *programs);

/* Why not "functions", where it sees any; NULL likewise. */
const char *sw_programs_failures_reason(const struct sw_programs *programs);

/* The same of this machine, as a line: "connections: why". */
int sw_programs_tell_failures(FILE *out);

/*
 * At the end of the recorder: what the kernel takes long to let go of is left
 * to a child that ends behind it.
 */
void sw_programs_leave(const struct sw_programs *programs);

/* What to poll() for records, or -1: the loop's rounds are enough. */
int sw_programs_fd(const struct sw_programs *programs);

/* Take in what has happened. */
void sw_programs_drain(struct sw_programs *programs, uint64_t now_usec);

/* What was seen of living processes is old: a new wake-up has begun. */
void sw_programs_expire(void);

/*
 * What the step's processes have used and use, the living as seen since the
 * wake-up began; valid until the next one.  NULL where they have to be read
 * from /proc.
 */
const struct sw_account *sw_programs_sample(struct sw_programs *programs);

/* The backend that sees them, NULL likewise. */
const char *sw_programs_sample_backend(const struct sw_programs *programs);

/* Likewise, what those of its threads wait for that do not run. */
const struct sw_wait_tally *sw_programs_waits(struct sw_programs *programs);
const char *sw_programs_waits_backend(const struct sw_programs *programs);

/* Go on from what somebody else has tallied until they came. */
void sw_programs_adopt_waits(struct sw_programs *programs,
			     const struct sw_wait_tally *tally);

/*
 * Will there be looks, or waits, that cannot be had yet?  Who reads processes
 * waits for them; once settled, what has not come by then is not used.
 */
bool sw_programs_is_coming(const struct sw_programs *programs);
void sw_programs_settle(struct sw_programs *programs);

/* A process that the recorder itself has waited for. */
void sw_programs_reaped(struct sw_programs *programs, pid_t pid,
			int wait_status, const struct rusage *usage);

/* Write the rows that have changed; all tables are defined at first use. */
void sw_programs_write(struct sw_programs *programs, struct sw_writer *writer,
		       uint64_t now_usec, bool is_final);

/*
 * The largest high-water mark of any one process so far, without its pages of
 * files and with them; SW_MISSING where none is known.
 */
void sw_programs_peaks(const struct sw_programs *programs, uint64_t *anon_bytes,
		       uint64_t *all_bytes);

/* Takes NULL. */
void sw_programs_destroy(struct sw_programs *programs);

#endif
