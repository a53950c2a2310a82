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
#include "common/jobid.h"
#include "common/units.h"
#include "profiles/reader.h"

enum { NAME_SIZE = 64, OVERLAP_MAX = 1000 };

/* A step on one node. */
struct sw_import_summary {
	char cluster[NAME_SIZE], name[NAME_SIZE], node[NAME_SIZE];
	char step[SW_STEPID_SIZE];
	struct sw_jobid id;
	uint64_t restart, uid, wait_status;
	double start, end;		/* seconds since the Epoch */
	double need, requested_bytes, requested_cores, used, tasks;
	double oom_kills, input;
	bool is_correction;	/* its status alone is said */
};

/* The columns of the table; NULL where the file has none. */
struct columns {
	const struct sw_reader_table *table;
	size_t row;
};

static uint64_t number(const struct columns *columns, const char *name)
{
	const struct sw_reader_column *column =
		sw_reader_find_column(columns->table, name);

	return column && column->numbers ? column->numbers[columns->row] :
					   SW_MISSING;
}

static double real(const struct columns *columns, const char *name,
		   double unit)
{
	return sw_real_u64(number(columns, name)) / unit;
}

static void copy(const struct columns *columns, const char *name, char *buf,
		 size_t size)
{
	const struct sw_reader_column *column =
		sw_reader_find_column(columns->table, name);
	const char *text = column && column->texts ?
		column->texts[columns->row] : NULL;

	snprintf(buf, size, "%s", sw_text(text));
}

static void put_id(struct sw_import_summary *row,
		   const struct columns *columns)
{
	uint64_t array = number(columns, "array_job_id");
	uint64_t het = number(columns, "het_job_id");

	row->id = (struct sw_jobid){
		.job = number(columns, "job_id"),
		.array_task = SW_MISSING, .het_component = SW_MISSING,
	};
	if (!sw_is_missing(array) &&
	    !sw_is_missing(number(columns, "array_task_id"))) {
		row->id.job = array;
		row->id.array_task = number(columns, "array_task_id");
	} else if (!sw_is_missing(het) &&
		   !sw_is_missing(number(columns, "het_component"))) {
		row->id.job = het;
		row->id.het_component = number(columns, "het_component");
	}
	row->restart = sw_zero_if_missing(number(columns, "restart_count"));
	row->uid = number(columns, "uid");
}

static void fill(struct sw_import_summary *row, const struct columns *columns)
{
	char source[16];

	memset(row, 0, sizeof(*row));
	put_id(row, columns);
	copy(columns, "cluster", row->cluster, sizeof(row->cluster));
	copy(columns, "job_name", row->name, sizeof(row->name));
	copy(columns, "step_id", row->step, sizeof(row->step));
	copy(columns, "final_source", source, sizeof(source));
	row->is_correction = !strcmp(source, "late");
	row->wait_status = number(columns, "wait_status");
	row->start = real(columns, "start_realtime_usec", 1e6);
	row->end = real(columns, "end_realtime_usec", 1e6);
	/* What is advised is not below files that were mapped either. */
	row->need = fmax(real(columns, "need_bytes", 1),
			 real(columns, "floor_bytes", 1));
	row->requested_bytes = real(columns, "requested_memory_bytes", 1);
	row->requested_cores = real(columns, "requested_cpus_milli", 1000);
	row->used = real(columns, "usage_usec", 1e6);
	row->tasks = real(columns, "task_count", 1);
	row->oom_kills = real(columns, "oom_kills", 1);
	row->input = real(columns, "input_bytes", 1);
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
	struct columns columns = { .row = 0 };
	struct sw_import_summary *row;
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
	columns.table = sw_reader_find(reader, "step_summaries");
	if (columns.table && reserve(import, columns.table->row_count) < 0) {
		sw_reader_close(reader);
		return sw_error_set(error, "not enough memory");
	}
	for (; columns.table && columns.row < columns.table->row_count;
	     columns.row++) {
		row = &import->summaries[import->summary_count];
		fill(row, &columns);
		sw_digests_node(path, row->node, sizeof(row->node));
		if (sw_is_missing(row->id.job) || !row->step[0] ||
		    isnan(row->start))
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

static int compare_jobs(const struct sw_import_summary *one,
			const struct sw_import_summary *two)
{
	int order = strcmp(one->cluster, two->cluster);

	if (!order)
		order = sw_jobid_compare(&one->id, &two->id);
	return order ? order : compare_u64(one->restart, two->restart);
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
	run->attempt = (unsigned)rows->restart + 1;
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
	struct sw_work_group group;
	const struct sw_work work = {
		.user = user, .name = rows->name, .cluster = rows->cluster,
		.step = step,
	};
	const struct sw_history_run row = {
		.run = *run, .cluster = rows->cluster, .job = job,
		.step = step, .user = user, .name = rows->name,
		.group = group.group, .label = group.label,
		.lineage = lineage, .source = SW_HISTORY_SUMMARY,
		.restart = (unsigned)rows->restart,
	};

	if (isnan(run->need_bytes) && isnan(run->used_core_seconds)) {
		sw_import_skip(import, "neither memory nor CPU time was "
			       "recorded", rows->name);
		return 0;
	}
	user_of(rows->uid, user, sizeof(user));
	sw_jobid_format(job, sizeof(job), &rows->id);
	snprintf(lineage, sizeof(lineage), "%s:%s", rows->cluster, job);
	sw_work_group(&group, sw_settings_work(import->settings), &work);
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
