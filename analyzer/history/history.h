/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history: past runs of jobs and steps, in SQLite on a local disk.  It is a
 * cache: runs from profiles can be imported again.
 */
#ifndef SW_ANALYZER_HISTORY_H
#define SW_ANALYZER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"
#include "common/error.h"

struct sw_history;

/* Source of a row; later ones are better. */
enum sw_history_source {
	SW_HISTORY_SACCT,	/* or lsb.acct: memory is sampled, a bound */
	SW_HISTORY_CSV,
	SW_HISTORY_NEXTFLOW,
	SW_HISTORY_SUMMARY,	/* from a node's daily summary */
	SW_HISTORY_PROFILE,
	SW_HISTORY_SOURCES,
};

/* A row: a run and its identity.  Texts are untrusted; NULL is "". */
struct sw_history_run {
	struct sw_run run;
	const char *cluster;	/* "": unknown */
	const char *job;	/* "123_4"; without Slurm, the run's own id */
	const char *step;	/* "": the whole job */
	const char *user, *name, *partition;
	const char *programs, *step_program;	/* as in struct sw_job_names */
	const char *group;	/* by analyzer/grouping/job_group.h */
	const char *label;	/* the group without whose it is; NULL: group */
	/* The same for all attempts at one thing; NULL: the job's own. */
	const char *lineage;
	/*
	 * By analyzer/compare/fingerprint.h, of a whole job; empty: none.  It
	 * is kept when a record without one is added to the run.
	 */
	const void *fingerprint;
	size_t fingerprint_size;
	enum sw_history_source source;
	unsigned restart;	/* by the scheduler, from 0 */
	/* Only in this source: a different start is a different run. */
	bool is_start_exact;
	bool completes_only;	/* only update a run that exists */
};

/* Effect of adding a row. */
enum sw_history_added {
	SW_HISTORY_NEW,
	SW_HISTORY_REPLACED,	/* known from no better source */
	SW_HISTORY_COMPLETED,	/* known from a better source, which gained
				 * missing values */
	SW_HISTORY_LEFT_OUT,	/* unknown, with completes_only */
};

/* Runs of a group, sorted by end. */
struct sw_history_runs {
	struct sw_run *runs;
	char **jobs;		/* job id of each */
	size_t count;
};

/*
 * Find the file to use: $STEPWELL_HISTORY; otherwise setting (may be NULL) if
 * it is readable, or writable for is_to_write; otherwise the user's own,
 * $XDG_STATE_HOME/stepwell/history.sqlite.
 */
int sw_history_path(const char *setting, bool is_to_write, char *path,
		    size_t size, struct sw_error *error);

/*
 * Open the file; create it to write.  A file that is damaged or no database is
 * moved aside (FILE.damaged-N) with a message on stderr and replaced by a new
 * one; see sw_history_was_damaged().  Wait for locks for up to 5 s.  Return
 * NULL with *error and errno: ENOENT (no file to read), EBUSY, EACCES, ENOSPC,
 * ENOTSUP (by a newer stepwell, or another program).
 */
struct sw_history *sw_history_open(const char *path, bool is_to_write,
				   struct sw_error *error);

/* Open mode, for callers that cannot wait. */
struct sw_history_access {
	bool is_to_write;
	bool leaves_damaged;	/* do not move aside: EUCLEAN */
	int wait_msec;		/* for each lock; 0: do not wait */
};

/* For reading, as in sw_history_open(). */
extern const struct sw_history_access sw_history_patient;

struct sw_history *sw_history_open_as(const char *path,
				      const struct sw_history_access *access,
				      struct sw_error *error);

/*
 * Likewise for a file that turned out to be damaged (EUCLEAN): move it aside
 * and create a new one, unless another process has just done so.
 */
struct sw_history *sw_history_replace(const char *path,
				      struct sw_error *error);
bool sw_history_was_damaged(const struct sw_history *history);
void sw_history_close(struct sw_history *history);

/*
 * Add many rows: begin, add..., commit or roll back; an add outside of a
 * transaction is one itself.  The same job and step with the same start (or
 * restart) is one row.  add returns an sw_history_added.  errno as above, or
 * EUCLEAN for damage found now.
 */
int sw_history_begin(struct sw_history *history, struct sw_error *error);
int sw_history_add(struct sw_history *history,
		   const struct sw_history_run *run, struct sw_error *error);
int sw_history_commit(struct sw_history *history, struct sw_error *error);

/* Row id of the last add; equal for equal runs. */
int64_t sw_history_last_row(const struct sw_history *history);
void sw_history_rollback(struct sw_history *history);

/*
 * Replace impossible values (negative, infinite, out of range) by NAN, and 0 if
 * it means "unknown"; done by add.  Return the number of impossible values.
 */
size_t sw_history_clean(struct sw_run *run);

/* Add to better what only other, a record of the same run, has. */
void sw_history_merge(struct sw_run *better, const struct sw_run *other);

/* The newest runs of a group, up to limit, oldest first; may be none. */
int sw_history_runs(struct sw_history *history, const char *group,
		    size_t limit, struct sw_history_runs *runs,
		    struct sw_error *error);
void sw_history_runs_fini(struct sw_history_runs *runs);

/*
 * Insert a run that is not in the history yet by its end; a known one (job and
 * start) is not changed.  Return 0, or -1 (errno ENOMEM).
 */
int sw_history_runs_put(struct sw_history_runs *runs,
			const struct sw_history_run *run);

/*
 * List the newest recorded Slurm jobs, up to limit, whose end and time limit
 * were not queried from Slurm: "12,13_4", allocated.
 */
int sw_history_without_record(struct sw_history *history, size_t limit,
			      char **ids, struct sw_error *error);

/*
 * Find the group that a user means by a job id ("123", "123_4", "123.0"), a
 * group, or a job name, with or without its numbers ("prep_0042" and "prep"
 * belong to "prep_#"); the user's own groups first.  *group is allocated.
 * errno ENOENT, ENOTUNIQ.
 */
int sw_history_find_group(struct sw_history *history, const char *what,
			  char **group, struct sw_error *error);

/*
 * Find the own name of the group's newest run: a job name, or a task without
 * the workflow that a CSV names; *name is allocated, "" if there is none.
 */
int sw_history_name(struct sw_history *history, const char *group, char **name,
		    struct sw_error *error);

/*
 * List the groups of whole jobs, or of steps, with their number of runs,
 * largest first.  A nonzero result of "seen" stops it and is returned.
 */
typedef int (*sw_history_group_f)(void *context, const char *group,
				  size_t runs);
int sw_history_each_group(struct sw_history *history, bool is_of_steps,
			  sw_history_group_f seen, void *context,
			  struct sw_error *error);

/*
 * Find the largest memory request per node of any run on the group's clusters;
 * NAN if unknown.
 */
int sw_history_largest_request(struct sw_history *history, const char *group,
			       double *bytes, struct sw_error *error);

/* Count the rows. */
int sw_history_count(struct sw_history *history, size_t *count,
		     struct sw_error *error);

#endif
