/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts past runs into the history: from recordings, summaries of nodes,
 * sacct's output and traces.  Counts what was taken, and why the rest was not.
 */
#ifndef SW_ANALYZER_IMPORT_H
#define SW_ANALYZER_IMPORT_H

#include "analyzer/history/history.h"
#include "analyzer/import/import_seen.h"
#include "analyzer/recordings/jobfiles.h"
#include "analyzer/settings/settings.h"
#include "analyzer/summaries/step_summary.h"

enum { SW_IMPORT_REASONS = 16, SW_IMPORT_WHERE_SIZE = 160 };

/* Why something was not taken, how often, and where for the first time. */
struct sw_import_reason {
	char text[SW_IMPORT_WHERE_SIZE];
	char where[SW_IMPORT_WHERE_SIZE];
	size_t count;
};


struct sw_import {
	struct sw_history *history;
	const struct sw_settings *settings;
	const char *user, *cluster;	/* of what does not say; or NULL */
	bool completes_only;	/* runs that are not there are left out */
	bool only_inputs;	/* nothing but sizes of inputs is taken */
	bool takes_claims;	/* what others say of their own runs */
	size_t rows, added, replaced, completed;
	size_t steps;		/* of rows: steps of jobs, not jobs */
	size_t merged;		/* of these, with one of the same import */
	struct sw_import_seen seen;
	size_t impossible;		/* numbers that cannot be, left out */
	size_t skipped;
	struct sw_import_reason reasons[SW_IMPORT_REASONS];
	size_t reason_count;
	size_t unitless;	/* requests of LSF's without a unit */
	size_t sampled;		/* rows whose memory is a sample: a bound */
	size_t unbounded;	/* of these, with tasks that are not known */
	/* Rows of summaries, until those of all nodes are there. */
	struct sw_step_summaries summaries;
};

/* One run.  0, or -1 with *error. */
int sw_import_run(struct sw_import *import, const struct sw_history_run *run,
		  struct sw_error *error);

/* Something is not taken; where is cut. */
void sw_import_skip(struct sw_import *import, const char *why,
		    const char *where);

/* Add as many rows as there are, then commit; 0 or -1 with *error. */
int sw_import_begin(struct sw_import *import, struct sw_error *error);
int sw_import_end(struct sw_import *import, struct sw_error *error);

/*
 * Each says what it could not take by sw_import_skip(); -1 with *error is for
 * what ends the import: the history cannot be written, no memory.
 */
int sw_import_folders(struct sw_import *import,
		      const struct sw_folders *folders,
		      struct sw_error *error);
/* A recording, or the summaries of a node's day. */
int sw_import_profile(struct sw_import *import, const char *path,
		      struct sw_error *error);
/* "sacct --parsable2", or "--parsable", with its header. */
int sw_import_sacct(struct sw_import *import, const char *path,
		    struct sw_error *error);
/* LSF's lsb.acct. */
int sw_import_lsf(struct sw_import *import, const char *path,
		  struct sw_error *error);
/*
 * Ask sacct, where there is one, for what recordings of Slurm jobs in the
 * history lack, their time limits above all; counts nothing.  -1 with *error
 * also where sacct fails.
 */
int sw_import_accounting(struct sw_import *import, struct sw_error *error);
/* Nextflow's trace, or CSV. */
int sw_import_trace(struct sw_import *import, const char *path,
		    struct sw_error *error);
/* Whatever it is; after the last one sw_import_finish(). */
int sw_import_file(struct sw_import *import, const char *path,
		   struct sw_error *error);
int sw_import_finish(struct sw_import *import, struct sw_error *error);

/* All recordings that "stepwell list" looks for, and finish. */
int sw_import_own(struct sw_import *import, struct sw_error *error);

/* What the sweep left for this user, where the settings name a folder. */
void sw_import_beside(struct sw_import *import);

/*
 * The history of these settings to be read; a damaged one is made anew from
 * the recordings there are, and one that is not there yet, too.  With that of
 * the sweep beside it (history_beside.h).  NULL with *error, errno ENOENT where there is nothing to make one of.
 */
struct sw_history *sw_import_ready(const struct sw_settings *settings,
				   struct sw_error *error);

#endif
