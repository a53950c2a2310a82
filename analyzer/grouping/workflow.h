/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pipeline a job belongs to, and which run of it: what workflow engines
 * leave in a job's name, comment and working folder.  Pure.
 *
 * All of it is a claim: users can call their jobs what they like.  A pipeline
 * whose name is not there goes by the folder that it was started in; a run is
 * never guessed.
 */
#ifndef SW_ANALYZER_WORKFLOW_H
#define SW_ANALYZER_WORKFLOW_H

enum { SW_WORKFLOW_SIZE = 256 };

struct sw_workflow {
	char pipeline[SW_WORKFLOW_SIZE]; /* ""; "/FOLDER": where it began */
	char run[SW_WORKFLOW_SIZE];	 /* "" */
};

/* As Slurm has them; none is NULL. */
void sw_workflow_find(struct sw_workflow *workflow, const char *name,
		      const char *comment, const char *folder);

#endif
