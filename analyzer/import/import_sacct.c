/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Import sacct's output.  MaxRSS is a sample of one task every half a minute:
 * never above the need, and nothing for a short job.  Skips jobs that have not
 * ended, and lines that do not match the header, since names may contain
 * anything.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_jobs.h"
#include "analyzer/accounting/record_run.h"
#include "analyzer/accounting/sacct.h"
#include "analyzer/import/import_internal.h"
#include "common/open_file.h"

enum {
	BLOCK_SIZE = 8 << 20,	/* of a file; more if one job needs it */
	ASKED_AT_ONCE = 1000,	/* jobs per query of limits */
};

/*
 * Fields that a recording lacks, and how a job ended.  A comment may contain
 * anything, even what looks like the line of another job: it is queried
 * separately, and only an input size is taken from it.
 */
static const enum sw_record_field completing[] = {
	SW_RECORD_ID, SW_RECORD_USER, SW_RECORD_CLUSTER, SW_RECORD_PARTITION,
	SW_RECORD_STATE, SW_RECORD_START, SW_RECORD_END, SW_RECORD_ELAPSED,
	SW_RECORD_LIMIT, SW_RECORD_SUBMIT, SW_RECORD_EXIT,
};
static const enum sw_record_field with_comment[] = {
	SW_RECORD_ID, SW_RECORD_USER, SW_RECORD_CLUSTER, SW_RECORD_STATE,
	SW_RECORD_START, SW_RECORD_END, SW_RECORD_ELAPSED, SW_RECORD_COMMENT,
};

struct reader {
	struct sw_import *import;
	const char *path;
	struct sw_record_fields fields;
	struct sw_records_sums sums;
	char *block;
	size_t size, capacity;	/* of the block */
	bool has_header;
	struct sw_error *error;
};

static int add(struct reader *reader, const struct sw_job_record *job,
	       const struct sw_run *run, const struct sw_step_record *step)
{
	struct sw_import *import = reader->import;
	struct sw_jobid id = job->id;
	char text[SW_JOBID_TEXT_SIZE];
	struct sw_job_group group;
	struct sw_history_run row = {
		.run = *run, .step = step ? step->id.step : "",
		.source = SW_HISTORY_SACCT, .cluster = job->cluster,
		.user = job->user, .name = job->name,
		.partition = job->partition, .group = group.group,
		.label = group.label, .job = text,
		.restart = run->attempt ? run->attempt - 1 : 0,
		.completes_only = import->completes_only,
	};
	struct sw_job_names job_names;

	if (!*row.user && import->user)
		row.user = import->user;
	if (!*row.cluster && import->cluster)
		row.cluster = import->cluster;
	job_names = (struct sw_job_names){
		.user = row.user, .name = row.name,
		.partition = row.partition, .cluster = row.cluster,
		.comment = job->comment, .step = row.step,
		.step_program = step ? step->name : NULL,
	};
	row.name = sw_job_names_main(&job_names);
	row.step_program = job_names.step_program;
	sw_job_group_find(&group, sw_settings_group_rules(import->settings),
			  &job_names);
	id.step[0] = '\0';
	sw_jobid_format(text, sizeof(text), &id);
	if (!isnan(run->need_bytes)) {
		import->sampled++;
		import->unbounded += isnan(run->need_upper_bytes) ? 1 : 0;
	}
	return sw_import_run(import, &row, reader->error);
}

static int add_steps(struct reader *reader, const struct sw_job_record *job)
{
	struct sw_job_record as_job;
	struct sw_run run;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < job->step_count; i++) {
		if (!strcmp(job->steps[i].id.step, "extern"))
			continue;
		as_job = sw_record_of_step(job, i);
		as_job.key.restart_count = SW_MISSING;
		sw_record_run(&run, &as_job);
		if (isnan(run.need_bytes) && isnan(run.used_core_seconds))
			continue;
		rc = add(reader, job, &run, &job->steps[i]);
	}
	return rc;
}

/* Keep the input size, and what identifies the run. */
static void keep_input(struct sw_run *run)
{
	const struct sw_run all = *run;

	*run = sw_run_unknown;
	run->start_seconds = all.start_seconds;
	run->end_seconds = all.end_seconds;
	run->elapsed_seconds = all.elapsed_seconds;
	run->input_bytes = all.input_bytes;
}

/* Return why the job is not a run; NULL: it is one. */
static const char *why_no_run(const struct sw_job_record *job)
{
	if (job->is_rest_of_array)
		return "elements of an array did not start";
	if (!sw_job_state_is_final(job->end.state))
		return "a job has not ended";
	return job->elapsed_seconds && !sw_is_missing(job->elapsed_seconds) ?
		       NULL : "a job did not run";
}

static int take_job(void *context, const struct sw_job_record *job)
{
	struct reader *reader = context;
	const char *why = why_no_run(job);
	struct sw_run run;

	if (why) {
		sw_import_skip(reader->import, why, sw_jobid_text(&job->id).s);
		return 0;
	}
	sw_record_run(&run, job);
	reader->import->impossible += job->used.is_cpu_impossible;
	if (reader->import->only_inputs)
		keep_input(&run);
	if (add(reader, job, &run, NULL) < 0)
		return -1;
	return reader->import->only_inputs ? 0 : add_steps(reader, job);
}

static void skip(void *context, const char *why, const char *line)
{
	struct reader *reader = context;

	sw_import_skip(reader->import, why, line);
}

/* Parse the lines of a block, which begins with a job. */
static int take_text(struct reader *reader, char *text)
{
	const struct sw_records_taker taker = {
		.take_job = take_job, .skip = skip, .context = reader,
	};
	struct sw_record_lines lines = {
		.next = text, .delimiter = reader->fields.delimiter,
		.fields = &reader->fields,
	};

	return sw_record_jobs_take(&lines, NULL, NULL, &taker, &reader->sums,
				   reader->error);
}

/* Parse the header, return the text behind it; NULL with *error. */
static char *take_header(struct reader *reader, char *text)
{
	char *end = text + strcspn(text, "\n");
	const char *why;

	text += strspn(text, "\r\n");
	end = text + strcspn(text, "\n");
	reader->has_header = true;
	if (*end)
		*end++ = '\0';
	why = sw_record_fields_of_header(&reader->fields, text);
	if (!why)
		return end;
	errno = EINVAL;
	sw_error_set(reader->error, "%s: %s; nothing was imported from it",
		     reader->path, why);
	return NULL;
}

/*
 * Parse all jobs that are complete in the block, or all at the end of the file;
 * move the rest to its beginning.
 */
static int take_block(struct reader *reader, bool is_end)
{
	char *text = reader->block, *cut = NULL;
	struct sw_record_lines lines = {
		.delimiter = reader->fields.delimiter,
		.fields = &reader->fields,
	};
	size_t left = 0;
	int rc;

	if (!reader->has_header) {
		text = take_header(reader, text);
		if (!text)
			return -1;
	}
	lines.next = text;
	if (!is_end) {
		cut = sw_record_lines_cut(&lines);
		if (!cut)
			cut = text;
		left = reader->size - (size_t)(cut - reader->block);
		if (cut > text)
			cut[-1] = '\0';
	}
	rc = is_end || cut > text ? take_text(reader, text) : 0;
	if (cut)
		memmove(reader->block, cut, left);
	reader->size = left;
	return rc;
}

/* A NUL in a file would end its text. */
static void replace_zeros(char *at, size_t size)
{
	char *end = at + size;

	while ((at = memchr(at, '\0', (size_t)(end - at))))
		*at = '?';
}

static int make_room(struct reader *reader)
{
	size_t wanted = 2 * reader->capacity + BLOCK_SIZE;
	char *grown;

	if (reader->capacity - reader->size > BLOCK_SIZE / 2)
		return 0;
	grown = realloc(reader->block, wanted);
	if (!grown)
		return sw_error_set(reader->error, "not enough memory");
	reader->block = grown;
	reader->capacity = wanted;
	return 0;
}

static int read_blocks(struct reader *reader, FILE *file)
{
	size_t more = 1;
	int rc = 0;

	while (rc == 0 && more > 0) {
		if (make_room(reader) < 0)
			return -1;
		more = fread(reader->block + reader->size, 1,
			     reader->capacity - reader->size - 1, file);
		replace_zeros(reader->block + reader->size, more);
		reader->size += more;
		reader->block[reader->size] = '\0';
		if (ferror(file))
			return sw_error_errno(reader->error, "%s",
					      reader->path);
		rc = take_block(reader, more == 0);
	}
	return rc;
}

static int import_lines(struct sw_import *import, FILE *file, const char *name,
			struct sw_error *error)
{
	struct reader reader = { .import = import, .path = name,
				 .error = error };
	int rc, number;

	rc = sw_import_begin(import, error);
	if (rc == 0)
		rc = read_blocks(&reader, file);
	number = errno;
	import->impossible += reader.sums.impossible;
	if (rc == 0)
		rc = sw_import_end(import, error);
	else
		sw_history_rollback(import->history);
	errno = number;
	free(reader.block);
	return rc;
}

int sw_import_sacct(struct sw_import *import, const char *path,
		    struct sw_error *error)
{
	FILE *file = sw_open_stream(path);
	int rc;

	if (!file)
		return sw_error_errno(error, "%s", path);
	rc = import_lines(import, file, path, error);
	fclose(file);
	return rc;
}

static int complete(struct sw_import *import, const char *ids,
		    const enum sw_record_field *list, size_t count,
		    struct sw_error *error)
{
	struct sw_record_fields fields;
	const struct sw_acct_question what = {
		.ids = ids, .format = fields.format, .has_header = true,
		.has_all_runs = true,
	};
	char *text;
	FILE *file;
	int rc;

	sw_record_fields_of_list(&fields, list, count);
	text = sw_acct_ask(&what, error);
	file = text && *text ? fmemopen(text, strlen(text), "r") : NULL;
	rc = !text && errno == ENOENT ? 0 : -1;
	if (file) {
		rc = import_lines(import, file, "sacct", error);
		fclose(file);
	} else if (text) {
		rc = sw_error_set(error, "sacct printed nothing");
	}
	free(text);
	return rc;
}

int sw_import_accounting(struct sw_import *import, struct sw_error *error)
{
	struct sw_import quiet = {
		.history = import->history, .settings = import->settings,
		.completes_only = true,
	};
	char *ids = NULL;
	int rc;

	rc = sw_history_without_record(import->history, ASKED_AT_ONCE, &ids,
				       error);
	if (rc == 0 && *ids)
		rc = complete(&quiet, ids, completing,
			      sizeof(completing) / sizeof(*completing), error);
	quiet.only_inputs = true;
	if (rc == 0 && *ids)
		rc = complete(&quiet, ids, with_comment,
			      sizeof(with_comment) / sizeof(*with_comment),
			      error);
	free(ids);
	return rc;
}
