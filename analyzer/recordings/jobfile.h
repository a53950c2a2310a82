/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata of one profile: its user, job and start. */
#ifndef SW_ANALYZER_JOBFILE_H
#define SW_ANALYZER_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "analyzer/recordings/index.h"
#include "analyzer/trust/judge.h"
#include "common/job_key.h"

enum { SW_JOBFILE_NAME_SIZE = 256 };

struct sw_jobfile {
	char *path;
	/* Trust in the file; for an unreadable one uid is its owner. */
	struct sw_verdict verdict;
	bool is_summary;	/* summaries of a node, not a recording */
	bool is_unread;
	time_t changed;
	uint64_t stamp;		/* of the store; 0: not to be indexed */
	char cluster[64], node[256], name[SW_JOBFILE_NAME_SIZE];
	struct sw_job_key job;		/* job_id is missing for a run */
	uint64_t start;			/* from the name; or 0 */
	/* Start of the file on both clocks; for an unreadable one, from its
	 * name, and missing. */
	uint64_t realtime_usec, boottime_usec;
	/* Real time: start of its first step, last known time of its steps,
	 * and start of the batch script, if seen. */
	uint64_t begin_usec, end_usec, batch_usec;
	size_t order;		/* in which it was found */
};

/*
 * Parse <cluster>.<job>.<start>.<node>.stepwell into job and start.  Return
 * false for any other name.
 */
bool sw_jobfile_parse_name(const char *path, uint64_t *job, uint64_t *start);

/*
 * Read the metadata of file->path, with path, changed and start set, and judge
 * it (judge NULL: trusted).  Series are skipped unless they are needed for the
 * end of its steps.
 */
void sw_jobfile_read(struct sw_jobfile *file, struct sw_judge *judge);

/*
 * Likewise from the index, if it has the file; otherwise add it.  Others' files
 * are always read: their trust also rests on what summaries say by now.
 */
void sw_jobfile_read_indexed(struct sw_jobfile *file, struct sw_judge *judge,
			     struct sw_index *index);

#endif
