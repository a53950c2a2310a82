/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one profile says of itself: whose it is, of which job, from when. */
#ifndef SW_ANALYZER_JOBFILE_H
#define SW_ANALYZER_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "analyzer/trust/judge.h"
#include "common/job_key.h"

enum { SW_JOBFILE_NAME_SIZE = 256 };

struct sw_jobfile {
	char *path;
	/* How far it counts; of what cannot be read uid is the owner. */
	struct sw_verdict verdict;
	bool is_summary;	/* of a node, and no recording */
	bool is_unread;
	time_t changed;
	char cluster[64], node[256], name[SW_JOBFILE_NAME_SIZE];
	struct sw_job_key job;		/* its job_id is missing for a run */
	uint64_t start;			/* of the name; 0: it has none */
	/* When it was begun, on both clocks; of one that cannot be read what
	 * its name says, and missing. */
	uint64_t realtime_usec, boottime_usec;
	/* In real time: its first step's start, the last that is known of
	 * its steps, and the start of the batch script, if it saw that. */
	uint64_t begin_usec, end_usec, batch_usec;
	size_t order;		/* of finding */
};

/*
 * <cluster>.<job>.<start>.<node>.stepwell: the job's number, and the start.
 * False where it is not such a name.
 */
bool sw_jobfile_parse_name(const char *path, uint64_t *job, uint64_t *start);

/*
 * Read what file->path says, with path, changed and start set, and judge it
 * (judge NULL: it counts).  Series are left out, where the end of its steps is
 * known without them.
 */
void sw_jobfile_read(struct sw_jobfile *file, struct sw_judge *judge);

#endif
