/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which profiles lie in the folders, and which of them are of one job: a file
 * for each node, or several of a node that was without a step for long.
 * Whose a file is says its content, not its name alone; in the folder of a
 * user only that user's files count.
 */
#ifndef SW_ANALYZER_JOBFILES_H
#define SW_ANALYZER_JOBFILES_H

#include <limits.h>
#include <stdbool.h>
#include <time.h>

#include "analyzer/settings.h"
#include "common/error.h"
#include "common/jobid.h"

/* Folders to look into. */
struct sw_folders {
	struct sw_folder {
		char path[PATH_MAX];
		uint64_t uid;		/* SW_MISSING: of anybody */
	} *items;
	size_t count;
};

/*
 * The user's own recordings and profile_dir/UID; for root those of all users
 * and the recorder's spool.  0, or -1 with *error.
 */
int sw_folders_init(struct sw_folders *folders,
		    const struct sw_settings *settings,
		    struct sw_error *error);

/* One folder that the user named. */
int sw_folders_of(struct sw_folders *folders, const char *path,
		  struct sw_error *error);
void sw_folders_fini(struct sw_folders *folders);

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
	char cluster[64];
};

struct sw_jobfiles {
	struct sw_jobfiles_group *groups;	/* newest first */
	size_t count;
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
void sw_jobfiles_fini(struct sw_jobfiles *files);

#endif
