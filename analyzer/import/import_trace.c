/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Import traces of workflows.  Imports all of a file or, if units are mixed or
 * columns missing, none of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/accounting/run_state.h"
#include "analyzer/accounting/sacct_text.h"
#include "analyzer/import/import_internal.h"
#include "analyzer/keyed/keyed.h"
#include "analyzer/traces/trace_seen.h"
#include "common/jobid.h"

/* "128 + 9": a shell's status for SIGKILL */
#define EXIT_KILLED 137.0
/* Slurm and SGE send these at the time limit, before they kill the job. */
#define EXIT_TERMINATED 143.0
#define EXIT_USR2 140.0

/*
 * Minimum use of its request, as last sampled, for a killed run to count as out
 * of memory: samples come late.
 */
#define NEAR_REQUEST 0.8
/* Minimum use of its time limit for a run to count as timed out */
#define NEAR_LIMIT 0.98

enum { ID_SIZE = 256 };

struct taking {
	struct sw_import *import;
	bool is_try;		/* only check that the file is readable */
	bool has_failed;	/* the history failed, see *error */
	size_t row;
	struct sw_error *error;
};

static double positive(double value)
{
	return value > 0 ? value : NAN;
}

/* Guess from the numbers of a failed run why it failed. */
static enum sw_run_state why_failed(const struct sw_trace_row *row)
{
	double need = fmax(row->need_bytes, row->rss_bytes);

	if ((row->exit == EXIT_KILLED || row->exit == EXIT_TERMINATED ||
	     row->exit == EXIT_USR2) && row->requested_seconds > 0 &&
	    row->elapsed_seconds >= NEAR_LIMIT * row->requested_seconds)
		return SW_RUN_TIMEOUT;
	if (row->exit == EXIT_KILLED && row->requested_bytes > 0 &&
	    !(need < NEAR_REQUEST * row->requested_bytes))
		return SW_RUN_OUT_OF_MEMORY;
	return SW_RUN_FAILED;
}

/* False: it has not ended. */
static bool put_state(struct sw_run *run, const struct sw_trace_row *row)
{
	enum sw_job_state state = sw_job_state_read(row->status);

	if (sw_trace_is_nothing(row->status) || sw_trace_is_cached(row))
		run->state = SW_RUN_COMPLETED;
	else if (!strcmp(row->status, "ABORTED"))
		run->state = SW_RUN_CANCELLED;
	else if (!sw_job_state_is_final(state))
		return false;
	else
		run->state = sw_run_state_of_job(state);
	if (run->state == SW_RUN_FAILED)
		run->state = why_failed(row);
	return true;
}

static void put_times(struct sw_run *run, const struct sw_trace_row *row)
{
	run->start_seconds = isnan(row->start_seconds) ? row->submit_seconds :
							 row->start_seconds;
	run->elapsed_seconds = row->elapsed_seconds;
	if (isnan(run->elapsed_seconds) &&
	    row->end_seconds >= row->start_seconds)
		run->elapsed_seconds = row->end_seconds - row->start_seconds;
	run->end_seconds = isnan(row->end_seconds) ?
		run->start_seconds + run->elapsed_seconds : row->end_seconds;
}

static void put_memory(struct sw_run *run, const struct sw_trace_row *row)
{
	run->requested_bytes = positive(row->requested_bytes);
	run->need_bytes = positive(row->need_bytes);
	if (isnan(run->need_bytes))
		run->need_bytes = positive(row->rss_bytes);
	/* It needed more than it had. */
	if (run->state == SW_RUN_OUT_OF_MEMORY)
		run->need_bytes = fmax(run->need_bytes, run->requested_bytes);
	run->need_upper_bytes = run->need_bytes;
	run->is_lower_bound = run->state == SW_RUN_OUT_OF_MEMORY;
}

static bool put_run(struct sw_run *run, const struct sw_trace_row *row)
{
	*run = sw_run_unknown;
	if (!put_state(run, row))
		return false;
	put_times(run, row);
	put_memory(run, row);
	if (row->attempt >= 1)
		run->attempt = (unsigned)fmin(row->attempt, UINT_MAX);
	run->requested_cores = positive(row->requested_cores);
	run->used_core_seconds = row->cpu_ratio * run->elapsed_seconds;
	run->requested_seconds = positive(row->requested_seconds);
	/* The bytes that a task read are not known before it runs. */
	if (strcmp(row->input_kind, "rchar") != 0)
		run->input_bytes = row->input_bytes;
	return true;
}

/*
 * Identify a row without an id by its content, and one without times also by
 * its position.
 */
static void make_id(char *id, const struct sw_trace_row *row, size_t number)
{
	const double numbers[] = {
		row->submit_seconds, row->start_seconds, row->end_seconds,
		row->elapsed_seconds, row->need_bytes, row->rss_bytes,
		row->requested_bytes, row->cpu_ratio, row->input_bytes,
		row->attempt,
	};
	uint64_t value = SW_FNV_FIRST;
	size_t i;

	value = sw_fnv(value, row->workflow, strlen(row->workflow) + 1);
	value = sw_fnv(value, row->name, strlen(row->name) + 1);
	/* NANs have different bit patterns. */
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!isnan(numbers[i]))
			value = sw_fnv(value, &numbers[i], sizeof(numbers[i]));
		value = sw_fnv(value, &i, sizeof(i));
	}
	if (isnan(row->submit_seconds) && isnan(row->start_seconds) &&
	    isnan(row->end_seconds))
		value = sw_fnv(value, &number, sizeof(number));
	snprintf(id, ID_SIZE, "row-%016" PRIx64, value);
}

/* Return true if the id is the scheduler's, which other sources also have. */
static bool put_id(char *id, const struct sw_trace_row *row,
		   const struct sw_run *run, size_t number)
{
	struct sw_jobid slurm;

	if (sw_trace_is_nothing(row->id)) {
		make_id(id, row, number);
		return false;
	}
	if (sw_jobid_parse(row->id, &slurm) == 0 &&
	    !isnan(run->start_seconds)) {
		snprintf(id, ID_SIZE, "%s", row->id);
		return true;
	}
	snprintf(id, ID_SIZE, "%.100s:%.150s", row->workflow, row->id);
	return false;
}

static int add(struct taking *taking, const struct sw_trace_row *row,
	       const struct sw_run *run)
{
	struct sw_import *import = taking->import;
	bool is_nextflow = !strcmp(row->format,
				   sw_trace_format_nextflow.name);
	char id[ID_SIZE], lineage[ID_SIZE], process[SW_JOB_GROUP_SIZE];
	struct sw_job_group group;
	const struct sw_job_names names = {
		.user = import->user, .cluster = import->cluster,
		.process = process,
	};
	struct sw_history_run out = {
		.run = *run, .job = id, .user = import->user,
		.cluster = import->cluster, .name = process,
		.group = group.group, .label = group.label,
		.lineage = lineage, .restart = run->attempt ?
					       run->attempt - 1 : 0,
		.source = is_nextflow ? SW_HISTORY_NEXTFLOW : SW_HISTORY_CSV,
	};

	out.is_start_exact = !put_id(id, row, run, taking->row);
	if (is_nextflow || sw_trace_is_nothing(row->workflow))
		snprintf(process, sizeof(process), "%s", row->task);
	else
		snprintf(process, sizeof(process), "%.100s:%.150s",
			 row->workflow, row->task);
	snprintf(lineage, sizeof(lineage), "%.100s:%.150s", row->workflow,
		 row->name);
	sw_job_group_find(&group, sw_settings_group_rules(import->settings),
			  &names);
	return sw_import_run(import, &out, taking->error);
}

/* -1 stops reading; *error is the history's then. */
static int take(void *context, const struct sw_trace_row *row)
{
	struct taking *taking = context;
	struct sw_run run;

	taking->row++;
	if (taking->is_try)
		return 0;
	if (!put_run(&run, row)) {
		sw_import_skip(taking->import, "a task has not ended",
			       row->name);
		return 0;
	}
	if (isnan(run.need_bytes) && !(run.elapsed_seconds > 0)) {
		sw_import_skip(taking->import, "a task has neither memory nor "
			       "time", row->name);
		return 0;
	}
	taking->has_failed = add(taking, row, &run) < 0;
	return taking->has_failed ? -1 : 0;
}

int sw_import_trace(struct sw_import *import, const char *path,
		    struct sw_error *error)
{
	struct taking taking = {
		.import = import, .is_try = true, .error = error,
	};
	struct sw_trace_rows rows;
	struct sw_error why;
	size_t i;
	int rc, number;

	if (sw_trace_each_row(path, take, &taking, &rows, &why) < 0) {
		sw_import_skip(import, why.text, path);
		return 0;
	}
	taking.is_try = false;
	taking.row = 0;
	if (sw_import_begin(import, error) < 0)
		return -1;
	rc = sw_trace_each_row(path, take, &taking, &rows, &why);
	if (rc == 0) {
		for (i = 0; i < rows.impossible; i++)
			sw_import_skip(import, rows.first_impossible, path);
		return sw_import_end(import, error);
	}
	number = errno;
	if (!taking.has_failed)
		*error = why;
	sw_history_rollback(import->history);
	errno = number;
	return -1;
}
