/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows are spilled by the start of their steps.  Those that started before a
 * job's end are loaded when its record is read, and found by job.
 */
#include "analyzer/sweep/night/night_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/job_set.h"
#include "analyzer/summaries/step_pending.h"
#include "analyzer/summaries/step_spill.h"
#include "common/units.h"

enum { PART_SECONDS = 600, PARTS_MAX = 256 };

struct sw_night_rows {
	uint64_t from_seconds, until_seconds, part_seconds;
	size_t parts, loaded;
	struct sw_texts texts;
	struct sw_step_spill *spill;
	struct sw_step_pending pending;
	struct sw_job_set known;
	uint64_t earliest_usec;
	/* Rows of the requested job. */
	struct sw_step_row *taken;
	size_t taken_room;
	struct sw_step_summary *job;
	size_t job_room;
};

struct sw_night_rows *sw_night_rows_new(uint64_t from_seconds,
					uint64_t until_seconds)
{
	uint64_t seconds =
		until_seconds - from_seconds + SW_CLOCKS_DIFFER_SECONDS;
	struct sw_night_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		return NULL;
	rows->from_seconds = from_seconds;
	rows->until_seconds = until_seconds;
	rows->part_seconds =
		(seconds / PARTS_MAX / PART_SECONDS + 1) * PART_SECONDS;
	rows->parts = (size_t)(seconds / rows->part_seconds) + 1;
	rows->earliest_usec = SW_MISSING;
	rows->spill = sw_step_spill_new(rows->parts);
	if (rows->spill)
		return rows;
	free(rows);
	return NULL;
}

void sw_night_rows_free(struct sw_night_rows *rows)
{
	if (!rows)
		return;
	sw_texts_fini(&rows->texts);
	sw_step_spill_free(rows->spill);
	sw_step_pending_fini(&rows->pending);
	sw_job_set_fini(&rows->known);
	free(rows->taken);
	free(rows->job);
	free(rows);
}

/* rows->parts: after all jobs of the night. */
static size_t part_of(const struct sw_night_rows *rows, uint64_t seconds)
{
	uint64_t part;

	if (seconds < rows->from_seconds)
		return 0;
	part = (seconds - rows->from_seconds) / rows->part_seconds;
	return part < rows->parts ? (size_t)part : rows->parts;
}

struct adding {
	struct sw_night_rows *rows;
	bool only_known;
	struct sw_error *error;
};

static int put_aside(void *context, const struct sw_step_row *row)
{
	struct adding *adding = context;
	struct sw_night_rows *rows = adding->rows;
	uint64_t job_id = row->job_id;
	size_t part =
		part_of(rows, row->start_realtime_usec / SW_USEC_PER_SEC);

	if (adding->only_known) {
		if (!sw_job_set_has(&rows->known, row->cluster, job_id))
			return 0;
	} else if (sw_job_set_add(&rows->known, row->cluster, job_id) < 0) {
		return sw_error_errno(adding->error, "the summaries");
	}
	rows->earliest_usec =
		sw_min_u64(rows->earliest_usec, row->start_realtime_usec);
	if (part == rows->parts)
		return 0;
	return sw_step_spill_add(rows->spill, part, row, adding->error);
}

int sw_night_rows_add(struct sw_night_rows *rows,
		      const struct sw_reader *reader, const char *path,
		      bool only_known, size_t *unnamed, struct sw_error *error)
{
	struct adding adding = {
		.rows = rows,
		.only_known = only_known,
		.error = error,
	};
	const struct sw_step_rows_taker taker = {
		.texts = &rows->texts,
		.take = put_aside,
		.context = &adding,
	};

	sw_error_set(error, "not enough memory for the summaries");
	return sw_step_rows_read(&taker, reader, path, unnamed);
}

uint64_t sw_night_rows_earliest_usec(const struct sw_night_rows *rows)
{
	return rows->earliest_usec;
}

static int make_pending(void *context, const struct sw_step_row *row)
{
	struct sw_night_rows *rows = context;

	return sw_step_pending_add(&rows->pending, row);
}

/* Make all rows that started by then pending. */
static int load_until(struct sw_night_rows *rows, uint64_t seconds,
		      struct sw_error *error)
{
	size_t part = part_of(rows, seconds);
	int rc = 0;

	sw_error_set(error, "not enough memory for the summaries");
	while (rc == 0 && rows->loaded < rows->parts && rows->loaded <= part)
		rc = sw_step_spill_take(rows->spill, rows->loaded++,
					make_pending, rows, error);
	return rc;
}

static int make_room(struct sw_night_rows *rows, size_t count)
{
	struct sw_step_summary *grown;

	if (count <= rows->job_room)
		return 0;
	grown = reallocarray(rows->job, 2 * count, sizeof(*grown));
	if (!grown)
		return -1;
	rows->job = grown;
	rows->job_room = 2 * count;
	return 0;
}

/* Put all runs of a job into rows->job, sorted; taken rows are unchanged. */
static int take_job(struct sw_night_rows *rows, uint32_t cluster,
		    uint64_t job_id, size_t *taken, size_t *count)
{
	ssize_t got = sw_step_pending_take(&rows->pending, cluster, job_id,
					   &rows->taken, &rows->taken_room);
	ssize_t i;

	if (got < 0 || make_room(rows, (size_t)got) < 0)
		return -1;
	for (i = 0; i < got; i++)
		sw_step_summary_of(&rows->job[i], &rows->taken[i],
				   &rows->texts);
	*taken = (size_t)got;
	*count = sw_step_summaries_order(rows->job, (size_t)got);
	return 0;
}

/*
 * Records before Slurm 24.11 do not identify the run of a requeued job: compare
 * times.
 */
static bool is_of_run(const struct sw_step_summary *rows, size_t count,
		      const struct sw_job_record *job)
{
	double start = rows->start;
	size_t i;

	for (i = 1; i < count; i++)
		start = fmin(start, rows[i].start);
	return start >= (double)job->start_seconds - SW_CLOCKS_DIFFER_SECONDS &&
	       start <= (double)job->end_seconds + SW_CLOCKS_DIFFER_SECONDS;
}

static bool is_same_run(const struct sw_step_row *row,
			const struct sw_step_summary *run,
			const struct sw_texts *texts)
{
	struct sw_step_summary summary;

	sw_step_summary_of(&summary, row, texts);
	return !sw_step_summary_compare_jobs(&summary, run);
}

/* Keep rows of other runs for their own records; run NULL: all. */
static int put_back(struct sw_night_rows *rows, size_t taken,
		    const struct sw_step_summary *run)
{
	size_t i;

	for (i = 0; i < taken; i++) {
		if (run && is_same_run(&rows->taken[i], run, &rows->texts))
			continue;
		if (sw_step_pending_add(&rows->pending, &rows->taken[i]) < 0)
			return -1;
	}
	return 0;
}

static int find_run(struct sw_night_rows *rows, const struct sw_job_record *job,
		    size_t taken, size_t count,
		    const struct sw_step_summary **found, size_t *of_run)
{
	const struct sw_step_summary *run;
	size_t i, of_job;

	for (i = 0; i < count; i += of_job) {
		run = &rows->job[i];
		of_job = sw_step_summaries_of_job(run, count - i);
		if (!is_of_run(run, of_job, job))
			continue;
		*found = run;
		*of_run = of_job;
		return of_job == taken ? 0 : put_back(rows, taken, run);
	}
	return put_back(rows, taken, NULL);
}

int sw_night_rows_of(struct sw_night_rows *rows,
		     const struct sw_job_record *job,
		     const struct sw_step_summary **found, size_t *count,
		     struct sw_error *error)
{
	uint32_t cluster = sw_texts_find(&rows->texts, job->cluster);
	size_t taken, of_job;

	*found = NULL;
	*count = 0;
	if (load_until(rows, job->end_seconds + SW_CLOCKS_DIFFER_SECONDS,
		       error) < 0)
		return -1;
	if (cluster == SW_TEXT_NONE)
		return 0;
	if (take_job(rows, cluster, job->key.job_id, &taken, &of_job) < 0 ||
	    find_run(rows, job, taken, of_job, found, count) < 0)
		return sw_error_errno(error, "the summaries");
	return 0;
}

static void count_runs(const struct sw_night_rows *rows, size_t count,
		       uint64_t *jobs)
{
	double until = (double)rows->until_seconds - SW_CLOCKS_DIFFER_SECONDS;
	double from = (double)rows->from_seconds + SW_CLOCKS_DIFFER_SECONDS;
	size_t i, of_job;

	for (i = 0; i < count; i += of_job) {
		const struct sw_step_summary *run = &rows->job[i];

		of_job = sw_step_summaries_of_job(run, count - i);
		*jobs += run->end < until && run->end > from &&
			 !strcmp(run->step, "extern");
	}
}

int sw_night_rows_unknown(struct sw_night_rows *rows, uint64_t *jobs,
			  struct sw_error *error)
{
	const struct sw_step_row *row;
	uint32_t at = 0;
	size_t taken, count;

	if (load_until(rows, rows->until_seconds, error) < 0)
		return -1;
	while ((row = sw_step_pending_any(&rows->pending, &at))) {
		if (take_job(rows, row->cluster, row->job_id, &taken,
			     &count) < 0)
			return sw_error_errno(error, "the summaries");
		count_runs(rows, count, jobs);
	}
	return 0;
}
