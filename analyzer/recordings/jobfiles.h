/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find profiles in folders and group them by job: a file for each node, or
 * several if the node had no step for long.  The user of a file is taken from
 * its content, not just its name; files of different users never belong to one
 * job, and altered or foreign files are ignored.
 */
#ifndef SW_ANALYZER_JOBFILES_H
#define SW_ANALYZER_JOBFILES_H

#include <limits.h>
#include <stdbool.h>
#include <time.h>

#include "analyzer/recordings/jobfile.h"
#include "analyzer/trust/judge.h"
#include "common/error.h"
#include "common/jobid.h"

/* Folders to search. */
struct sw_folders {
	struct sw_folder {
		char path[PATH_MAX];
		uint64_t uid;		/* SW_MISSING: any user */
	} *items;
	size_t count;
	bool is_named;		/* by the user: failing to list it is an
				 * error */
	struct sw_judge *judge;
	struct sw_index *index;	/* NULL: none */
	/* Names below profile_dir that are not a folder of the user named. */
	size_t skipped_count;
	char skipped[NAME_MAX + 1];	/* first of them */
	const char *skipped_because;
};

/*
 * Use the user's own recordings and profile_dir/UID, or for root those of all
 * users and the recorder's spool.  A user's folder has to be real and owned by
 * the user; others are skipped.  Return 0, or -1 with *error.
 */
int sw_folders_init(struct sw_folders *folders,
		    const struct sw_places *places,
		    struct sw_error *error);

/* Use one folder named by the user. */
int sw_folders_of(struct sw_folders *folders, const char *path,
		  const struct sw_places *places, struct sw_error *error);
void sw_folders_fini(struct sw_folders *folders);

/* Print one line to stderr if any folder was skipped. */
void sw_folders_complain(const struct sw_folders *folders);

/*
 * A job or a run with the files of its nodes: for a requeued job those of its
 * newest run, and separately those of earlier runs.
 */
struct sw_jobfiles_group {
	char **paths;
	size_t count;
	char **earlier_paths;	/* latest run first */
	size_t earlier_count;
	size_t earlier_runs;
	time_t changed;		/* of the newest file */
	uint64_t stamp;		/* of paths[], for the index; 0: none */
	struct sw_jobid id;	/* id.job is missing for a run */
	uint64_t raw_job;	/* of its element or component */
	char cluster[64];
	char name[SW_JOBFILE_NAME_SIZE];	/* as recorded, or "" */
	uint64_t uid;		/* user according to the files */
	enum sw_trust trust;	/* least of its files */
	bool is_unread;		/* no file of the newest run is readable */
	bool is_disputed;	/* also claimed by other users */
};

/* An altered or foreign file. */
struct sw_jobfiles_ignored {
	char *path;
	char because[SW_VERDICT_SIZE];
};

enum { SW_IGNORED_MAX = 16, SW_DISPUTED_MAX = 1024 };

struct sw_jobfiles {
	struct sw_jobfiles_group *groups;	/* newest first */
	size_t count;
	struct sw_jobfiles_ignored ignored[SW_IGNORED_MAX];	/* the first */
	size_t ignored_count;		/* of all */
	size_t unlisted_count;	/* folders that could not be listed */
	struct sw_error unlisted;	/* error of the first */
};

/*
 * Find all jobs, or (id not NULL) those that match id: for an array or
 * heterogeneous job, all elements or components.  A missing folder is empty.
 * Return 0, or -1 with *error.
 */
int sw_jobfiles_init(struct sw_jobfiles *files,
		     const struct sw_folders *folders,
		     const struct sw_jobid *id, struct sw_error *error);

/* Find the job or run of the newest file; no group if there is none. */
int sw_jobfiles_newest(struct sw_jobfiles *files,
		       const struct sw_folders *folders,
		       struct sw_error *error);
/* Id of the group: the job's, or for a run that of its file. */
void sw_jobfiles_id(const struct sw_jobfiles_group *group, char *id,
		    size_t size);
void sw_jobfiles_fini(struct sw_jobfiles *files);

/*
 * Print ignored files and (judge not NULL) the number of jobs that rest on
 * claims of their users to stderr.
 */
void sw_jobfiles_complain(const struct sw_jobfiles *files,
			  const struct sw_judge *judge);

/* Mark both if they are the same job claimed by different users. */
void sw_jobfiles_compare(struct sw_jobfiles_group *one,
			 struct sw_jobfiles_group *two);

/* True if the only job is claimed by several users. */
bool sw_jobfiles_is_disputed(const struct sw_jobfiles *files);

/* The only user with files verified by root or by summaries. */
uint64_t sw_jobfiles_vouched(const struct sw_jobfiles *files);

/* Forget ignored files before another search. */
void sw_jobfiles_drop_ignored(struct sw_jobfiles *files);

/*
 * Drop jobs that match id but belong to other users: if a job is verified, by
 * its own number if possible, drop claims and parts of others.
 */
void sw_jobfiles_drop_claims(struct sw_jobfiles *files,
			     const struct sw_jobid *id);

/* Keep only the files of this user. */
void sw_jobfiles_keep(struct sw_jobfiles *files, uint64_t uid);

/* Keep only the groups that are marked; none if NULL. */
void sw_jobfiles_keep_marked(struct sw_jobfiles *files, const bool *is_kept);

#endif
