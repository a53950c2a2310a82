/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Import past runs into the history: from recordings, summaries of nodes,
 * sacct's output and traces.  Counts what was imported, and why the rest was
 * not.
 */
#ifndef SW_ANALYZER_IMPORT_H
#define SW_ANALYZER_IMPORT_H

#include "analyzer/history/history.h"
#include "analyzer/keyed/numbered.h"
#include "analyzer/recordings/jobfiles.h"
#include "analyzer/settings/settings.h"
#include "analyzer/summaries/job_prints.h"
#include "analyzer/summaries/step_summary.h"

enum { SW_IMPORT_REASONS = 16, SW_IMPORT_WHERE_SIZE = 160 };

/* Reason why data was skipped, how often, and where first */
struct sw_import_reason {
	char text[SW_IMPORT_WHERE_SIZE];
	char where[SW_IMPORT_WHERE_SIZE];
	size_t count;
};


struct sw_import {
	struct sw_history *history;
	const struct sw_settings *settings;
	const char *user, *cluster;	/* default if the file has none; or
					 * NULL */
	bool completes_only;	/* skip runs that are not in the history */
	bool only_inputs;	/* import nothing but input sizes */
	bool takes_claims;	/* accept other users' claims about their own
				 * runs */
	size_t rows, added, replaced, completed;
	size_t steps;		/* rows that are steps, not jobs */
	size_t merged;		/* rows merged with one of the same import */
	struct sw_numbered seen;	/* rows of the history written */
	size_t impossible;		/* impossible numbers, ignored */
	size_t skipped;
	struct sw_import_reason reasons[SW_IMPORT_REASONS];
	size_t reason_count;
	size_t unitless;	/* LSF requests without a unit */
	size_t sampled;		/* rows whose memory is sampled, thus a bound */
	size_t unbounded;	/* of these, with unknown tasks */
	/* Rows of summaries, kept until those of all nodes are read */
	struct sw_step_summaries summaries;
	struct sw_job_prints prints;
};

/* Import a run.  0, or -1 with *error. */
int sw_import_run(struct sw_import *import, const struct sw_history_run *run,
		  struct sw_error *error);

/* Count skipped data; where is truncated. */
void sw_import_skip(struct sw_import *import, const char *why,
		    const char *where);

/* Begin a transaction for any number of rows, and commit it; 0 or -1 with
 * *error. */
int sw_import_begin(struct sw_import *import, struct sw_error *error);
int sw_import_end(struct sw_import *import, struct sw_error *error);

/*
 * Each reports skipped data by sw_import_skip(); -1 with *error only if the
 * import cannot continue: the history is not writable, or out of memory.
 */
int sw_import_folders(struct sw_import *import,
		      const struct sw_folders *folders,
		      struct sw_error *error);
/* Import a recording, or the summaries of a node's day. */
int sw_import_profile(struct sw_import *import, const char *path,
		      struct sw_error *error);
/* Import "sacct --parsable2" or "--parsable", with its header. */
int sw_import_sacct(struct sw_import *import, const char *path,
		    struct sw_error *error);
/* Import LSF's lsb.acct. */
int sw_import_lsf(struct sw_import *import, const char *path,
		  struct sw_error *error);
/*
 * Query sacct, if there is one, for values that recordings of Slurm jobs in the
 * history lack, mainly their time limits; counts nothing.  -1 with *error also
 * if sacct fails.
 */
int sw_import_accounting(struct sw_import *import, struct sw_error *error);
/* Import Nextflow's trace, or CSV. */
int sw_import_trace(struct sw_import *import, const char *path,
		    struct sw_error *error);
/* Import a file of any kind; call sw_import_finish() after the last one. */
int sw_import_file(struct sw_import *import, const char *path,
		   struct sw_error *error);
int sw_import_finish(struct sw_import *import, struct sw_error *error);

/* Import all recordings that "stepwell list" finds, and finish. */
int sw_import_own(struct sw_import *import, struct sw_error *error);

/* Import the sweep's results for this user, if the settings name a folder. */
void sw_import_beside(struct sw_import *import);

/*
 * Open the history of these settings for reading, with that of the sweep beside
 * it (history_beside.h); a damaged or missing history is rebuilt from the
 * recordings.  NULL with *error, errno ENOENT if there is nothing to build it
 * from.
 */
struct sw_history *sw_import_ready(const struct sw_settings *settings,
				   struct sw_error *error);

#endif
