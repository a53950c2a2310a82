/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct's output into the history.  Its MaxRSS is what a sample every half a
 * minute saw of one task: never more than the need, of a short job nothing.
 * Leaves out what has not ended, and lines that are not of the header's form,
 * for names may hold anything.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/import/import_internal.h"
#include "analyzer/import/sacct_line.h"
#include "analyzer/sacct/sacct.h"
#include "analyzer/sacct/sacct_columns.h"
#include "common/job_state.h"
#include "common/jobid.h"
#include "common/open_file.h"

enum {
	STEPS_MAX = 20000,
	ASKED_AT_ONCE = 1000,	/* jobs whose limits sacct is asked for */
};

/*
 * Of what a recording cannot know; and how a job ended.  A comment holds
 * anything, also what looks like the line of another job: it is asked for by
 * itself, and nothing but the size of an input is taken from that.
 */
#define COMPLETING_FORMAT \
	"JobID,User,Cluster,Partition,State,Start,End," \
	"ElapsedRaw,TimelimitRaw,Submit,ExitCode"
#define COMMENT_FORMAT "JobID,User,Cluster,State,Start,End,ElapsedRaw,Comment"

struct reader {
	struct sw_import *import;
	const char *path;
	struct sw_sacct_columns columns;
	struct sw_sacct_line job;	/* text NULL: none yet */
	struct sw_sacct_line *steps;
	size_t step_count;
};

static int take_header(struct reader *reader, char *text,
		       struct sw_error *error)
{
	const struct sw_sacct_columns *columns = &reader->columns;

	errno = EINVAL;
	if (sw_sacct_columns_read(&reader->columns, text) < 0)
		return sw_error_set(error, "%s: more than %d columns, so "
				    "nothing was imported from it",
				    reader->path,
				    SW_SACCT_COLUMNS_MAX);
	if (!columns->has[SW_SACCT_JOB_ID] || !columns->has[SW_SACCT_STATE] ||
	    !(columns->has[SW_SACCT_ELAPSED] ||
	      columns->has[SW_SACCT_ELAPSED_RAW]))
		return sw_error_set(error, "%s: sacct's columns JobID, State "
				    "and Elapsed (or ElapsedRaw) are needed; "
				    "nothing was imported from it",
				    reader->path);
	return 0;
}

/* "123_[4-9%2]": what Slurm keeps of an array in one row until it starts. */
static bool is_waiting_array(const char *id)
{
	size_t digits = strspn(id, "0123456789");

	return digits > 0 && !strncmp(id + digits, "_[", 2);
}

/* NULL, or why the line is not used. */
static const char *take_line(const struct reader *reader,
			     struct sw_sacct_line *line, char *text)
{
	line->text = text;
	if (sw_sacct_columns_split(&reader->columns, text, line->field) < 0)
		return "a line has fewer or more fields than the header: a "
		       "name may contain \"|\"";
	if (is_waiting_array(line->field[SW_SACCT_JOB_ID]))
		return "elements of an array did not start";
	if (sw_jobid_parse(line->field[SW_SACCT_JOB_ID], &line->id) < 0)
		return "a line has no job id";
	return NULL;
}

static int add(struct reader *reader, const struct sw_sacct_line *line,
	       const struct sw_run *run, const char *step,
	       struct sw_error *error)
{
	const struct sw_sacct_line *job = &reader->job;
	struct sw_import *import = reader->import;
	struct sw_jobid id = job->id;
	char text[SW_JOBID_TEXT_SIZE];
	struct sw_job_group group;
	struct sw_history_run row = {
		.run = *run, .step = step, .source = SW_HISTORY_SACCT,
		.cluster = job->field[SW_SACCT_CLUSTER],
		.user = job->field[SW_SACCT_USER],
		.name = job->field[SW_SACCT_JOB_NAME],
		.partition = job->field[SW_SACCT_PARTITION],
		.group = group.group, .label = group.label, .job = text,
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
		.comment = job->field[SW_SACCT_COMMENT], .step = step,
		.step_program = *step ? line->field[SW_SACCT_JOB_NAME] : NULL,
	};
	row.name = sw_job_names_main(&job_names);
	row.step_program = job_names.step_program;
	sw_job_group_find(&group, sw_settings_group_rules(import->settings),
			  &job_names);
	id.step[0] = '\0';
	sw_jobid_format(text, sizeof(text), &id);
	import->sampled += isnan(run->need_bytes) ? 0 : 1;
	return sw_import_run(import, &row, error);
}

static int add_steps(struct reader *reader, const struct sw_run *job,
		     struct sw_error *error)
{
	struct sw_run run;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < reader->step_count; i++) {
		const struct sw_sacct_line *step = &reader->steps[i];

		if (!strcmp(step->id.step, "extern"))
			continue;
		run = sw_run_unknown;
		sw_sacct_put_line(&run, step);
		sw_sacct_put_need(&run, step);
		run.requested_bytes = job->requested_bytes;
		sw_sacct_bound_need(&run);
		if (isnan(run.need_bytes) && isnan(run.used_core_seconds))
			continue;
		rc = add(reader, step, &run, step->id.step, error);
	}
	return rc;
}

/* And what tells which run it is of. */
static void keep_input(struct sw_run *run)
{
	const struct sw_run all = *run;

	*run = sw_run_unknown;
	run->start_seconds = all.start_seconds;
	run->end_seconds = all.end_seconds;
	run->elapsed_seconds = all.elapsed_seconds;
	run->input_bytes = all.input_bytes;
}

static int add_job(struct reader *reader, struct sw_error *error)
{
	const struct sw_sacct_line *line = &reader->job;
	struct sw_run run = sw_run_unknown;
	size_t i;
	int rc;

	sw_sacct_put_line(&run, line);
	sw_sacct_put_request(&run, line);
	if (reader->import->only_inputs)
		keep_input(&run);
	if (*line->field[SW_SACCT_MAX_RSS])
		sw_sacct_put_need(&run, line);
	for (i = 0; i < reader->step_count; i++)
		sw_sacct_put_need(&run, &reader->steps[i]);
	sw_sacct_bound_need(&run);
	if (!(run.elapsed_seconds > 0)) {
		sw_import_skip(reader->import, "a job did not run",
			       line->field[SW_SACCT_JOB_ID]);
		return 0;
	}
	rc = add(reader, line, &run, "", error);
	return rc < 0 ? -1 : add_steps(reader, &run, error);
}

/* What was gathered of a job is a run, unless it goes on. */
static int flush(struct reader *reader, struct sw_error *error)
{
	size_t i;
	int rc = 0;

	if (reader->job.text &&
	    sw_job_state_is_final(
		    sw_job_state_read(reader->job.field[SW_SACCT_STATE])))
		rc = add_job(reader, error);
	else if (reader->job.text)
		sw_import_skip(reader->import, "a job has not ended",
			       reader->job.field[SW_SACCT_JOB_ID]);
	for (i = 0; i < reader->step_count; i++)
		free(reader->steps[i].text);
	reader->step_count = 0;
	free(reader->job.text);
	reader->job.text = NULL;
	return rc;
}

static bool is_of_job(const struct reader *reader,
		      const struct sw_sacct_line *line)
{
	return reader->job.text &&
	       !sw_jobid_compare(&reader->job.id, &line->id);
}

static int add_step(struct reader *reader, struct sw_sacct_line *line,
		    struct sw_error *error)
{
	struct sw_sacct_line *grown;

	if (!is_of_job(reader, line) || reader->step_count >= STEPS_MAX) {
		sw_import_skip(reader->import, "a step appears without its job",
			       line->field[SW_SACCT_JOB_ID]);
		free(line->text);
		return 0;
	}
	grown = realloc(reader->steps,
			(reader->step_count + 1) * sizeof(*grown));
	if (!grown) {
		free(line->text);
		return sw_error_set(error, "not enough memory");
	}
	reader->steps = grown;
	grown[reader->step_count++] = *line;
	return 0;
}

static int take(struct reader *reader, const char *text,
		struct sw_error *error)
{
	char *copy = strdup(text), where[64];
	struct sw_sacct_line line;
	const char *why;

	if (!copy)
		return sw_error_set(error, "not enough memory");
	why = take_line(reader, &line, copy);
	if (why) {
		snprintf(where, sizeof(where), "%.40s", text);
		sw_import_skip(reader->import, why, where);
		free(copy);
		return 0;
	}
	if (line.id.step[0])
		return add_step(reader, &line, error);
	if (flush(reader, error) < 0) {
		free(copy);
		return -1;
	}
	reader->job = line;
	return 0;
}

static int read_lines(struct reader *reader, FILE *file,
		      struct sw_error *error)
{
	bool has_header = false;
	char *text = NULL;
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	while (rc == 0 && (length = getline(&text, &size, file)) > 0) {
		text[strcspn(text, "\r\n")] = '\0';
		if (!*text)
			continue;
		if (has_header)
			rc = take(reader, text, error);
		else
			rc = take_header(reader, text, error);
		has_header = true;
	}
	if (rc == 0 && ferror(file))
		rc = sw_error_errno(error, "%s", reader->path);
	if (rc == 0)
		rc = flush(reader, error);
	free(text);
	return rc;
}

static int import_lines(struct sw_import *import, FILE *file, const char *name,
			struct sw_error *error)
{
	struct reader reader = { .import = import, .path = name };
	int rc, number;

	rc = sw_import_begin(import, error);
	if (rc == 0)
		rc = read_lines(&reader, file, error);
	number = errno;
	if (rc == 0)
		rc = sw_import_end(import, error);
	else
		sw_history_rollback(import->history);
	errno = number;
	while (reader.step_count)
		free(reader.steps[--reader.step_count].text);
	free(reader.steps);
	free(reader.job.text);
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
		    const char *format, struct sw_error *error)
{
	const struct sw_acct_question what = {
		.ids = ids, .format = format, .has_header = true,
		.has_all_runs = true,
	};
	char *text = sw_acct_ask(&what, error);
	FILE *file = text && *text ? fmemopen(text, strlen(text), "r") : NULL;
	int rc = !text && errno == ENOENT ? 0 : -1;

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
		rc = complete(&quiet, ids, COMPLETING_FORMAT, error);
	quiet.only_inputs = true;
	if (rc == 0 && *ids)
		rc = complete(&quiet, ids, COMMENT_FORMAT, error);
	free(ids);
	return rc;
}
