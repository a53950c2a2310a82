/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summaries that a node's recorder keeps of each day into the history:
 * the evidence that no user can change.  A step's rows lie in the files of all
 * its nodes, so they are gathered first.
 */
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyzer/import/import_internal.h"
#include "analyzer/trust/digests.h"
#include "analyzer/view/fields.h"
#include "common/job_key.h"
#include "common/units.h"
#include "profiles/reader.h"

enum { NAME_SIZE = 64, OVERLAP_MAX = 1000 };

/* A step on one node. */
struct sw_import_summary {
	char cluster[NAME_SIZE], name[NAME_SIZE], node[NAME_SIZE];
	char step[SW_STEPID_SIZE];
	struct sw_job_key job;
	uint64_t wait_status;
	double start, end;		/* seconds since the Epoch */
	double need, requested_bytes, requested_cores, used, tasks;
	double oom_kills, input;
	bool is_correction;	/* its status alone is said */
};

static double real(const struct sw_series *rows, size_t row,
		   const char *name, double unit)
{
	return sw_real_u64(sw_series_at(rows, row, name)) / unit;
}

static void copy(const struct sw_series *rows, size_t row, const char *name,
		 char *buf, size_t size)
{
	snprintf(buf, size, "%s", sw_text(sw_series_text(rows, row, name)));
}

static void fill(struct sw_import_summary *to, const struct sw_series *rows,
		 size_t row)
{
	char source[16];

	memset(to, 0, sizeof(*to));
	sw_fields_read(&to->job, sw_job_fields, rows, row);
	copy(rows, row, "cluster", to->cluster, sizeof(to->cluster));
	copy(rows, row, "job_name", to->name, sizeof(to->name));
	copy(rows, row, "step_id", to->step, sizeof(to->step));
	copy(rows, row, "final_source", source, sizeof(source));
	to->is_correction = !strcmp(source, "late");
	to->wait_status = sw_series_at(rows, row, "wait_status");
	to->start = real(rows, row, "start_realtime_usec", 1e6);
	to->end = real(rows, row, "end_realtime_usec", 1e6);
	/* What is advised is not below files that were mapped either. */
	to->need = fmax(real(rows, row, "need_bytes", 1),
			 real(rows, row, "floor_bytes", 1));
	to->requested_bytes = real(rows, row, "requested_memory_bytes", 1);
	to->requested_cores = real(rows, row, "requested_cpus_milli", 1000);
	to->used = real(rows, row, "usage_usec", 1e6);
	to->tasks = real(rows, row, "task_count", 1);
	to->oom_kills = real(rows, row, "oom_kills", 1);
	to->input = real(rows, row, "input_bytes", 1);
}

static int reserve(struct sw_import *import, size_t more)
{
	size_t room = import->summary_room;
	struct sw_import_summary *grown;

	if (import->summary_count + more <= room)
		return 0;
	room = 2 * room + more;
	grown = realloc(import->summaries, room * sizeof(*grown));
	if (!grown)
		return -1;
	import->summaries = grown;
	import->summary_room = room;
	return 0;
}

int sw_import_summary(struct sw_import *import, struct sw_judge *judge,
		      const char *path, struct sw_error *error)
{
	const struct sw_reader_want want = { .no_series = true };
	struct sw_import_summary *to;
	struct sw_series rows;
	size_t i, count;
	struct sw_verdict verdict;
	struct sw_reader *reader;

	if (!sw_judge_is_summary(judge, path)) {
		sw_import_skip(import, "summaries count only in the folder "
			       "named by summaries_dir", path);
		return 0;
	}
	reader = sw_judge_open(judge, path, &want, &verdict, error);
	if (!reader) {
		sw_import_skip(import, "the summaries cannot be read", path);
		return 0;
	}
	rows = sw_series_open(reader, "step_summaries", SW_ALL_STEPS);
	count = sw_series_rows(&rows);
	if (reserve(import, count) < 0) {
		sw_reader_close(reader);
		return sw_error_set(error, "not enough memory");
	}
	for (i = 0; i < count; i++) {
		to = &import->summaries[import->summary_count];
		fill(to, &rows, i);
		sw_digests_node(path, to->node, sizeof(to->node));
		if (sw_is_missing(to->job.job_id) || !to->step[0] ||
		    isnan(to->start))
			sw_import_skip(import, "a summary names no step",
				       path);
		else
			import->summary_count++;
	}
	sw_reader_close(reader);
	return 0;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t restarts(const struct sw_import_summary *row)
{
	return sw_zero_if_missing(row->job.restart_count);
}

static int compare_jobs(const struct sw_import_summary *one,
			const struct sw_import_summary *two)
{
	struct sw_jobid first = sw_job_key_id(&one->job);
	struct sw_jobid second = sw_job_key_id(&two->job);
	int order = strcmp(one->cluster, two->cluster);

	if (!order)
		order = sw_jobid_compare(&first, &second);
	return order ? order : compare_u64(restarts(one), restarts(two));
}

static int compare_steps(const void *a, const void *b)
{
	const struct sw_import_summary *one = a, *two = b;
	int order = compare_jobs(one, two);

	if (!order)
		order = sw_stepid_compare(one->step, two->step);
	if (!order)
		order = strcmp(one->node, two->node);
	if (!order)
		order = (one->start > two->start) - (one->start < two->start);
	return order ? order : one->is_correction - two->is_correction;
}

static bool is_same_step(const struct sw_import_summary *one,
			 const struct sw_import_summary *two)
{
	return !strcmp(one->step, two->step) && !compare_jobs(one, two);
}

static enum sw_run_state state_of(uint64_t status)
{
	int value = (int)status;

	if (sw_is_missing(status))
		return SW_RUN_UNKNOWN;
	if (WIFEXITED(value))
		return WEXITSTATUS(value) ? SW_RUN_FAILED : SW_RUN_COMPLETED;
	/* A time limit, scancel or preemption: which, sacct knows. */
	return WIFSIGNALED(value) && (WTERMSIG(value) == 15 ||
				      WTERMSIG(value) == 9) ?
	       SW_RUN_CANCELLED : SW_RUN_FAILED;
}

/* The same rows come again where a file was named twice. */
static size_t drop_copies(struct sw_import_summary *rows, size_t count)
{
	size_t i, kept = 0;

	qsort(rows, count, sizeof(*rows), compare_steps);
	for (i = 0; i < count; i++) {
		if (kept && rows[i].is_correction &&
		    is_same_step(&rows[kept - 1], &rows[i]) &&
		    !strcmp(rows[kept - 1].node, rows[i].node)) {
			rows[kept - 1].wait_status = rows[i].wait_status;
			continue;
		}
		if (kept && !compare_steps(&rows[kept - 1], &rows[i]))
			continue;
		rows[kept++] = rows[i];
	}
	return kept;
}

/* Rows of one step, on its nodes, into a run. */
static void add_up(struct sw_run *run, const struct sw_import_summary *rows,
		   size_t count)
{
	enum sw_run_state state;
	size_t i;

	*run = sw_run_unknown;
	run->nodes = (double)count;
	run->attempt = (unsigned)restarts(rows) + 1;
	for (i = 0; i < count; i++) {
		run->start_seconds = fmin(run->start_seconds, rows[i].start);
		run->end_seconds = fmax(run->end_seconds, rows[i].end);
		run->requested_cores = sw_sum_real(run->requested_cores,
					   rows[i].requested_cores);
		run->used_core_seconds = sw_sum_real(run->used_core_seconds,
					     rows[i].used);
		run->tasks = fmax(run->tasks, rows[i].tasks);
		run->input_bytes = fmax(run->input_bytes, rows[i].input);
		run->is_lower_bound |= rows[i].oom_kills > 0;
		if (!(rows[i].need <= run->need_bytes) &&
		    !isnan(rows[i].need)) {
			run->need_bytes = rows[i].need;
			run->requested_bytes = rows[i].requested_bytes;
		}
		if (isnan(run->requested_bytes))
			run->requested_bytes = rows[i].requested_bytes;
		state = state_of(rows[i].wait_status);
		if (run->state == SW_RUN_UNKNOWN ||
		    run->state == SW_RUN_COMPLETED)
			run->state = state != SW_RUN_UNKNOWN ? state :
				     run->state;
	}
	run->elapsed_seconds = run->end_seconds - run->start_seconds;
	run->need_upper_bytes = run->need_bytes;
	if (run->is_lower_bound)
		run->state = SW_RUN_OUT_OF_MEMORY;
}

/* What the steps of a job had on one node at the same time, at most. */
static double need_on(const struct sw_import_summary *rows, size_t count,
		      const char *node)
{
	double most = NAN, here;
	size_t i, j;

	for (i = 0; i < count; i++) {
		if (strcmp(rows[i].node, node) != 0 || isnan(rows[i].need))
			continue;
		here = 0;
		/* Most run when one of them starts. */
		for (j = 0; j < count && count <= OVERLAP_MAX; j++) {
			if (!strcmp(rows[j].node, node) &&
			    rows[j].start <= rows[i].start &&
			    !(rows[j].end <= rows[i].start) &&
			    !isnan(rows[j].need))
				here += rows[j].need;
		}
		most = fmax(most, fmax(here, rows[i].need));
	}
	return most;
}

static double cores_on(const struct sw_import_summary *rows, size_t count,
		       const char *node, double *bytes)
{
	double cores = NAN;
	size_t i;

	*bytes = NAN;
	for (i = 0; i < count; i++) {
		if (strcmp(rows[i].node, node) != 0)
			continue;
		/* Of batch and extern it is that of all steps. */
		cores = fmax(cores, rows[i].requested_cores);
		*bytes = fmax(*bytes, rows[i].requested_bytes);
	}
	return cores;
}

static bool is_first_of_node(const struct sw_import_summary *rows, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++) {
		if (!strcmp(rows[i].node, rows[at].node))
			return false;
	}
	return true;
}

/* The script's end is the job's, as in sw_view_sum(). */
static void put_state(struct sw_run *run,
		      const struct sw_import_summary *rows, size_t count)
{
	enum sw_run_state worst = SW_RUN_UNKNOWN, state;
	size_t i;

	for (i = 0; i < count; i++) {
		state = state_of(rows[i].wait_status);
		if (!strcmp(rows[i].step, "batch") ||
		    !strcmp(rows[i].step, "interactive")) {
			worst = state;
			break;
		}
		if (strcmp(rows[i].step, "extern") != 0 && state > worst)
			worst = state;
	}
	run->state = run->is_lower_bound ? SW_RUN_OUT_OF_MEMORY : worst;
}

/* What was said when it was submitted is the job's, as in sw_view_sum(). */
static void put_input(struct sw_run *run,
		      const struct sw_import_summary *rows, size_t count)
{
	for (; count > 0; count--, rows++) {
		if (!strcmp(rows->step, "batch") && !isnan(rows->input))
			run->input_bytes = rows->input;
	}
}

/* All steps of a job, by node. */
static void add_up_job(struct sw_run *run,
		       const struct sw_import_summary *rows, size_t count)
{
	double need, cores, bytes;
	size_t i;

	add_up(run, rows, count);
	run->nodes = 0;
	run->need_bytes = run->requested_cores = run->requested_bytes = NAN;
	for (i = 0; i < count; i++) {
		if (!is_first_of_node(rows, i))
			continue;
		run->nodes++;
		need = need_on(rows, count, rows[i].node);
		cores = cores_on(rows, count, rows[i].node, &bytes);
		run->requested_cores = sw_sum_real(run->requested_cores, cores);
		if (isnan(run->need_bytes) || need > run->need_bytes) {
			run->need_bytes = need;
			run->requested_bytes = bytes;
		}
	}
	run->need_upper_bytes = run->need_bytes;
	put_state(run, rows, count);
	put_input(run, rows, count);
}

static void user_of(uint64_t uid, char *user, size_t size)
{
	struct passwd *entry = sw_is_missing(uid) ? NULL :
			       getpwuid((uid_t)uid);

	user[0] = '\0';
	if (entry)
		snprintf(user, size, "%s", entry->pw_name);
	else if (!sw_is_missing(uid))
		snprintf(user, size, "%llu", (unsigned long long)uid);
}

static int add(struct sw_import *import, const struct sw_import_summary *rows,
	       const struct sw_run *run, const char *step,
	       struct sw_error *error)
{
	char job[SW_JOBID_TEXT_SIZE], lineage[256], user[NAME_SIZE];
	struct sw_jobid id = sw_job_key_id(&rows->job);
	struct sw_job_group group;
	const struct sw_job_names names = {
		.user = user, .name = rows->name, .cluster = rows->cluster,
		.step = step,
	};
	const struct sw_history_run row = {
		.run = *run, .cluster = rows->cluster, .job = job,
		.step = step, .user = user, .name = rows->name,
		.group = group.group, .label = group.label,
		.lineage = lineage, .source = SW_HISTORY_SUMMARY,
		.restart = (unsigned)restarts(rows),
	};

	if (isnan(run->need_bytes) && isnan(run->used_core_seconds)) {
		sw_import_skip(import, "neither memory nor CPU time was "
			       "recorded", rows->name);
		return 0;
	}
	user_of(rows->job.uid, user, sizeof(user));
	sw_jobid_format(job, sizeof(job), &id);
	snprintf(lineage, sizeof(lineage), "%s:%s", rows->cluster, job);
	sw_job_group_find(&group, sw_settings_group_rules(import->settings),
			  &names);
	return sw_import_run(import, &row, error);
}

static int add_job(struct sw_import *import,
		   const struct sw_import_summary *rows, size_t count,
		   struct sw_error *error)
{
	struct sw_run run;
	size_t i, next;
	int rc;

	add_up_job(&run, rows, count);
	rc = add(import, rows, &run, "", error);
	for (i = 0; rc == 0 && i < count; i = next) {
		for (next = i + 1; next < count &&
		     is_same_step(&rows[i], &rows[next]); next++)
			;
		if (!strcmp(rows[i].step, "extern"))
			continue;
		add_up(&run, &rows[i], next - i);
		rc = add(import, &rows[i], &run, rows[i].step, error);
	}
	return rc;
}

int sw_import_summaries_end(struct sw_import *import, struct sw_error *error)
{
	struct sw_import_summary *rows = import->summaries;
	size_t count, i, next;
	int rc = 0, number;

	count = import->summary_count ?
		drop_copies(rows, import->summary_count) : 0;
	if (count)
		rc = sw_import_begin(import, error);
	for (i = 0; rc == 0 && i < count; i = next) {
		for (next = i + 1; next < count &&
		     !compare_jobs(&rows[i], &rows[next]); next++)
			;
		rc = add_job(import, &rows[i], next - i, error);
	}
	number = errno;
	if (count && rc == 0)
		rc = sw_import_end(import, error);
	else if (count)
		sw_history_rollback(import->history);
	free(import->summaries);
	import->summaries = NULL;
	import->summary_count = import->summary_room = 0;
	errno = rc < 0 && number ? number : errno;
	return rc;
}
