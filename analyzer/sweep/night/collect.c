/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries are read before the records, because a job's rows are in the files
 * of all its nodes.  Files of the time itself come first; older files are read
 * only for the jobs in these, back to their earliest start.
 */
#include "analyzer/sweep/night/collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/records/records.h"
#include "analyzer/summaries/step_programs.h"
#include "analyzer/sweep/night/day_files.h"
#include "analyzer/sweep/night/night_prints.h"
#include "analyzer/sweep/night/night_rows.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/trust/digests.h"
#include "common/escape.h"
#include "common/units.h"

enum {
	DAY_SECONDS = 86400,
	HOUR_SECONDS = 3600,
	/* No job is looked for in files that are older. */
	DAYS_BACK_MAX = 31,
};

struct collecting {
	const struct sw_collect *what;
	struct sw_night *night;
	struct sw_judge *judge;
	struct sw_night_rows *rows;
	struct sw_day_files files;
	bool *has_programs;	/* of each file that was read */
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

/* Each shard sees all lines and files: only the first counts errors. */
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

static int read_file(struct collecting *collecting, size_t file,
		     bool only_known)
{
	const char *path = collecting->files.paths[file];
	const struct sw_reader_want want = { .no_series = true,
					     .only = &sw_step_rows_only,
					     .only_count = 1 };
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
	rc = sw_night_rows_add(collecting->rows, reader, path, only_known,
			       &unnamed, collecting->error);
	count(collecting, SW_NIGHT_UNNAMED_ROWS, unnamed);
	collecting->has_programs[file] =
		sw_reader_has(reader, SW_STEP_PROGRAMS_TABLE);
	sw_reader_close(reader);
	return rc;
}

static int read_day_files(struct collecting *collecting,
			  const char *first_day, const char *last_day,
			  bool only_known)
{
	static const struct sw_night_node seen = { .had_summaries = true };
	char node[64];
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < collecting->files.count; i++) {
		const char *path = collecting->files.paths[i];

		if (!sw_day_file_is_within(path, first_day, last_day))
			continue;
		rc = read_file(collecting, i, only_known);
		if (rc < 0 || only_known)
			continue;
		sw_digests_node(path, node, sizeof(node));
		if (sw_night_add_node(collecting->night, node, &seen) < 0)
			rc = sw_error_errno(collecting->error, "the nodes");
	}
	return rc;
}

/* Read rows of steps that ended before the time, for jobs that did not. */
static int read_older(struct collecting *collecting, uint64_t first_seconds)
{
	uint64_t earliest = sw_night_rows_earliest_usec(collecting->rows);
	uint64_t oldest = first_seconds - DAYS_BACK_MAX * DAY_SECONDS;
	char first_day[SW_TIME_SIZE], last_day[SW_TIME_SIZE];

	if (sw_is_missing(earliest) ||
	    earliest >= first_seconds * SW_USEC_PER_SEC)
		return 0;
	if (earliest > oldest * SW_USEC_PER_SEC)
		oldest = earliest / SW_USEC_PER_SEC;
	sw_time_utc_day(first_day, oldest);
	sw_time_utc_day(last_day, first_seconds - DAY_SECONDS);
	return read_day_files(collecting, first_day, last_day, true);
}

static int read_summaries(struct collecting *collecting)
{
	const struct sw_collect *what = collecting->what;
	char first_day[SW_TIME_SIZE], last_day[SW_TIME_SIZE];
	uint64_t last = what->until_seconds + SW_CLOCKS_DIFFER_SECONDS;

	if (sw_day_files_init(&collecting->files, collecting->judge,
			      complain_of_folder, collecting) < 0)
		return sw_error_errno(collecting->error, "the summaries");
	collecting->has_programs = calloc(collecting->files.count + 1,
					  sizeof(*collecting->has_programs));
	if (!collecting->has_programs)
		return sw_error_errno(collecting->error, "the summaries");
	sw_time_utc_day(first_day, what->from_seconds);
	sw_time_utc_day(last_day, last);
	if (read_day_files(collecting, first_day, last_day, false) < 0)
		return -1;
	return read_older(collecting,
			  what->from_seconds / DAY_SECONDS * DAY_SECONDS);
}

/* Keep all jobs of a user in one shard, since retries are of one user. */
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

	if (sw_night_rows_of(collecting->rows, job, &rows, &row_count,
			     collecting->error) < 0)
		return -1;
	count(collecting, SW_NIGHT_IMPOSSIBLE, job->used.is_cpu_impossible);
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

	/* At full hours: a window that was halved ends at any second. */
	if (until_seconds % HOUR_SECONDS == 0 ||
	    until_seconds == what->until_seconds)
		sw_retries_settle(&collecting->night->retries, until_seconds);
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

static int count_unknown(struct collecting *collecting)
{
	uint64_t *notes = collecting->night->notes;

	if (!is_first(collecting->what))
		return 0;
	return sw_night_rows_unknown(collecting->rows,
				     &notes[SW_NIGHT_UNKNOWN_JOBS],
				     collecting->error);
}

static int collect(struct collecting *collecting)
{
	const struct sw_collect *what = collecting->what;

	collecting->rows = sw_night_rows_new(what->from_seconds,
					     what->until_seconds);
	if (!collecting->rows)
		return sw_error_errno(collecting->error, "the summaries");
	if (read_summaries(collecting) < 0 || read_records(collecting) != 0 ||
	    count_unknown(collecting) < 0)
		return -1;
	if (sw_night_settle(collecting->night) == 0 &&
	    sw_night_prints_fill(collecting->night, &collecting->files,
				 collecting->has_programs) == 0)
		return 0;
	return sw_error_errno(collecting->error, "the sweep");
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
	if (collecting.judge)
		rc = collect(&collecting);
	number = errno;
	free(collecting.has_programs);
	sw_day_files_fini(&collecting.files);
	sw_night_rows_free(collecting.rows);
	sw_judge_free(collecting.judge);
	errno = number;
	return rc;
}
