/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find when a step's work was done by other steps and jobs: srun waits for a
 * step, Snakemake and Nextflow for jobs that they submitted.  The rows of the
 * table "programs" show when such programs, and those that query jobs, started
 * and ran.
 *
 * This errs on the long side: taking such a wait for a standstill would blame a
 * step that did what it should.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/jobid.h"

enum role {
	NO_ROLE,
	LAUNCHES,	/* launches, and waits for it */
	SUBMITS,	/* likewise with --wait, -sync or -K only */
	ASKS,		/* queries the state of jobs */
	LEADS,		/* submits jobs, or runs them itself */
};

static const struct {
	const char *program;
	enum role role;
} roles[] = {
	{ "srun", LAUNCHES }, { "salloc", LAUNCHES },
	{ "sbatch", SUBMITS }, { "bsub", SUBMITS }, { "qsub", SUBMITS },
	{ "squeue", ASKS }, { "sacct", ASKS }, { "scontrol", ASKS },
	{ "bjobs", ASKS }, { "qstat", ASKS },
	{ "snakemake", LEADS }, { "nextflow", LEADS },
	/* Process name of Nextflow and Cromwell. */
	{ "java", LEADS },
};

/* True for names that are also used outside of workflows. */
static bool is_common_name(const char *program)
{
	return !strcmp(program, "java");
}

static enum role role_of(const char *program)
{
	size_t i;

	for (i = 0; program && i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (!strcmp(roles[i].program, program))
			return roles[i].role;
	}
	return NO_ROLE;
}

/* Rows of one step's programs, in the order of the file. */
struct looking {
	const struct sw_view *view;
	struct sw_series series;
	size_t count;
	uint64_t submitted_usec;	/* first time; SW_MISSING: never */
	uint64_t asked_usec;		/* last query or submission */
};

static enum role role_at(const struct looking *looking, size_t row)
{
	if (!sw_series_is_ours(&looking->series, row))
		return NO_ROLE;
	return role_of(sw_series_text(&looking->series, row, "name"));
}

/* Next or previous row of the same program; count if there is none. */
static size_t find_same(const struct looking *looking, size_t row, int step)
{
	uint64_t key = sw_series_at(&looking->series, row, "program");
	size_t i;

	for (i = row + (size_t)step; i < looking->count; i += (size_t)step) {
		if (sw_series_is_ours(&looking->series, i) &&
		    sw_series_at(&looking->series, i, "program") == key)
			return i;
	}
	return looking->count;
}

static uint64_t number_at(const struct looking *looking, size_t row,
			  const char *column)
{
	if (row >= looking->count)
		return 0;
	return sw_zero_if_missing(sw_series_at(&looking->series, row, column));
}

/* A row holds until the program's next row. */
static uint64_t holds_until(const struct looking *looking, size_t row)
{
	size_t next = find_same(looking, row, 1);

	return next < looking->count ?
		       sw_series_at(&looking->series, next, "time_usec") :
		       looking->view->end_usec;
}

/* True if one was started since the row before, at *before_usec. */
static bool has_started(const struct looking *looking, size_t row,
			uint64_t *before_usec)
{
	size_t before = find_same(looking, row, -1);

	*before_usec = before < looking->count ?
		sw_series_at(&looking->series, before, "time_usec") :
		looking->view->start_usec;
	return number_at(looking, row, "started") >
	       number_at(looking, before, "started");
}

static void note_submission(struct looking *looking, size_t row)
{
	enum role role = role_at(looking, row);
	uint64_t time_usec, before_usec;

	if ((role != SUBMITS && role != ASKS) ||
	    !has_started(looking, row, &before_usec))
		return;
	time_usec = sw_series_at(&looking->series, row, "time_usec");
	if (role == SUBMITS)
		looking->submitted_usec = sw_min_u64(looking->submitted_usec,
						     before_usec);
	looking->asked_usec = sw_max_u64(looking->asked_usec, time_usec);
}

/* Start of leading: the program runs, but its work is not in the step. */
static uint64_t leads_from(const struct looking *looking, size_t row)
{
	uint64_t time_usec = sw_series_at(&looking->series, row, "time_usec");
	bool is_complete = sw_series_at(&looking->series, row,
					"is_complete") == 1;

	if (!sw_is_missing(looking->submitted_usec))
		return sw_max_u64(time_usec, looking->submitted_usec);
	/* A submitting program is short, and may have been missed. */
	return is_complete || is_common_name(sw_series_text(&looking->series,
							    row, "name"))
		       ? SW_MISSING
		       : time_usec;
}

static int add_row(struct looking *looking, struct sw_spans *spans, size_t row)
{
	enum role role = role_at(looking, row);
	uint64_t time_usec = sw_series_at(&looking->series, row, "time_usec");
	uint64_t before_usec;

	if (role == NO_ROLE)
		return 0;
	/* It started and ended between two rows. */
	if (role == LAUNCHES && has_started(looking, row, &before_usec) &&
	    sw_spans_add(spans, time_usec, time_usec) < 0)
		return -1;
	if (!number_at(looking, row, "running"))
		return 0;
	if (role == LEADS)
		time_usec = leads_from(looking, row);
	if (role == ASKS)
		return 0;
	return sw_spans_add(spans, time_usec, holds_until(looking, row));
}

int sw_view_fill_elsewhere(struct sw_view *view,
			   const struct sw_view_parts *parts)
{
	struct looking looking = {
		.view = view,
		.series = sw_series_open(parts->reader, "programs",
					 parts->step_key),
		.submitted_usec = SW_MISSING,
		.asked_usec = SW_MISSING,
	};
	size_t i;

	/* Without the column, all programs belong to the first step. */
	if (!looking.series.step && parts->step_key != 0)
		return 0;
	looking.count = sw_series_rows(&looking.series);
	for (i = 0; i < looking.count; i++)
		note_submission(&looking, i);
	for (i = 0; i < looking.count; i++) {
		if (add_row(&looking, &view->elsewhere, i) < 0)
			return -1;
	}
	/* It waited from the first submission to the last query. */
	if (sw_spans_add(&view->elsewhere, looking.submitted_usec,
			 looking.asked_usec) < 0)
		return -1;
	sw_spans_join(&view->elsewhere);
	return 0;
}

bool sw_view_is_of_user(const struct sw_view *view)
{
	return sw_stepid_is_of_user(view->step_id);
}
