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
#include "analyzer/sacct/sacct.h"
#include "analyzer/sacct/sacct_text.h"
#include "common/jobid.h"
#include "common/open_file.h"

enum {
	FIELDS_MAX = 256, STEPS_MAX = 20000,
	ASKED_AT_ONCE = 1000,	/* jobs whose limits sacct is asked for */
};

/* Of what a recording cannot know; and how a job ended. */
#define COMPLETING_FORMAT \
	"JobID,JobName,User,Cluster,Partition,Comment,State,Start,End," \
	"ElapsedRaw,TimelimitRaw"

/* With fewer than two samples the largest of them says little. */
#define SAMPLED_SECONDS 60.0

enum field {
	JOB_ID, JOB_NAME, USER, CLUSTER, PARTITION, COMMENT, STATE, START, END,
	ELAPSED, ELAPSED_RAW, LIMIT, LIMIT_RAW, REQ_MEM, REQ_TRES, ALLOC_TRES,
	MAX_RSS, AVE_RSS, CPUS, REQ_CPUS, NODES, TASKS, TOTAL_CPU, RESTARTS,
	FIELDS,
};

/* sacct takes any case; several names can be of one field. */
static const struct {
	const char *name;
	enum field field;
} names[] = {
	{ "JobID", JOB_ID }, { "JobName", JOB_NAME }, { "User", USER },
	{ "Cluster", CLUSTER }, { "Partition", PARTITION },
	{ "Comment", COMMENT }, { "State", STATE }, { "Start", START },
	{ "End", END }, { "Elapsed", ELAPSED }, { "ElapsedRaw", ELAPSED_RAW },
	{ "Timelimit", LIMIT }, { "TimelimitRaw", LIMIT_RAW },
	{ "ReqMem", REQ_MEM }, { "ReqTRES", REQ_TRES },
	{ "AllocTRES", ALLOC_TRES }, { "MaxRSS", MAX_RSS },
	{ "AveRSS", AVE_RSS }, { "AllocCPUS", CPUS }, { "NCPUS", CPUS },
	{ "ReqCPUS", REQ_CPUS }, { "NNodes", NODES }, { "AllocNodes", NODES },
	{ "NTasks", TASKS }, { "TotalCPU", TOTAL_CPU },
	{ "Restarts", RESTARTS },
};

/* A line; texts point into it. */
struct line {
	const char *field[FIELDS];	/* "" where there is none */
	struct sw_jobid id;
	char *text;
};

struct reader {
	struct sw_import *import;
	const char *path;
	int field_of[FIELDS_MAX];	/* -1: not used */
	size_t field_count;
	bool has[FIELDS];
	struct line job;		/* text NULL: none yet */
	struct line *steps;
	size_t step_count;
};

static size_t split(char *text, char **parts)
{
	size_t count = 0;
	char *end;

	for (;;) {
		end = strchr(text, '|');
		if (count < FIELDS_MAX)
			parts[count] = text;
		count++;
		if (!end)
			return count;
		*end = '\0';
		text = end + 1;
	}
}

static int take_header(struct reader *reader, char *text,
		       struct sw_error *error)
{
	char *parts[FIELDS_MAX];
	size_t count = split(text, parts), i, j;

	/* --parsable has a "|" at the end as well. */
	if (count > 1 && count <= FIELDS_MAX && !*parts[count - 1])
		parts[count - 1] = (char *)"-";
	for (i = 0; i < count && i < FIELDS_MAX; i++) {
		reader->field_of[i] = -1;
		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			if (strcasecmp(parts[i], names[j].name) != 0)
				continue;
			reader->field_of[i] = (int)names[j].field;
			reader->has[names[j].field] = true;
		}
	}
	reader->field_count = count;
	errno = EINVAL;
	if (count > FIELDS_MAX)
		return sw_error_set(error, "%s: more than %d columns, so "
				    "nothing was taken from it", reader->path,
				    FIELDS_MAX);
	if (!reader->has[JOB_ID] || !reader->has[STATE] ||
	    !(reader->has[ELAPSED] || reader->has[ELAPSED_RAW]))
		return sw_error_set(error, "%s: sacct's columns JobID, State "
				    "and Elapsed (or ElapsedRaw) are needed; "
				    "nothing was taken from it", reader->path);
	return 0;
}

/* 0, or why the line is not used. */
static const char *take_line(const struct reader *reader, struct line *line,
			     char *text)
{
	char *parts[FIELDS_MAX];
	size_t i;

	line->text = text;
	for (i = 0; i < FIELDS; i++)
		line->field[i] = "";
	if (split(text, parts) != reader->field_count)
		return "a line has not as many fields as the header: a name "
		       "with \"|\" in it";
	for (i = 0; i < reader->field_count; i++) {
		if (reader->field_of[i] >= 0)
			line->field[reader->field_of[i]] = parts[i];
	}
	if (sw_jobid_parse(line->field[JOB_ID], &line->id) < 0)
		return "a line has no job id";
	return NULL;
}

static double positive(double value)
{
	return value > 0 ? value : NAN;
}

static double elapsed_of(const struct line *line)
{
	double value = sw_acct_text_number(line->field[ELAPSED_RAW]);

	return isnan(value) ? sw_acct_text_duration(line->field[ELAPSED]) :
			      value;
}

static double limit_of(const struct line *line)
{
	double value = sw_acct_text_number(line->field[LIMIT_RAW]) * 60;

	return positive(isnan(value) ?
			sw_acct_text_duration(line->field[LIMIT]) : value);
}

static double cores_of(const struct line *line)
{
	double value = sw_acct_text_number(line->field[CPUS]);

	if (!(value > 0))
		value = sw_acct_text_number(line->field[REQ_CPUS]);
	return positive(value);
}

static double nodes_of(const struct line *line)
{
	return positive(sw_acct_text_number(line->field[NODES]));
}

/* On one node; without a count of nodes there is one. */
static double request_of(const struct line *line)
{
	double nodes = nodes_of(line), cores = cores_of(line), value;
	enum sw_acct_memory_of of;

	value = sw_acct_text_request(line->field[REQ_MEM], &of);
	if (isnan(nodes))
		nodes = 1;
	if (of == SW_ACCT_OF_CPU)
		value *= cores;
	return of == SW_ACCT_OF_NODE ? value : value / nodes;
}

/* Of the tasks that one node has, MaxRSS is the largest one's. */
static void put_need(struct sw_run *run, const struct line *step)
{
	double max = positive(sw_acct_text_bytes(step->field[MAX_RSS]));
	double average = sw_acct_text_bytes(step->field[AVE_RSS]);
	double tasks = sw_acct_text_number(step->field[TASKS]);
	double nodes = nodes_of(step), on_node = 1, low;

	if (tasks > 1)
		on_node = ceil(tasks / (nodes >= 1 ? nodes : 1));
	low = fmax(max, average * on_node);
	/* Steps beside each other are not known to be so. */
	if (isnan(run->need_bytes) || low > run->need_bytes)
		run->need_bytes = low;
	if (isnan(run->need_upper_bytes) ||
	    max * on_node > run->need_upper_bytes)
		run->need_upper_bytes = max * on_node;
	if (tasks > run->tasks || isnan(run->tasks))
		run->tasks = positive(tasks);
}

/*
 * What ended well within its request cannot have needed more: what Slurm has
 * above that is page cache (23.11 on), huge pages counted twice (22.05), or
 * pages that processes share.
 */
static bool is_above_what_was_enough(const struct sw_run *run)
{
	return run->state == SW_RUN_COMPLETED &&
	       run->need_bytes > run->requested_bytes;
}

/* A sample of a short run, and one that hit its limit, are bounds. */
static void bound_need(struct sw_run *run)
{
	if (is_above_what_was_enough(run)) {
		run->need_bytes = run->requested_bytes;
		run->is_lower_bound = false;
		return;
	}
	if (run->state == SW_RUN_OUT_OF_MEMORY &&
	    !(run->need_bytes >= run->requested_bytes)) {
		run->need_bytes = fmax(run->need_bytes, run->requested_bytes);
		run->need_upper_bytes = run->need_bytes;
	}
	run->is_lower_bound = run->state == SW_RUN_OUT_OF_MEMORY ||
		run->elapsed_seconds < SAMPLED_SECONDS;
}

static void put_line(struct sw_run *run, const struct line *line)
{
	double restarts = sw_acct_text_number(line->field[RESTARTS]);

	sw_acct_text_state(line->field[STATE], &run->state);
	run->start_seconds = sw_acct_text_time(line->field[START]);
	run->end_seconds = sw_acct_text_time(line->field[END]);
	run->elapsed_seconds = elapsed_of(line);
	if (isnan(run->end_seconds))
		run->end_seconds = run->start_seconds + run->elapsed_seconds;
	run->requested_cores = cores_of(line);
	run->nodes = nodes_of(line);
	run->used_core_seconds =
		sw_acct_text_duration(line->field[TOTAL_CPU]);
	if (restarts >= 0 && restarts < 10000)
		run->attempt = (unsigned)restarts + 1;
}

static double gpus_of(const struct line *line)
{
	double value = sw_acct_text_tres(line->field[ALLOC_TRES], "gres/gpu");

	return positive(isnan(value) ?
		sw_acct_text_tres(line->field[REQ_TRES], "gres/gpu") : value);
}

/* "stepwell:input=3.5G" among what a user says of the job. */
static double input_of(const char *comment)
{
	static const char mark[] = "stepwell:input=";
	const char *at = strstr(comment, mark);
	char text[32];

	if (!at)
		return NAN;
	at += sizeof(mark) - 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, " ,;"), at);
	return sw_acct_text_bytes(text);
}

static int add(struct reader *reader, const struct line *line,
	       const struct sw_run *run, const char *step,
	       struct sw_error *error)
{
	const struct line *job = &reader->job;
	struct sw_import *import = reader->import;
	struct sw_jobid id = job->id;
	char text[SW_JOBID_TEXT_SIZE], lineage[256];
	struct sw_work_group group;
	struct sw_history_run row = {
		.run = *run, .step = step, .source = SW_HISTORY_SACCT,
		.cluster = job->field[CLUSTER], .user = job->field[USER],
		.name = job->field[JOB_NAME],
		.partition = job->field[PARTITION],
		.group = group.group, .label = group.label, .job = text,
		.lineage = lineage,
		.restart = run->attempt ? run->attempt - 1 : 0,
		.completes_only = import->completes_only,
	};
	struct sw_work work;

	if (!*row.user && import->user)
		row.user = import->user;
	if (!*row.cluster && import->cluster)
		row.cluster = import->cluster;
	work = (struct sw_work){
		.user = row.user, .name = row.name,
		.partition = row.partition, .cluster = row.cluster,
		.comment = job->field[COMMENT], .step = step,
		.step_program = *step ? line->field[JOB_NAME] : NULL,
	};
	row.name = sw_work_name(&work);
	row.step_program = work.step_program;
	sw_work_group(&group, sw_settings_work(import->settings), &work);
	id.step[0] = '\0';
	sw_jobid_format(text, sizeof(text), &id);
	snprintf(lineage, sizeof(lineage), "%.100s:%s", row.cluster, text);
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
		const struct line *step = &reader->steps[i];

		if (!strcmp(step->id.step, "extern"))
			continue;
		run = sw_run_unknown;
		put_line(&run, step);
		put_need(&run, step);
		run.requested_bytes = job->requested_bytes;
		bound_need(&run);
		if (isnan(run.need_bytes) && isnan(run.used_core_seconds))
			continue;
		rc = add(reader, step, &run, step->id.step, error);
	}
	return rc;
}

static int add_job(struct reader *reader, struct sw_error *error)
{
	const struct line *line = &reader->job;
	struct sw_run run = sw_run_unknown;
	size_t i;
	int rc;

	put_line(&run, line);
	run.requested_seconds = limit_of(line);
	run.requested_bytes = request_of(line);
	run.requested_gpus = gpus_of(line);
	run.input_bytes = input_of(line->field[COMMENT]);
	if (*line->field[MAX_RSS])
		put_need(&run, line);
	for (i = 0; i < reader->step_count; i++)
		put_need(&run, &reader->steps[i]);
	bound_need(&run);
	if (!(run.elapsed_seconds > 0)) {
		sw_import_skip(reader->import, "a job did not run",
			       line->field[JOB_ID]);
		return 0;
	}
	rc = add(reader, line, &run, "", error);
	return rc < 0 ? -1 : add_steps(reader, &run, error);
}

/* What was gathered of a job is a run, unless it goes on. */
static int flush(struct reader *reader, struct sw_error *error)
{
	enum sw_run_state state;
	size_t i;
	int rc = 0;

	if (reader->job.text &&
	    sw_acct_text_state(reader->job.field[STATE], &state))
		rc = add_job(reader, error);
	else if (reader->job.text)
		sw_import_skip(reader->import, "a job has not ended",
			       reader->job.field[JOB_ID]);
	for (i = 0; i < reader->step_count; i++)
		free(reader->steps[i].text);
	reader->step_count = 0;
	free(reader->job.text);
	reader->job.text = NULL;
	return rc;
}

static bool is_of_job(const struct reader *reader, const struct line *line)
{
	const struct sw_jobid *job = &reader->job.id, *id = &line->id;

	return reader->job.text && job->job == id->job &&
	       job->array_task == id->array_task &&
	       job->het_component == id->het_component;
}

static int add_step(struct reader *reader, struct line *line,
		    struct sw_error *error)
{
	struct line *grown;

	if (!is_of_job(reader, line) || reader->step_count >= STEPS_MAX) {
		sw_import_skip(reader->import, "a step comes without its job",
			       line->field[JOB_ID]);
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
	struct line line;
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

int sw_import_accounting(struct sw_import *import, struct sw_error *error)
{
	struct sw_import quiet = {
		.history = import->history, .settings = import->settings,
		.completes_only = true,
	};
	struct sw_acct_question what = {
		.format = COMPLETING_FORMAT, .has_header = true,
		.has_all_runs = true,
	};
	char *ids = NULL, *text = NULL;
	FILE *file;
	int rc;

	if (sw_history_without_record(import->history, ASKED_AT_ONCE, &ids,
				      error) < 0)
		return -1;
	what.ids = ids;
	text = *ids ? sw_acct_ask(&what, error) : NULL;
	rc = !*ids || (!text && errno == ENOENT) ? 0 : -1;
	file = text && *text ? fmemopen(text, strlen(text), "r") : NULL;
	if (file) {
		rc = import_lines(&quiet, file, "sacct", error);
		fclose(file);
	} else if (text) {
		rc = sw_error_set(error, "sacct answered nothing");
	}
	free(text);
	free(ids);
	return rc;
}
