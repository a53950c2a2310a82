/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse the output of sacct(1).  No field that users can write is queried, so
 * each job is one line; malformed lines are skipped.
 */
#include "analyzer/accounting/sacct.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_jobs.h"
#include "analyzer/accounting/record_run.h"
#include "common/job_state.h"

enum {
	ROWS_MAX = 100000,
	CLOCK_SLACK_SECONDS = 90,	/* between the node's and Slurm's
					 * clocks */
};

static const enum sw_record_field asked[] = {
	SW_RECORD_ID, SW_RECORD_STATE, SW_RECORD_EXIT, SW_RECORD_START,
	SW_RECORD_END, SW_RECORD_ELAPSED, SW_RECORD_LIMIT,
	SW_RECORD_ALLOC_CPUS, SW_RECORD_NODES, SW_RECORD_TASKS,
	SW_RECORD_REQ_MEM, SW_RECORD_TOTAL_CPU, SW_RECORD_MAX_RSS,
	SW_RECORD_CLUSTER, SW_RECORD_USER, SW_RECORD_NODE_LIST,
	SW_RECORD_RAW_ID, SW_RECORD_DERIVED_EXIT, SW_RECORD_ALLOC_TRES,
	SW_RECORD_USED_IN, SW_RECORD_AVE_RSS, SW_RECORD_ENERGY,
};

void sw_acct_fields(struct sw_record_fields *fields)
{
	sw_record_fields_of_list(fields, asked,
				 sizeof(asked) / sizeof(asked[0]));
}

/* Destination, and the job to accept (NULL: any) */
struct reading {
	struct sw_acct *acct;
	const struct sw_jobid *wanted;
};

/* Copy the steps, since a reader uses its own again. */
static int put_job(struct sw_job_record *row, const struct sw_job_record *job)
{
	*row = *job;
	row->steps = NULL;
	if (!job->step_count)
		return 0;
	row->steps = malloc(job->step_count * sizeof(*row->steps));
	if (!row->steps)
		return -1;
	memcpy(row->steps, job->steps, job->step_count * sizeof(*row->steps));
	return 0;
}

static int grow_rows(struct sw_acct *acct, size_t more)
{
	struct sw_job_record *grown =
		realloc(acct->rows, (acct->count + more) * sizeof(*grown));

	if (!grown)
		return -1;
	acct->rows = grown;
	return 0;
}

/*
 * Also match Slurm's own job id of an array element, which the job sees as its
 * id, and which its output file is named after.
 */
static bool is_wanted(const struct sw_jobid *wanted,
		      const struct sw_job_record *job)
{
	struct sw_jobid whole = *wanted;

	whole.step[0] = '\0';
	return sw_jobid_covers(&whole, &job->id) ||
	       (job->key.job_id == wanted->job && !sw_jobid_is_part(wanted));
}

static int take_job(void *context, const struct sw_job_record *job)
{
	const struct reading *reading = context;
	struct sw_acct *acct = reading->acct;
	const struct sw_job_record *row;
	size_t i;

	if (job->is_rest_of_array || acct->count >= ROWS_MAX ||
	    (reading->wanted && !is_wanted(reading->wanted, job))) {
		acct->skipped += job->step_count + 1;
		return 0;
	}
	if (grow_rows(acct, job->step_count + 1) < 0 ||
	    put_job(&acct->rows[acct->count], job) < 0)
		return -1;
	row = &acct->rows[acct->count++];
	for (i = 0; i < row->step_count; i++) {
		if (reading->wanted && reading->wanted->step[0] &&
		    strcmp(reading->wanted->step, row->steps[i].id.step) != 0)
			acct->skipped++;
		else
			acct->rows[acct->count++] = sw_record_of_step(row, i);
	}
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct sw_job_record *one = a, *two = b;

	/* The allocation has no step, and sorts first. */
	if (!one->id.step[0] || !two->id.step[0])
		return !one->id.step[0] - !two->id.step[0] > 0 ? -1 :
		       !one->id.step[0] - !two->id.step[0] < 0;
	return sw_stepid_compare(one->id.step, two->id.step);
}

static bool is_one_job(const struct sw_acct *acct)
{
	size_t i;

	for (i = 1; i < acct->count; i++) {
		if (acct->rows[i].id.array_task !=
			    acct->rows[0].id.array_task ||
		    acct->rows[i].id.het_component !=
			    acct->rows[0].id.het_component)
			return false;
	}
	return true;
}

static bool has_step(const struct sw_acct *acct, const char *step)
{
	size_t i;

	for (i = 0; i < acct->count; i++) {
		if (!strcmp(acct->rows[i].id.step, step))
			return true;
	}
	return false;
}

static int judge(const struct sw_acct *acct, const struct sw_jobid *id,
		 struct sw_error *error)
{
	char text[SW_JOBID_TEXT_SIZE], example[SW_JOBID_TEXT_SIZE];
	struct sw_jobid first;

	sw_jobid_format(text, sizeof(text), id);
	if (!acct->count || !has_step(acct, id->step)) {
		errno = ESRCH;
		return sw_error_set(error, "sacct has no record of job %s",
				    text);
	}
	if (is_one_job(acct))
		return 0;
	first = acct->rows[0].id;
	first.step[0] = '\0';
	errno = ENOTUNIQ;
	return sw_error_set(error, "%s matches several jobs in sacct; name "
			    "one, as in \"%s\"", text,
			    sw_jobid_format(example, sizeof(example), &first));
}

static int add_lines(struct sw_acct *acct, char *text,
		     const struct sw_jobid *wanted, struct sw_error *error)
{
	struct reading reading = { acct, wanted };
	const struct sw_records_taker taker = {
		.take_job = take_job, .context = &reading,
	};
	struct sw_records_sums sums = { 0 };
	struct sw_record_fields fields;
	struct sw_record_lines lines = {
		.next = text, .delimiter = "|", .fields = &fields,
	};

	*acct = (struct sw_acct){ .text = text };
	sw_acct_fields(&fields);
	if (sw_record_jobs_take(&lines, NULL, NULL, &taker, &sums, error) < 0) {
		sw_acct_fini(acct);
		return sw_error_set(error, "not enough memory");
	}
	acct->skipped += sums.bad_lines;
	return 0;
}

int sw_acct_parse(struct sw_acct *acct, char *text, const struct sw_jobid *id,
		  struct sw_error *error)
{
	if (add_lines(acct, text, id, error) < 0)
		return -1;
	if (judge(acct, id, error) < 0) {
		int saved = errno;

		sw_acct_fini(acct);
		errno = saved;
		return -1;
	}
	qsort(acct->rows, acct->count, sizeof(*acct->rows), compare_rows);
	return 0;
}

int sw_acct_parse_runs(struct sw_acct *acct, char *text,
		       struct sw_error *error)
{
	return add_lines(acct, text, NULL, error);
}

static bool is_of_cluster(const struct sw_job_record *row, const char *cluster)
{
	return !cluster || !*cluster || !*row->cluster ||
	       !strcmp(row->cluster, cluster);
}

static bool is_on_at(const struct sw_job_record *row, uint64_t seconds)
{
	return sw_is_missing(seconds) ||
	       (!sw_is_missing(row->start_seconds) &&
		row->start_seconds <= seconds + CLOCK_SLACK_SECONDS &&
		(sw_is_missing(row->end_seconds) ||
		 seconds <= row->end_seconds + CLOCK_SLACK_SECONDS));
}

const struct sw_job_record *sw_acct_find(const struct sw_acct *acct,
				       const struct sw_jobid *id,
				       const char *cluster,
				       uint64_t time_seconds)
{
	const struct sw_job_record *found = NULL, *row;
	size_t i;

	for (i = 0; i < acct->count; i++) {
		row = &acct->rows[i];
		if (row->id.step[0] || sw_jobid_compare(&row->id, id) ||
		    !is_of_cluster(row, cluster) ||
		    !is_on_at(row, time_seconds))
			continue;
		/* After a requeue, choose the run that had begun. */
		if (!found || sw_is_missing(time_seconds) ||
		    row->start_seconds <= time_seconds)
			found = row;
	}
	return found;
}

const struct sw_job_record *sw_acct_find_step(const struct sw_acct *acct,
					    const struct sw_job_record *job,
					    const char *step)
{
	size_t i = (size_t)(job - acct->rows) + 1;

	for (; i < acct->count && acct->rows[i].id.step[0]; i++) {
		if (!strcmp(acct->rows[i].id.step, step))
			return &acct->rows[i];
	}
	return NULL;
}

bool sw_acct_is_final(const struct sw_job_record *row)
{
	return sw_job_state_is_final(row->end.state);
}

void sw_acct_fini(struct sw_acct *acct)
{
	size_t i;

	for (i = 0; i < acct->count; i++) {
		if (!acct->rows[i].id.step[0])
			free(acct->rows[i].steps);
	}
	free(acct->rows);
	free(acct->text);
	memset(acct, 0, sizeof(*acct));
}
