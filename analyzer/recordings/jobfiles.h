/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which profiles lie in the folders, and which of them are of one job: a file
 * for each node, or several of a node that was without a step for long.
 * Whose a file is says its content, not its name alone; files of different
 * users are never of one job, and what is altered or foreign is ignored.
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

/* Folders to look into. */
struct sw_folders {
	struct sw_folder {
		char path[PATH_MAX];
		uint64_t uid;		/* SW_MISSING: of anybody */
	} *items;
	size_t count;
	bool is_named;		/* by who asks: one that cannot be listed is
				 * an error */
	struct sw_judge *judge;
	/* Names below profile_dir that are no folder of the user they name. */
	size_t skipped_count;
	char skipped[NAME_MAX + 1];	/* the first */
	const char *skipped_because;
};

/*
 * The user's own recordings and profile_dir/UID; for root those of all users
 * and the recorder's spool.  A user's folder is a real one that the user owns;
 * what is not is skipped.  0, or -1 with *error.
 */
int sw_folders_init(struct sw_folders *folders,
		    const struct sw_places *places,
		    struct sw_error *error);

/* One folder that the user named. */
int sw_folders_of(struct sw_folders *folders, const char *path,
		  const struct sw_places *places, struct sw_error *error);
void sw_folders_fini(struct sw_folders *folders);

/* On stderr, one line for all that was skipped; nothing without any. */
void sw_folders_complain(const struct sw_folders *folders);

/*
 * One job, or one run, with the files of its nodes: of a job that was
 * requeued those of its newest run, and apart from them the others.
 */
struct sw_jobfiles_group {
	char **paths;
	size_t count;
	char **earlier_paths;	/* the newest run's first */
	size_t earlier_count;
	size_t earlier_runs;
	time_t changed;		/* the newest of them */
	struct sw_jobid id;	/* id.job is missing for a run */
	uint64_t raw_job;	/* of its element or component */
	char cluster[64];
	char name[SW_JOBFILE_NAME_SIZE];	/* as recorded; "": none */
	uint64_t uid;		/* whose it is, as the files say */
	enum sw_trust trust;	/* of its files the least */
	bool is_unread;		/* none of the newest run's can be read */
	bool is_disputed;	/* other users say that it is theirs */
};

/* A file that is altered or foreign. */
struct sw_jobfiles_ignored {
	char *path;
	char because[SW_VERDICT_SIZE];
};

enum { SW_IGNORED_MAX = 16, SW_DISPUTED_MAX = 1024 };

struct sw_jobfiles {
	struct sw_jobfiles_group *groups;	/* newest first */
	size_t count;
	struct sw_jobfiles_ignored ignored[SW_IGNORED_MAX];	/* the first */
	size_t ignored_count;		/* all of them */
	size_t unlisted_count;	/* folders that could not be listed */
	struct sw_error unlisted;	/* why, of the first */
};

/*
 * All there is, or (id not NULL) all that id means: an array's elements and a
 * heterogeneous job's components where it names none of them.  A folder that
 * is not there is empty.  0, or -1 with *error.
 */
int sw_jobfiles_init(struct sw_jobfiles *files,
		     const struct sw_folders *folders,
		     const struct sw_jobid *id, struct sw_error *error);

/* The job or run of the newest file there is; no group without any. */
int sw_jobfiles_newest(struct sw_jobfiles *files,
		       const struct sw_folders *folders,
		       struct sw_error *error);
/* What the group is called: the job's id, of a run that of its file. */
void sw_jobfiles_id(const struct sw_jobfiles_group *group, char *id,
		    size_t size);
void sw_jobfiles_fini(struct sw_jobfiles *files);

/*
 * On stderr, what is ignored, and (judge not NULL) how many jobs rest on
 * what their users say.
 */
void sw_jobfiles_complain(const struct sw_jobfiles *files,
			  const struct sw_judge *judge);

/* Mark both if they are one job of different users. */
void sw_jobfiles_compare(struct sw_jobfiles_group *one,
			 struct sw_jobfiles_group *two);

/* Whether several users say that the one job there is is theirs. */
bool sw_jobfiles_is_disputed(const struct sw_jobfiles *files);

/* The only one of them whose files root or the summaries vouch for. */
uint64_t sw_jobfiles_vouched(const struct sw_jobfiles *files);

/* To look again from the start. */
void sw_jobfiles_drop_ignored(struct sw_jobfiles *files);

/*
 * Of all that id means, drop what cannot be the same user's: where a job is
 * vouched for, by its own number if any is, the claims and parts of others.
 */
void sw_jobfiles_drop_claims(struct sw_jobfiles *files,
			     const struct sw_jobid *id);

/* Only what is this user's. */
void sw_jobfiles_keep(struct sw_jobfiles *files, uint64_t uid);

/* Only the groups whose mark is set; NULL: none. */
void sw_jobfiles_keep_marked(struct sw_jobfiles *files, const bool *is_kept);

#endif
