/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recordings that an operand of report or diff means: a job, the id or name
 * of a recording, a file, or a folder with its newest one.
 */
#ifndef SW_ANALYZER_VERBS_OPERAND_H
#define SW_ANALYZER_VERBS_OPERAND_H

#include "analyzer/job/job.h"
#include "analyzer/recordings/jobfiles.h"

struct sw_settings;

/* Target of the search (id, name, or neither for the newest), and folder. */
struct sw_operand {
	const struct sw_jobid *id;
	const char *name;   /* id or name of a recording */
	const char *folder; /* NULL: all folders of the user */
	struct sw_error unknown; /* set if no recording has the name */
};

/* Open the folders to search, and search them: 0, or -1 with *error. */
int sw_operand_open(struct sw_folders *folders, const struct sw_operand *operand,
		   const struct sw_settings *settings, struct sw_error *error);
int sw_operand_find(struct sw_jobfiles *files, const struct sw_folders *folders,
		   struct sw_operand *operand, struct sw_error *error);

/* Ask for one element of an array or component of a heterogeneous job. */
int sw_operand_complain_several(const char *what,
			       const struct sw_jobfiles *files);

/* Several recordings have the name: print which one is shown. */
void sw_operand_tell_which(const struct sw_operand *operand,
			  const struct sw_jobfiles *files);

/* The files of the one run that a word means. */
struct sw_operand_run {
	struct sw_folders folders;
	struct sw_jobfiles files;
	struct sw_judge *judge; /* of a file that was named; NULL */
	const char *path;
	struct sw_jobid id;
	struct sw_job_files job; /* to read it */
};

/*
 * Find them as report does.  user: owner of the job, or NULL.  Return an exit
 * status after printing an error; free with sw_operand_run_fini() in any case.
 * The result must not be moved.
 */
int sw_operand_run_find(struct sw_operand_run *run, const char *what,
		       const char *user, const struct sw_settings *settings);
void sw_operand_run_fini(struct sw_operand_run *run);

#endif
