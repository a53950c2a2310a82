/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history: past runs of jobs and steps in SQLite on a local disk.  A cache:
 * what came from profiles can be made anew from them.
 */
#ifndef SW_ANALYZER_HISTORY_H
#define SW_ANALYZER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"
#include "common/error.h"

struct sw_history;

/* Where a row is from; the later one knows better. */
enum sw_history_source {
	SW_HISTORY_SACCT,	/* or lsb.acct: memory is a sample, a bound */
	SW_HISTORY_CSV,
	SW_HISTORY_NEXTFLOW,
	SW_HISTORY_SUMMARY,	/* of a node-day segment */
	SW_HISTORY_PROFILE,
	SW_HISTORY_SOURCES,
};

/* One row: a run, and what it is of.  Texts may be hostile; NULL is "". */
struct sw_history_run {
	struct sw_run run;
	const char *cluster;	/* "": not known */
	const char *job;	/* "123_4"; of a run without Slurm its own id */
	const char *step;	/* "": the whole job */
	const char *user, *name, *partition;
	const char *programs, *step_program;	/* as in struct sw_job_names */
	const char *group;	/* by analyzer/grouping/job_group.h */
	const char *label;	/* the group without whose it is; NULL: group */
	/* The same for all attempts at one thing; NULL: the job's own. */
	const char *lineage;
	enum sw_history_source source;
	unsigned restart;	/* by the scheduler, from 0 */
	/* No other source has it: another start is another run. */
	bool is_start_exact;
	bool completes_only;	/* a run that is not there is not added */
};

/* What became of a row that was added. */
enum sw_history_added {
	SW_HISTORY_NEW,
	SW_HISTORY_REPLACED,	/* the run was there, from no better source */
	SW_HISTORY_COMPLETED,	/* it was there from a better one, which now
				 * has what it did not know */
	SW_HISTORY_LEFT_OUT,	/* it was not there, and completes_only */
};

/* Runs of a group, by the times of their ends. */
struct sw_history_runs {
	struct sw_run *runs;
	char **jobs;		/* the job id of each */
	size_t count;
};

/*
 * The file to use: $STEPWELL_HISTORY; else setting (may be NULL) where it can
 * be read, or written if is_to_write; else the user's own,
 * $XDG_STATE_HOME/stepwell/history.sqlite.
 */
int sw_history_path(const char *setting, bool is_to_write, char *path,
		    size_t size, struct sw_error *error);

/*
 * Open the file, and to write also make it.  A file that is damaged or no
 * database is moved aside (FILE.damaged-N) with a message on stderr and a new
 * one begun, which sw_history_was_damaged() then says.  A lock is waited for,
 * 5 s at most.  NULL with *error and errno: ENOENT (to read, there is none),
 * EBUSY, EACCES, ENOSPC, ENOTSUP (of a newer stepwell, or another program's).
 */
struct sw_history *sw_history_open(const char *path, bool is_to_write,
				   struct sw_error *error);

/* For who has no time: how the file is opened. */
struct sw_history_access {
	bool is_to_write;
	bool leaves_damaged;	/* EUCLEAN; it is not moved aside */
	int wait_msec;		/* for a lock, each time; 0: not at all */
};

/* To read as sw_history_open() does. */
extern const struct sw_history_access sw_history_patient;

struct sw_history *sw_history_open_as(const char *path,
				      const struct sw_history_access *access,
				      struct sw_error *error);

/*
 * The same for a file whose damage only shows now (EUCLEAN): it is moved aside
 * and a new one begun, unless somebody else has just done so.
 */
struct sw_history *sw_history_replace(const char *path,
				      struct sw_error *error);
bool sw_history_was_damaged(const struct sw_history *history);
void sw_history_close(struct sw_history *history);

/*
 * Many rows at once: begin, add..., commit or roll back; an add outside of
 * these stands alone.  The same job and step with the same start (or restart)
 * is one row.  add returns an sw_history_added.  errno as above, EUCLEAN where
 * damage was met only now.
 */
int sw_history_begin(struct sw_history *history, struct sw_error *error);
int sw_history_add(struct sw_history *history,
		   const struct sw_history_run *run, struct sw_error *error);
int sw_history_commit(struct sw_history *history, struct sw_error *error);

/* The number of the row that the last add was of; the same for the same run. */
int64_t sw_history_last_row(const struct sw_history *history);
void sw_history_rollback(struct sw_history *history);

/*
 * Numbers that cannot be (negative, endless, beyond all measure) become NAN,
 * and so does a 0 that means "not known"; add does it.  How many could not be.
 */
size_t sw_history_clean(struct sw_run *run);

/* Put into better what only the other, of the same run, knows. */
void sw_history_merge(struct sw_run *better, const struct sw_run *other);

/* The newest runs of a group, at most limit, the oldest first; may be none. */
int sw_history_runs(struct sw_history *history, const char *group,
		    size_t limit, struct sw_history_runs *runs,
		    struct sw_error *error);
void sw_history_runs_fini(struct sw_history_runs *runs);

/*
 * Put a run that is not in the history yet where its end belongs; one that is
 * there already (job and start) stays as it is.  0, or -1 (errno ENOMEM).
 */
int sw_history_runs_put(struct sw_history_runs *runs,
			const struct sw_history_run *run);

/*
 * The newest Slurm jobs, at most limit, that were recorded and of whose end and
 * time limit Slurm was not asked: "12,13_4", allocated.
 */
int sw_history_without_record(struct sw_history *history, size_t limit,
			      char **ids, struct sw_error *error);

/*
 * The group that a user means: a job id ("123", "123_4", "123.0"), a group, or
 * a job's name, also with its numbers or without ("prep_0042" and "prep" are of
 * "prep_#"); one's own before those of others.  *group is allocated.
 * errno ENOENT, ENOTUNIQ.
 */
int sw_history_find_group(struct sw_history *history, const char *what,
			  char **group, struct sw_error *error);

/*
 * The partition that the newest of the group's runs was in; *partition is
 * allocated, and "" where none is known.
 */
int sw_history_partition(struct sw_history *history, const char *group,
			 char **partition, struct sw_error *error);

/*
 * What the newest of the group's runs is called itself: a job's name, or a
 * task's without the workflow that a CSV names; *name is allocated, "" where
 * there is none.
 */
int sw_history_name(struct sw_history *history, const char *group, char **name,
		    struct sw_error *error);

/*
 * The groups of whole jobs, or of steps, with how many runs they have, the
 * largest first.  What "seen" returns other than 0 ends it and is returned.
 */
typedef int (*sw_history_group_f)(void *context, const char *group,
				  size_t runs);
int sw_history_each_group(struct sw_history *history, bool is_of_steps,
			  sw_history_group_f seen, void *context,
			  struct sw_error *error);

/*
 * The most memory of a node that any work asked for on the clusters of the
 * group; NAN: not known.
 */
int sw_history_largest_request(struct sw_history *history, const char *group,
			       double *bytes, struct sw_error *error);

/* How many rows there are. */
int sw_history_count(struct sw_history *history, size_t *count,
		     struct sw_error *error);

#endif
