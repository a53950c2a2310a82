/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of steps as the recorders' day files have them. */
#ifndef SW_ANALYZER_STEP_PROGRAMS_H
#define SW_ANALYZER_STEP_PROGRAMS_H

#include "analyzer/compare/fingerprint.h"
#include "profiles/reader.h"

#define SW_STEP_PROGRAMS_TABLE "series.step_programs"

/* A step on the node of the file; the texts are the reader's, or "". */
struct sw_step_programs {
	const char *cluster, *step;
	uint64_t job_id, restart, start_usec;
	/* Its programs, and the node's kernel and kind. */
	struct sw_fingerprint print;
};

struct sw_step_programs_taker {
	/* Called before the programs are there; NULL: all are taken. */
	bool (*wants)(void *context, const struct sw_step_programs *step);
	/* A nonzero result ends the reading. */
	int (*take)(void *context, const struct sw_step_programs *step);
	void *context;
};

/* The table, for struct sw_reader_want. */
extern const struct sw_reader_only sw_step_programs_only;

/*
 * Read all steps of a file.  Where rows were lost, more_programs is not 0.
 * Return 0, or the result of take().
 */
int sw_step_programs_read(const struct sw_step_programs_taker *taker,
			  const struct sw_reader *reader);

#endif
