/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the pipeline and run of a job: workflow engines leave them in its name,
 * comment and working folder.  Pure.
 *
 * All of this is a claim: users can choose any job names.  A pipeline without
 * name is called by the folder it was started in; a run is never guessed.
 */
#ifndef SW_ANALYZER_WORKFLOW_H
#define SW_ANALYZER_WORKFLOW_H

enum { SW_WORKFLOW_SIZE = 256 };

struct sw_workflow {
	char pipeline[SW_WORKFLOW_SIZE]; /* ""; "/FOLDER": starting folder */
	char run[SW_WORKFLOW_SIZE];	 /* "" */
};

/* Arguments as in Slurm, never NULL. */
void sw_workflow_find(struct sw_workflow *workflow, const char *name,
		      const char *comment, const char *folder);

#endif
