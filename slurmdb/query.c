/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs from slurmdbd.  Fails if a single second has too many. */
#include "slurmdb/query.h"

#include <errno.h>
#include <string.h>

enum { WINDOW_SECONDS = 3600 };

static int order(uint64_t one, uint64_t two)
{
	return (one > two) - (one < two);
}

static int compare_jobs(void *one, void *two)
{
	const slurmdb_job_rec_t *a = *(slurmdb_job_rec_t **)one;
	const slurmdb_job_rec_t *b = *(slurmdb_job_rec_t **)two;
	int rc = order((uint64_t)a->submit, (uint64_t)b->submit);

	if (!rc)
		rc = order(a->array_job_id, b->array_job_id);
	if (!rc)
		rc = order(a->array_task_id, b->array_task_id);
	return rc ? rc : order(a->jobid, b->jobid);
}

/* The CPU time of a job is that of its steps. */
static void add_cpu_time(slurmdb_job_rec_t *job)
{
	slurmdb_step_rec_t *step;
	void *iterator = slurm_list_iterator_create(job->steps);

	while ((step = slurm_list_next(iterator))) {
		if (step->state < JOB_COMPLETE)
			continue;
		job->tot_cpu_sec += step->tot_cpu_sec;
		job->tot_cpu_usec += step->tot_cpu_usec;
	}
	slurm_list_iterator_destroy(iterator);
}

static void print_steps(FILE *out, const struct sw_slurmdb_format *format,
			slurmdb_job_rec_t *job)
{
	slurmdb_step_rec_t *step;
	void *iterator = slurm_list_iterator_create(job->steps);

	while ((step = slurm_list_next(iterator))) {
		/* A job that changes its size has not ended. */
		if (step->end == 0 &&
		    !(SW_SLURM_SINCE(26, 5) && job->state == JOB_RESIZING))
			step->end = job->end;
		sw_slurmdb_print(out, format, job, step);
	}
	slurm_list_iterator_destroy(iterator);
}

static void print_jobs(FILE *out, const struct sw_slurmdb_format *format,
		       void *jobs)
{
	slurmdb_job_rec_t *job;
	void *iterator;

	slurm_list_sort(jobs, compare_jobs);
	iterator = slurm_list_iterator_create(jobs);
	while ((job = slurm_list_next(iterator))) {
		if (job->steps)
			add_cpu_time(job);
		if (job->show_full)
			sw_slurmdb_print(out, format, job, NULL);
		if (job->steps)
			print_steps(out, format, job);
	}
	slurm_list_iterator_destroy(iterator);
}

static void *get_jobs(const struct sw_slurmdb_query *query, time_t from,
		      time_t until)
{
	slurmdb_job_cond_t condition;

	memset(&condition, 0, sizeof(condition));
	/* 0 would be a condition; and times are not truncated to the window. */
	condition.db_flags = SLURMDB_JOB_FLAG_NOTSET;
	condition.flags = JOBCOND_FLAG_NO_TRUNC;
	if (query->has_all_runs)
		condition.flags |= JOBCOND_FLAG_DUP;
	condition.cluster_list = query->clusters;
	condition.state_list = query->states;
	condition.usage_start = from;
	condition.usage_end = until;
	/* Not all failures set it. */
	errno = 0;
	return slurmdb_jobs_get(query->connection, &condition);
}

static int print_window(FILE *out, const struct sw_slurmdb_query *query,
			const struct sw_slurmdb_format *format, time_t from,
			time_t until)
{
	void *jobs = get_jobs(query, from, until);
	time_t middle = from + (until - from) / 2;

	if (jobs) {
		print_jobs(out, format, jobs);
		slurm_list_destroy(jobs);
		return 0;
	}
	if (errno != ESLURM_RESULT_TOO_LARGE || from == until)
		return -1;
	if (print_window(out, query, format, from, middle) < 0)
		return -1;
	return print_window(out, query, format, middle + 1, until);
}

/* Slurm's times are whole seconds, so windows do not overlap. */
int sw_slurmdb_print_jobs(FILE *out, const struct sw_slurmdb_query *query,
			  const struct sw_slurmdb_format *format)
{
	time_t from, until;

	for (from = query->from; from <= query->until; from = until + 1) {
		until = query->until - from > WINDOW_SECONDS ?
				from + WINDOW_SECONDS : query->until;
		if (print_window(out, query, format, from, until) < 0)
			return -1;
	}
	return 0;
}
