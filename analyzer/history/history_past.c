/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make attempts from rows of the history, and classify the last one. */
#include "analyzer/history/history_past.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/run_state.h"
#include "analyzer/history/history_internal.h"
#include "analyzer/retries/lineage.h"
#include "common/grow.h"
#include "common/jobid.h"
#include "common/units.h"

/* Rows read at most; tolerance for starts of the same run. */
enum { ROWS_MAX = 500, SAME_START_SECONDS = 5 };

/* Job id of an attempt, which has numbers only. */
struct name {
	uint64_t hash;
	char job[SW_PAST_JOB_SIZE];
};

struct looking {
	const struct sw_history_run *own;
	struct sw_run own_run; /* with values that only the history has */
	char partition[128]; /* of the own job */
	struct sw_lineage *lineage;
	struct name *names;
	size_t name_count;
};

static uint64_t whole(double value)
{
	return value >= 0 && value < 1e18 ? (uint64_t)value : SW_MISSING;
}

static uint64_t product(double a, double b)
{
	return whole(a * b);
}

static uint64_t hash(const char *job)
{
	return sw_keyed_hash(job, strlen(job));
}

/* After an OOM, the exit code or signal depends on what passed it on. */
static uint64_t exit_code_of(const struct sw_run *run)
{
	return run->state == SW_RUN_OUT_OF_MEMORY ? 0 : whole(run->exit_code);
}

static int add_attempt(struct sw_lineage *lineage, const struct sw_run *run,
		       const char *job, const char *partition)
{
	const double nodes = run->nodes >= 1 ? run->nodes : 1;
	const struct sw_attempt_numbers numbers = {
		.job_id = hash(job),
		.array_job_id = SW_MISSING,
		.array_task_id = SW_MISSING,
		.submit_seconds = whole(run->submit_seconds),
		.start_seconds = whole(run->start_seconds),
		.end_seconds = whole(run->end_seconds),
		.state = sw_job_state_of_run(run->state),
		.exit_code = exit_code_of(run),
		.signal = 0,
		.is_out_of_memory = run->state == SW_RUN_OUT_OF_MEMORY,
		.cpus = whole(run->requested_cores),
		.memory_bytes = whole(run->requested_bytes),
		.limit_seconds = whole(run->requested_seconds),
		.core_seconds =
			product(run->requested_cores, run->elapsed_seconds),
		.mib_seconds = product(run->requested_bytes / SW_MIB * nodes,
				       run->elapsed_seconds),
	};
	char texts[256];
	struct sw_attempt *attempt;
	int size;

	if (sw_is_missing(numbers.start_seconds) ||
	    sw_is_missing(numbers.end_seconds) ||
	    numbers.end_seconds < numbers.start_seconds)
		return 0;
	size = snprintf(texts, sizeof(texts) - 1, "%.200s", partition);
	texts[++size] = '\0'; /* the failed step is not known */
	attempt = sw_attempt_make(&numbers, texts, (size_t)size + 1);
	if (!attempt)
		return -1;
	if (sw_lineage_add(lineage, attempt) == 0)
		return 0;
	free(attempt);
	return -1;
}

static int keep_name(struct looking *looking, const char *job)
{
	struct name *name;

	if (sw_grow(&looking->names, looking->name_count, sizeof(*name)) < 0)
		return -1;
	name = &looking->names[looking->name_count++];
	name->hash = hash(job);
	snprintf(name->job, sizeof(name->job), "%s", job);
	return 0;
}

static const char *name_of(const struct looking *looking, uint64_t hash)
{
	size_t i;

	for (i = 0; i < looking->name_count; i++) {
		if (looking->names[i].hash == hash)
			return looking->names[i].job;
	}
	return "";
}

static uint64_t element_of(const char *job)
{
	struct sw_jobid id;

	return sw_jobid_parse(job, &id) == 0 ? id.array_task : SW_MISSING;
}

static bool is_own(const struct looking *looking, const char *job,
		   const struct sw_run *run)
{
	return !strcmp(job, looking->own->job) &&
	       fabs(run->start_seconds - looking->own->run.start_seconds) <=
		       SAME_START_SECONDS;
}

static bool is_told_by_slurm(sqlite3_stmt *statement)
{
	return sqlite3_column_int(statement, 2) == SW_HISTORY_SACCT ||
	       sqlite3_column_int(statement, 3) != 0;
}

static int take(void *context, sqlite3_stmt *statement)
{
	struct looking *looking = context;
	const char *job = (const char *)sqlite3_column_text(statement, 0);
	const char *partition = (const char *)sqlite3_column_text(statement, 1);
	struct sw_run run;

	sw_history_read_run(statement, 4, &run);
	/* A requeue keeps the partition, which profiles do not contain. */
	if (!strcmp(sw_text(job), looking->own->job))
		snprintf(looking->partition, sizeof(looking->partition), "%s",
			 sw_text(partition));
	if (is_own(looking, sw_text(job), &run)) {
		sw_history_merge(&looking->own_run, &run);
		return 0;
	}
	if (element_of(sw_text(job)) != element_of(looking->own->job))
		return 0;
	/* A preempted run may have reported a failure. */
	if (!strcmp(sw_text(job), looking->own->job) &&
	    run.state == SW_RUN_FAILED && !is_told_by_slurm(statement))
		run.state = SW_RUN_UNKNOWN;
	if (keep_name(looking, sw_text(job)) < 0)
		return -1;
	return add_attempt(looking->lineage, &run, sw_text(job),
			   sw_text(partition));
}

static int read_rows(struct sw_history *history, struct looking *looking,
		     struct sw_error *error)
{
	const struct sw_history_run *own = looking->own;
	sqlite3_stmt *statement;

	statement =
		sw_history_statement(history, SW_HISTORY_SELECT_ALIKE, error);
	if (!statement)
		return -1;
	sqlite3_bind_text(statement, 1, own->group, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, sw_text(own->name), -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 3, sw_text(own->cluster), -1,
			  SQLITE_STATIC);
	sqlite3_bind_int(statement, 4, ROWS_MAX);
	return sw_history_each_row(history, statement, take, looking, error);
}

static void add_request(struct sw_view_past *past,
			const struct sw_attempt *attempt)
{
	if (attempt->n.is_out_of_memory &&
	    !sw_is_missing(attempt->n.memory_bytes) &&
	    past->request_count < SW_PAST_REQUESTS)
		past->requested_bytes[past->request_count++] =
			attempt->n.memory_bytes;
}

static void sum_up(struct sw_view_past *past, const struct sw_lineage *lineage,
		   size_t first, size_t own)
{
	size_t i;

	past->core_seconds = past->mib_seconds = SW_MISSING;
	for (i = first; i < own; i++) {
		const struct sw_attempt *attempt = lineage->attempts[i];

		past->core_seconds =
			sw_sum_u64(past->core_seconds, attempt->n.core_seconds);
		past->mib_seconds =
			sw_sum_u64(past->mib_seconds, attempt->n.mib_seconds);
		add_request(past, attempt);
	}
}

/* Count consecutive attempts, up to this one, with the same end. */
static size_t count_repeats(const struct sw_lineage *lineage, size_t own,
			    const struct sw_retry_settings *settings)
{
	size_t count = 1;

	while (own > 0 &&
	       (sw_lineage_kind(lineage, own, settings) & SW_RETRY_REPEATED)) {
		count++;
		own--;
	}
	return count;
}

static void describe(struct sw_view_past *past, const struct looking *looking,
		     size_t own, const struct sw_retry_settings *settings)
{
	const struct sw_lineage *lineage = looking->lineage;
	const struct sw_attempt *now = lineage->attempts[own], *before;
	unsigned kind = sw_lineage_kind(lineage, own, settings);
	uint64_t submit = now->n.submit_seconds;
	size_t first = own;

	if (!kind)
		return;
	before = lineage->attempts[own - 1];
	while (sw_lineage_kind(lineage, first, settings))
		first--;
	past->earlier = own - first;
	past->has_more_memory = (kind & SW_RETRY_MORE_MEMORY) != 0;
	past->is_repeat = (kind & SW_RETRY_REPEATED) != 0;
	past->is_requeued = (kind & SW_RETRY_REQUEUED) != 0;
	past->is_out_of_memory = now->n.is_out_of_memory != 0;
	past->has_completed = now->n.state == SW_JOB_COMPLETED;
	past->memory_bytes = now->n.memory_bytes;
	snprintf(past->job_before, sizeof(past->job_before), "%s",
		 name_of(looking, before->n.job_id));
	past->pause_seconds = past->is_requeued || sw_is_missing(submit) ||
					      submit < before->n.end_seconds
				      ? SW_MISSING
				      : submit - before->n.end_seconds;
	past->repeats = count_repeats(lineage, own, settings);
	sum_up(past, lineage, first, own);
}

/* Find the job's own attempt; later ones did not exist at its submission. */
static int find_own(const struct looking *looking, size_t *own)
{
	uint64_t job = hash(looking->own->job);
	uint64_t start = whole(looking->own_run.start_seconds);
	size_t i;

	for (i = 0; i < looking->lineage->count; i++) {
		const struct sw_attempt *attempt =
			looking->lineage->attempts[i];

		if (attempt->n.job_id == job &&
		    attempt->n.start_seconds == start) {
			*own = i;
			return 0;
		}
	}
	return -1;
}

int sw_history_past(struct sw_history *history,
		    const struct sw_history_run *own,
		    const struct sw_retry_settings *settings,
		    struct sw_view_past *past, struct sw_error *error)
{
	static const char key[6]; /* six empty texts of a single lineage */
	struct looking looking = { .own = own, .own_run = own->run };
	size_t at;
	int rc;

	*past = (struct sw_view_past){ 0 };
	looking.lineage = sw_lineage_new(key, sizeof(key));
	if (!looking.lineage)
		return sw_error_errno(error, "the runs before");
	rc = read_rows(history, &looking, error);
	if (rc == 0 && add_attempt(looking.lineage, &looking.own_run, own->job,
				   looking.partition) < 0)
		rc = sw_error_errno(error, "the runs before");
	if (rc == 0) {
		sw_lineage_order(looking.lineage, settings);
		if (find_own(&looking, &at) == 0)
			describe(past, &looking, at, settings);
	}
	sw_lineage_free(looking.lineage);
	free(looking.names);
	return rc;
}
