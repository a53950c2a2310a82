/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse jobs with their steps from the lines of one window.  sacct prints the
 * steps of a run after its job.  A malformed line is skipped and reported.
 */
#include "analyzer/accounting/record_jobs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_values.h"

/* The job whose lines are being read */
struct reading {
	const struct sw_record_window *window;
	const struct sw_records_taker *taker;
	struct sw_records_sums *sums;
	struct sw_error *error;
	struct sw_record_texts *texts;
	struct sw_job_record job;
	bool has_job;
	bool is_left_out;	/* its line was malformed, so its steps are
				 * skipped, too */
	struct sw_jobid raw;	/* raw id of the job; its id if a file has no
				 * other */
	size_t step_capacity;
};

static void complain(struct reading *reading, const char *line,
		     const char *why)
{
	sw_record_complain(reading->taker, reading->sums, line, why);
}

static bool is_in_window(const struct reading *reading)
{
	uint64_t end = reading->job.end_seconds;

	if (!reading->window)
		return true;
	return !sw_is_missing(end) && end >= reading->window->from_seconds &&
	       end < reading->window->until_seconds;
}

/* Pass on the complete job, if there is one. */
static int hand_out(struct reading *reading)
{
	if (!reading->has_job)
		return 0;
	reading->has_job = false;
	sw_record_settle(&reading->job);
	if (!is_in_window(reading)) {
		reading->sums->outside++;
		return 0;
	}
	reading->sums->jobs++;
	reading->sums->steps += reading->job.step_count;
	return reading->taker->take_job(reading->taker->context, &reading->job);
}

/* Copy the step behind the dot: "batch", "0+1", or other names of later
 * releases. */
static bool read_step(const char *text, char step[SW_STEPID_SIZE])
{
	size_t length = strlen(text);

	if (length == 0 || length >= SW_STEPID_SIZE ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyzTDB+0123456789") != length)
		return false;
	memcpy(step, text, length + 1);
	return true;
}

/* *is_rest: "120_[4-9]", array elements that never started. */
static bool read_id(const char *text, struct sw_jobid *id, bool *is_rest)
{
	size_t length = strcspn(text, ".");
	char job[SW_JOBID_TEXT_SIZE], *bracket;

	if (length >= sizeof(job))
		length = sizeof(job) - 1;
	memcpy(job, text, length);
	job[length] = '\0';
	bracket = strstr(job, "_[");
	*is_rest = bracket != NULL;
	if (bracket)
		*bracket = '\0';
	if (sw_jobid_parse(job, id) < 0 ||
	    (*is_rest && sw_jobid_is_part(id)))
		return false;
	text += strcspn(text, ".");
	return !*text || read_step(text + 1, id->step);
}

static void set_key(struct sw_job_record *job, const struct sw_jobid *raw)
{
	const struct sw_jobid *id = &job->id;
	bool is_array = job->is_rest_of_array || !sw_is_missing(id->array_task);
	bool is_het = !sw_is_missing(id->het_component);

	job->key = (struct sw_job_key)SW_JOB_KEY_MISSING;
	job->key.job_id = raw->job;
	job->key.array_job_id = is_array ? id->job : SW_MISSING;
	job->key.array_task_id = id->array_task;
	job->key.het_job_id = is_het ? id->job : SW_MISSING;
	job->key.het_component = id->het_component;
}

static void begin_job(struct reading *reading, const struct sw_jobid *id,
		      const struct sw_jobid *raw, bool is_rest,
		      const char *const field[SW_RECORD_FIELDS])
{
	struct sw_job_record *job = &reading->job;
	struct sw_step_record *steps = job->steps;

	memset(job, 0, sizeof(*job));
	job->steps = steps;
	job->id = *id;
	job->is_rest_of_array = is_rest;
	reading->raw = *raw;
	set_key(job, raw);
	sw_record_fill_job(job, field, &reading->sums->impossible);
	reading->has_job = true;
	reading->is_left_out = false;
}

static int grow_steps(struct reading *reading)
{
	size_t wanted = 2 * reading->step_capacity + 8;
	struct sw_step_record *grown;

	if (reading->job.step_count < reading->step_capacity)
		return 0;
	grown = realloc(reading->job.steps, wanted * sizeof(*grown));
	if (!grown)
		return sw_error_set(reading->error, "not enough memory");
	reading->job.steps = grown;
	reading->step_capacity = wanted;
	return 0;
}

static int add_step(struct reading *reading, const struct sw_jobid *id,
		    const struct sw_jobid *raw,
		    const char *const field[SW_RECORD_FIELDS])
{
	struct sw_step_record *step;

	if (!reading->has_job || sw_jobid_compare(&reading->raw, raw)) {
		complain(reading, field[SW_RECORD_ID],
			 reading->is_left_out ?
				 "a step of a job that was left out" :
				 "a step without its job");
		return 0;
	}
	if (grow_steps(reading) < 0)
		return -1;
	step = &reading->job.steps[reading->job.step_count++];
	memset(step, 0, sizeof(*step));
	step->id = *id;
	sw_record_fill_step(step, field, &reading->sums->impossible);
	return 0;
}

static bool is_of_step(const char *raw_id)
{
	return raw_id[strspn(raw_id, "0123456789")] == '.';
}

/*
 * Skip a line.  It may be a job's, so the steps behind it do not belong to the
 * previous job.
 */
static int leave_out(struct reading *reading, const char *line, const char *why)
{
	int rc = is_of_step(line) ? 0 : hand_out(reading);

	reading->is_left_out = !reading->has_job;
	complain(reading, line, why);
	return rc;
}

static int take_line(struct reading *reading,
		     const char *field[SW_RECORD_FIELDS])
{
	const char *raw_text = field[SW_RECORD_RAW_ID];
	const char *id_text = field[SW_RECORD_ID];
	struct sw_jobid id, raw;
	bool is_rest, is_rest_raw;
	int rc;

	/* A file may have only one of the two. */
	if (!*raw_text)
		raw_text = id_text;
	if (!*id_text)
		id_text = raw_text;
	if (!read_id(id_text, &id, &is_rest) ||
	    !read_id(raw_text, &raw, &is_rest_raw))
		return leave_out(reading, raw_text, "not the number of a job");
	if (reading->texts)
		sw_record_texts_put(reading->texts, field);
	if (raw.step[0])
		return add_step(reading, &id, &raw, field);
	rc = hand_out(reading);
	begin_job(reading, &id, &raw, is_rest, field);
	return rc;
}

int sw_record_jobs_take(struct sw_record_lines *lines,
			struct sw_record_texts *texts,
			const struct sw_record_window *window,
			const struct sw_records_taker *taker,
			struct sw_records_sums *sums, struct sw_error *error)
{
	struct reading reading = {
		.window = window, .taker = taker, .sums = sums, .error = error,
		.texts = texts,
	};
	const char *field[SW_RECORD_FIELDS];
	int rc = 0, found = 1;

	while (rc == 0 && (found = sw_record_lines_next(lines, field)) != 0)
		rc = found > 0 ? take_line(&reading, field) :
				 leave_out(&reading, field[0],
					   "fewer or more fields than a line "
					   "has: a name may hold the "
					   "delimiter");
	if (rc == 0)
		rc = hand_out(&reading);
	if (rc == 0 && texts)
		sw_record_texts_check(texts, taker, sums);
	free(reading.job.steps);
	return rc;
}
