/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs inside a step: number of runs, run times, resource usage and exit
 * statuses.  Processes of one program share a row of the table "programs"; rows
 * are cumulative.  Programs beyond SW_PROGRAMS_MAX, or beyond the job's share
 * of memory, share the row "(other)".
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
	uint64_t step;		/* key of the step in the profile */
	/*
	 * First key of its programs: 0, or after those written by an earlier
	 * recorder
	 */
	uint64_t first_key;
	int cgroup_fd;		/* the step's own cgroup; -1: none */
	int proc_fd;
	const char *only;	/* NULL, or the only backend, for tests */
	bool is_late;		/* processes have already executed */
	bool has_many;		/* more than one pid will be attached */
	/* Callback for events; may be NULL. */
	void (*event)(void *context, const struct sw_event *event);
	void *context;
	struct sw_share *share;	/* of memory; the job's; NULL: unlimited */
	struct sw_tree *tree;	/* refreshed by the loop before each drain */
};

/* Return NULL with *error if out of memory. */
struct sw_programs *sw_programs_create(const struct sw_programs_target *target,
				       struct sw_error *error);

/* Limit processes followed by BPF, all steps; before sw_programs_prepare(). */
void sw_programs_limit(unsigned processes);

/*
 * Load in the background what takes too long at a launch, after a delay.  May
 * be called again.  The descriptor becomes readable (8 bytes) when a part is
 * done; -1: none will be.
 */
void sw_programs_prepare(unsigned int nap_msec);
bool sw_programs_are_preparing(void);
int sw_programs_news_fd(void);

/* Wait for what sw_programs_attach() would wait for. */
void sw_programs_await(void);

/*
 * Follow pid, which waits to execute, and its descendants.  Return 0 or -1.
 * May be called for further processes.
 */
int sw_programs_attach(struct sw_programs *programs, pid_t pid);

/* Processes had already executed when they were attached. */
void sw_programs_set_late(struct sw_programs *programs);

/* Return the backend, and why no better one is used (NULL: best). */
const char *sw_programs_source(const struct sw_programs *programs);
const char *sw_programs_reason(const struct sw_programs *programs);

/* Return what failed calls are observed: "functions", "connections", "none". */
const char *sw_programs_failures_source(const struct sw_programs *programs);

/* Return why not "functions", or NULL. */
const char *sw_programs_failures_reason(const struct sw_programs *programs);

/* Print the same for this machine, as a line: "connections: why". */
int sw_programs_tell_failures(FILE *out);

/*
 * Call at the end of the recorder: leave to a child what the kernel takes long
 * to release.
 */
void sw_programs_leave(const struct sw_programs *programs);

/* Return a descriptor to poll() for records, or -1 if rounds suffice. */
int sw_programs_fd(const struct sw_programs *programs);

/* Process what has happened. */
void sw_programs_drain(struct sw_programs *programs, uint64_t now_usec);

/* A new wake-up has begun: samples of running processes are outdated. */
void sw_programs_expire(void);

/*
 * Return usage of the step's processes, running ones as sampled in this
 * wake-up; valid until the next one.  NULL: read them from /proc.
 */
const struct sw_account *sw_programs_sample(struct sw_programs *programs);

/* Return the backend of the samples, or NULL. */
const char *sw_programs_sample_backend(const struct sw_programs *programs);

/* The same for what waiting threads wait for */
const struct sw_wait_tally *sw_programs_waits(struct sw_programs *programs);
const char *sw_programs_waits_backend(const struct sw_programs *programs);

/* Continue from a tally that another source has kept so far. */
void sw_programs_adopt_waits(struct sw_programs *programs,
			     const struct sw_wait_tally *tally);

/*
 * Return whether samples or waits will become available later.  A caller that
 * reads processes waits for them; after settling, late ones are not used.
 */
bool sw_programs_is_coming(const struct sw_programs *programs);
void sw_programs_settle(struct sw_programs *programs);

/* The recorder has reaped a process. */
void sw_programs_reaped(struct sw_programs *programs, pid_t pid,
			int wait_status, const struct rusage *usage);

/* Write the rows that have changed; defines the table at first use. */
void sw_programs_write(struct sw_programs *programs, struct sw_writer *writer,
		       uint64_t now_usec, bool is_final);

/*
 * Get the largest high-water mark of any process so far, without file pages and
 * with them; SW_MISSING if unknown.
 */
void sw_programs_peaks(const struct sw_programs *programs, uint64_t *anon_bytes,
		       uint64_t *all_bytes);

/* Accepts NULL. */
void sw_programs_destroy(struct sw_programs *programs);

#endif
