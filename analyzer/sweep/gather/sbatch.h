/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submit a Slurm job that runs a shell script. */
#ifndef SW_ANALYZER_SWEEP_GATHER_SBATCH_H
#define SW_ANALYZER_SWEEP_GATHER_SBATCH_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

enum { SW_SBATCH_JOB_SIZE = 32 };

struct sw_sbatch {
	const char *name;
	const char *output;	  /* "--output=FILE" */
	const char *script;	  /* NULL: out of memory */
	const char *const *words; /* further options, NULL-terminated */
	unsigned wait_seconds; /* for sbatch; 0: default */
};

/*
 * Submit a job; further options come from the environment (SBATCH_PARTITION and
 * others).  Return 0 and the job id, or -1 with *error if there is no job.
 */
int sw_sbatch_run(char job[SW_SBATCH_JOB_SIZE], size_t size,
		  const struct sw_sbatch *sbatch, struct sw_error *error);

/* sbatch replaces "%" in paths: -1 with *error for such a folder. */
int sw_sbatch_check_folder(const char *folder, struct sw_error *error);

/* Write a text quoted as one word of a shell. */
void sw_sbatch_put_quoted(FILE *out, const char *text);

/*
 * Return a script with the output of put(), without the environment set for
 * sbatch's own answers.  The caller frees it; NULL (ENOMEM).
 */
char *sw_sbatch_script(void (*put)(FILE *out, const void *context),
		       const void *context);

#endif
