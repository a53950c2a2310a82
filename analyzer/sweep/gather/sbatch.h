/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job of Slurm that runs a line of a shell. */
#ifndef SW_ANALYZER_SWEEP_GATHER_SBATCH_H
#define SW_ANALYZER_SWEEP_GATHER_SBATCH_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

enum { SW_SBATCH_JOB_SIZE = 32 };

struct sw_sbatch {
	const char *name;
	const char *output;	  /* "--output=FILE" */
	const char *script;	  /* NULL: there was no memory for it */
	const char *const *words; /* further options, NULL last */
	unsigned wait_seconds; /* for sbatch; 0: as long as it usually takes */
};

/*
 * Further options come from the environment (SBATCH_PARTITION and others).
 * The job's number; 0, or -1 with *error, and there is no job.
 */
int sw_sbatch_run(char job[SW_SBATCH_JOB_SIZE], size_t size,
		  const struct sw_sbatch *sbatch, struct sw_error *error);

/* sbatch replaces "%" in paths: -1 with *error for a folder with one. */
int sw_sbatch_check_folder(const char *folder, struct sw_error *error);

/* A text as one word of a shell, whatever it holds. */
void sw_sbatch_put_quoted(FILE *out, const char *text);

/*
 * What put() writes, without what was set for sbatch's own answers; for the
 * caller to free, NULL (ENOMEM).
 */
char *sw_sbatch_script(void (*put)(FILE *out, const void *context),
		       const void *context);

#endif
