/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries are read before the records, for a job's rows lie in the files of
 * all its nodes.  Those of the time itself come first; older files are then
 * read only for the jobs that these have, back to the earliest start of them.
 */
#include "analyzer/sweep/collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/records/records.h"
#include "analyzer/sweep/day_files.h"
#include "analyzer/sweep/times.h"
#include "analyzer/trust/digests.h"
#include "common/escape.h"

enum {
	DAY_SECONDS = 86400,
	/* No job is looked for in files that are older. */
	DAYS_BACK_MAX = 31,
	/* A recorder starts after Slurm says that the job did, and may end so. */
	CLOCKS_DIFFER_SECONDS = 60,
};

struct collecting {
	const struct sw_collect *what;
	struct sw_night *night;
	struct sw_judge *judge;
	struct sw_step_summaries rows;
	bool *is_used;		/* of each row */
	struct sw_day_files files;
	uint64_t jobs;
	struct sw_error *error;
};

static void complain(const struct collecting *collecting, const char *format,
		     const char *name, const char *why)
{
	char text[512], shown[256];

	if (!collecting->what->complain)
		return;
	snprintf(text, sizeof(text), format,
		 sw_escape_ascii(shown, sizeof(shown), name), why);
	collecting->what->complain(collecting->what->context, text);
}

/* Each shard sees all lines and files: one of them counts what is wrong. */
static bool is_first(const struct sw_collect *what)
{
	return what->shard <= 1;
}

static void count(struct collecting *collecting, enum sw_night_note note,
		  size_t more)
{
	if (is_first(collecting->what))
		collecting->night->notes[note] += more;
}

static void complain_of_folder(void *context, const char *folder)
{
	complain(context, "%s: %s, so no job has more than Slurm's own record "
		 "by it", folder, strerror(errno));
}

/* The rows of one file, behind those that are there. */
static int read_file(struct collecting *collecting, const char *path)
{
	const struct sw_reader_want want = { .no_series = true };
	struct sw_verdict verdict;
	struct sw_error error;
	struct sw_reader *reader;
	size_t unnamed = 0;
	int rc;

	if (!sw_judge_is_summary(collecting->judge, path)) {
		complain(collecting, "%s: left out%s: its folder or the file "
			 "can be written by others", path, "");
		count(collecting, SW_NIGHT_BAD_SUMMARIES, 1);
		return 0;
	}
	reader = sw_judge_open(collecting->judge, path, &want, &verdict,
			       &error);
	if (!reader) {
		complain(collecting, "%s: left out: %s", path, error.text);
		count(collecting, SW_NIGHT_BAD_SUMMARIES, 1);
		return 0;
	}
	rc = sw_step_summaries_add(&collecting->rows, reader, path, &unnamed);
	count(collecting, SW_NIGHT_UNNAMED_ROWS, unnamed);
	sw_reader_close(reader);
	return rc;
}

static bool is_same_job(const struct sw_step_summary *a,
			const struct sw_step_summary *b)
{
	return a->job.job_id == b->job.job_id &&
	       !strcmp(a->cluster, b->cluster);
}

static int compare_keys(const void *a, const void *b)
{
	return sw_step_summary_compare_jobs(a, b);
}

/* Of rows from "from" on, drop those whose job the first "known" lack. */
static void keep_known(struct sw_step_summaries *rows, size_t known,
		       size_t from)
{
	size_t i, kept = from;

	for (i = from; i < rows->count; i++) {
		if (bsearch(&rows->items[i], rows->items, known,
			    sizeof(*rows->items), compare_keys))
			rows->items[kept++] = rows->items[i];
	}
	rows->count = kept;
}

static double earliest_start(const struct sw_step_summaries *rows)
{
	double earliest = INFINITY;
	size_t i;

	for (i = 0; i < rows->count; i++)
		earliest = fmin(earliest, rows->items[i].start);
	return earliest;
}

static int read_day_files(struct collecting *collecting,
			  const char *first_day, const char *last_day,
			  size_t known)
{
	char node[64];
	size_t i, from;
	int rc = 0;

	for (i = 0; rc == 0 && i < collecting->files.count; i++) {
		const char *path = collecting->files.paths[i];

		if (!sw_day_file_is_within(path, first_day, last_day))
			continue;
		from = collecting->rows.count;
		rc = read_file(collecting, path);
		if (known) {
			keep_known(&collecting->rows, known, from);
			continue;
		}
		sw_digests_node(path, node, sizeof(node));
		if (rc == 0)
			rc = sw_night_add_node(collecting->night, node, false,
					       true);
	}
	return rc;
}

/* Rows of steps that ended before the time, of jobs that did not. */
static int read_older(struct collecting *collecting, uint64_t first_seconds)
{
	double earliest = earliest_start(&collecting->rows);
	uint64_t oldest = first_seconds - DAYS_BACK_MAX * DAY_SECONDS;
	char first_day[SW_TIME_SIZE], last_day[SW_TIME_SIZE];
	size_t known = collecting->rows.count;

	if (!known || !(earliest < (double)first_seconds))
		return 0;
	if (earliest > (double)oldest)
		oldest = (uint64_t)earliest;
	sw_time_utc_day(first_day, oldest);
	sw_time_utc_day(last_day, first_seconds - DAY_SECONDS);
	return read_day_files(collecting, first_day, last_day, known);
}

static int read_summaries(struct collecting *collecting)
{
	const struct sw_collect *what = collecting->what;
	char first_day[SW_TIME_SIZE], last_day[SW_TIME_SIZE];
	uint64_t last = what->until_seconds + CLOCKS_DIFFER_SECONDS;
	int rc = sw_day_files_init(&collecting->files, collecting->judge,
				   complain_of_folder, collecting);

	sw_time_utc_day(first_day, what->from_seconds);
	sw_time_utc_day(last_day, last);
	if (rc == 0)
		rc = read_day_files(collecting, first_day, last_day, 0);
	sw_step_summaries_settle(&collecting->rows);
	if (rc == 0)
		rc = read_older(collecting, what->from_seconds / DAY_SECONDS *
				DAY_SECONDS);
	sw_step_summaries_settle(&collecting->rows);
	if (rc == 0 && collecting->rows.count) {
		collecting->is_used = calloc(collecting->rows.count,
					     sizeof(bool));
		rc = collecting->is_used ? 0 : -1;
	}
	return rc;
}

/* The first row that is not before those of the job's first run. */
static size_t find_rows(const struct sw_step_summaries *rows,
			const struct sw_step_summary *key)
{
	size_t low = 0, high = rows->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (sw_step_summary_compare_jobs(&rows->items[middle], key) <
		    0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Records before Slurm 24.11 do not tell which run of a requeued job they are
 * of: the times do.
 */
static bool is_of_run(const struct sw_step_summary *rows, size_t count,
		      const struct sw_job_record *job)
{
	double start = rows->start;
	size_t i;

	for (i = 1; i < count; i++)
		start = fmin(start, rows[i].start);
	return start >= (double)job->start_seconds - CLOCKS_DIFFER_SECONDS &&
	       start <= (double)job->end_seconds + CLOCKS_DIFFER_SECONDS;
}

/* The rows of this run of the job; NULL: there are none. */
static const struct sw_step_summary *
rows_of(struct collecting *collecting, const struct sw_job_record *job,
	size_t *row_count)
{
	struct sw_step_summaries *rows = &collecting->rows;
	struct sw_step_summary key = { .job = job->key };
	size_t i, of_job;

	key.job.restart_count = 0;
	snprintf(key.cluster, sizeof(key.cluster), "%s", job->cluster);
	*row_count = 0;
	for (i = find_rows(rows, &key); i < rows->count; i += of_job) {
		if (!is_same_job(&rows->items[i], &key))
			break;
		of_job = sw_step_summaries_of_job(&rows->items[i],
						  rows->count - i);
		if (collecting->is_used[i] ||
		    !is_of_run(&rows->items[i], of_job, job))
			continue;
		memset(&collecting->is_used[i], true, of_job);
		*row_count = of_job;
		return &rows->items[i];
	}
	return NULL;
}

/* All jobs of a user are in one shard, for retries are of one user. */
static bool is_of_shard(const struct sw_collect *what,
			const struct sw_job_record *job)
{
	return what->shards < 2 ||
	       sw_keyed_hash(job->user, strlen(job->user)) % what->shards ==
		       what->shard - 1;
}

static int take_job(void *context, const struct sw_job_record *job)
{
	struct collecting *collecting = context;
	const struct sw_collect *what = collecting->what;
	const struct sw_step_summary *rows;
	size_t row_count;

	rows = rows_of(collecting, job, &row_count);
	if (!is_of_shard(what, job))
		return 0;
	collecting->jobs++;
	if (sw_night_add(collecting->night, job, rows, row_count,
			 sw_settings_group_rules(what->settings)) == 0)
		return 0;
	return sw_error_errno(collecting->error, "the sweep");
}

static int take_window(void *context, uint64_t until_seconds)
{
	struct collecting *collecting = context;
	const struct sw_collect *what = collecting->what;

	if (what->progress)
		what->progress(what->context, until_seconds, collecting->jobs);
	return 0;
}

static void complain_of_line(void *context, const char *text)
{
	struct collecting *collecting = context;

	if (collecting->what->complain)
		collecting->what->complain(collecting->what->context, text);
}

static int read_records(struct collecting *collecting)
{
	const struct sw_collect *what = collecting->what;
	const struct sw_records_source source = {
		.program = sw_settings_records_program(what->settings),
		.lsb_acct = sw_settings_lsb_acct(what->settings),
		.lsf = sw_settings_lsf(what->settings),
	};
	const struct sw_records_taker taker = {
		.take_job = take_job, .take_window = take_window,
		.complain = complain_of_line, .context = collecting,
	};
	uint64_t *notes = collecting->night->notes;
	struct sw_records_sums sums;
	int rc = sw_records_read(&source, what->from_seconds,
				 what->until_seconds, &taker, &sums,
				 collecting->error);

	if (is_first(what)) {
		notes[SW_NIGHT_BAD_LINES] += sums.bad_lines;
		notes[SW_NIGHT_IMPOSSIBLE] += sums.impossible;
	}
	return rc;
}

/* Rows of jobs that ended within the time, and that Slurm does not have. */
static void count_unknown(struct collecting *collecting)
{
	const struct sw_collect *what = collecting->what;
	const struct sw_step_summaries *rows = &collecting->rows;
	double until = (double)what->until_seconds - CLOCKS_DIFFER_SECONDS;
	double from = (double)what->from_seconds + CLOCKS_DIFFER_SECONDS;
	size_t i, of_job;

	if (!is_first(what))
		return;
	for (i = 0; i < rows->count; i += of_job) {
		const struct sw_step_summary *row = &rows->items[i];

		of_job = sw_step_summaries_of_job(row, rows->count - i);
		if (!collecting->is_used[i] && row->end < until &&
		    row->end > from && !strcmp(row->step, "extern"))
			collecting->night->notes[SW_NIGHT_UNKNOWN_JOBS]++;
	}
}

int sw_collect(struct sw_night *night, const struct sw_collect *what,
	       struct sw_error *error)
{
	struct collecting collecting = {
		.what = what, .night = night, .error = error,
		.judge = sw_judge_new(sw_settings_places(what->settings),
				      error),
	};
	int rc = -1, number;

	night->from_seconds = what->from_seconds;
	night->until_seconds = what->until_seconds;
	night->shard = what->shard;
	night->shards = what->shards;
	if (collecting.judge && read_summaries(&collecting) < 0)
		sw_error_errno(error, "the summaries");
	else if (collecting.judge)
		rc = read_records(&collecting);
	number = errno;
	if (rc == 0)
		count_unknown(&collecting);
	sw_day_files_fini(&collecting.files);
	free(collecting.is_used);
	sw_step_summaries_fini(&collecting.rows);
	sw_judge_free(collecting.judge);
	errno = number;
	return rc;
}
