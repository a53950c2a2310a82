/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert a job to integers. */
#include "analyzer/sweep/night/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/accounting/record_need.h"
#include "analyzer/accounting/record_run.h"
#include "analyzer/history/history.h"
#include "analyzer/summaries/summary_print.h"
#include "analyzer/sweep/night/measure_rows.h"
#include "common/missing.h"
#include "common/units.h"

enum { PERMILLE = 1000 };

/* What Slurm says of its end and request wins; need and use are recorded. */
static void put_recorded(struct sw_run *run, const struct sw_run *recorded)
{
	struct sw_run slurms = *run;

	if (!isnan(recorded->need_bytes)) {
		run->need_bytes = recorded->need_bytes;
		run->open_bytes = NAN;
		run->need_upper_bytes = fmax(recorded->need_bytes,
					     recorded->need_upper_bytes);
		run->is_lower_bound = recorded->is_lower_bound ||
				      run->state == SW_RUN_OUT_OF_MEMORY;
	}
	if (!isnan(recorded->used_core_seconds))
		run->used_core_seconds = recorded->used_core_seconds;
	sw_history_merge(run, recorded);
	run->state = slurms.state;
}

bool sw_measure_is_counted(const struct sw_job_record *job)
{
	uint64_t component = job->key.het_component;

	return sw_is_missing(component) || component == 0;
}

/* A component has usage, but is not a job itself. */
static void put_state(uint64_t *n, const struct sw_job_record *job)
{
	static const enum sw_tally_number numbers[SW_JOB_ENDS] = {
		[SW_JOB_END_OTHER] = SW_TALLY_OTHER_END,
		[SW_JOB_END_COMPLETED] = SW_TALLY_COMPLETED,
		[SW_JOB_END_FAILED] = SW_TALLY_FAILED,
		[SW_JOB_END_OUT_OF_MEMORY] = SW_TALLY_OUT_OF_MEMORY,
		[SW_JOB_END_TIME] = SW_TALLY_TIME_LIMIT,
		[SW_JOB_END_DEADLINE] = SW_TALLY_DEADLINE,
		[SW_JOB_END_NODE] = SW_TALLY_NODE_FAIL,
		[SW_JOB_END_CANCELLED] = SW_TALLY_CANCELLED,
		[SW_JOB_END_REQUEUED] = SW_TALLY_REQUEUED,
	};

	if (!sw_measure_is_counted(job))
		return;
	n[SW_TALLY_JOBS] = 1;
	n[numbers[sw_job_state_end(job->end.state)]] = 1;
}

static uint64_t product(uint64_t a, uint64_t b)
{
	uint64_t result;

	if (sw_is_missing(a) || sw_is_missing(b))
		return 0;
	return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX - 1 :
						       result;
}

/* Of nodes that Slurm saw nothing on, nothing is known. */
static void put_cores(uint64_t *n, const struct sw_job_record *job,
		      const struct sw_run *run)
{
	double used = run->used_core_seconds, accounted = 1;
	uint64_t known;
	uint64_t cores = product(product(job->allocated.cpus,
					 job->elapsed_seconds),
				 SW_USEC_PER_SEC);

	if (isnan(used) && !job->used.is_cpu_impossible) {
		accounted = sw_record_accounted_ratio(job);
		used = sw_real_u64(job->used.cpu_usec) /
		       (double)SW_USEC_PER_SEC;
	}
	n[SW_TALLY_CORE_USEC] = cores;
	if (sw_job_state_is_failed(job->end.state))
		n[SW_TALLY_LOST_CORE_USEC] = cores;
	known = (uint64_t)((double)cores * accounted);
	if (isnan(used))
		return;
	n[SW_TALLY_CORE_KNOWN_USEC] = known;
	n[SW_TALLY_USED_USEC] = sw_count_of(used * (double)SW_USEC_PER_SEC);
	if (!sw_job_state_is_failed(job->end.state))
		n[SW_TALLY_IDLE_USEC] = sw_less(known, n[SW_TALLY_USED_USEC]);
}

/*
 * Of samples the upper bound is taken for the need, so that what is called
 * unused was, and without one nothing is said; of a run that lacked memory
 * nothing was.
 */
static void put_memory(uint64_t *n, const struct sw_job_record *job,
		       const struct sw_run *run, bool is_recorded)
{
	uint64_t mib = sw_is_missing(job->allocated.memory_bytes) ? 0 :
		       job->allocated.memory_bytes / SW_MIB;
	uint64_t seconds = product(mib, job->elapsed_seconds), need;
	double bytes = is_recorded ? run->need_bytes : run->need_upper_bytes;

	n[SW_TALLY_MIB_SECONDS] = seconds;
	n[SW_TALLY_TASKS_UNKNOWN_JOBS] = n[SW_TALLY_JOBS] && isnan(bytes) &&
					 !isnan(run->need_bytes);
	if (sw_job_state_is_failed(job->end.state))
		n[SW_TALLY_LOST_MIB_SECONDS] = seconds;
	if (job->end.state == SW_JOB_OUT_OF_MEMORY)
		n[SW_TALLY_OUT_OF_MEMORY_MIB_SECONDS] = seconds;
	if (isnan(bytes) || !seconds)
		return;
	need = product(sw_count_of(bytes * fmax(1, run->nodes) /
				   (double)SW_MIB),
		       job->elapsed_seconds);
	n[SW_TALLY_MIB_KNOWN_SECONDS] = seconds;
	n[SW_TALLY_NEED_MIB_SECONDS] = need < seconds ? need : seconds;
	if (!is_recorded)
		n[SW_TALLY_SAMPLED_MIB_SECONDS] = seconds;
	if (!sw_job_state_is_failed(job->end.state))
		n[SW_TALLY_UNUSED_MIB_SECONDS] = sw_less(seconds, need);
}

static void put_value(struct sw_tally_job *tally, enum sw_tally_sketch which,
		      uint64_t value)
{
	tally->has_value[which] = true;
	tally->value[which] = value;
}

static void put_values(struct sw_tally_job *tally,
		       const struct sw_job_record *job,
		       const struct sw_run *run)
{
	const uint64_t *n = tally->n;

	if (n[SW_TALLY_COMPLETED])
		put_value(tally, SW_TALLY_ELAPSED_SECONDS,
			  job->elapsed_seconds);
	if (!isnan(run->need_bytes) && !isnan(run->need_upper_bytes) &&
	    !run->is_lower_bound)
		put_value(tally, SW_TALLY_NEED_MIB,
			  sw_count_of(run->need_bytes / (double)SW_MIB));
	if (!isnan(run->requested_bytes))
		put_value(tally, SW_TALLY_REQUEST_MIB,
			  sw_count_of(run->requested_bytes / (double)SW_MIB));
	if (!sw_is_missing(job->start_seconds) &&
	    !sw_is_missing(job->eligible_seconds))
		put_value(tally, SW_TALLY_WAIT_SECONDS,
			  sw_less(job->start_seconds, job->eligible_seconds));
	if (n[SW_TALLY_CORE_KNOWN_USEC] >= PERMILLE)
		put_value(tally, SW_TALLY_CPU_PERMILLE,
			  n[SW_TALLY_USED_USEC] /
			  (n[SW_TALLY_CORE_KNOWN_USEC] / PERMILLE));
}

/* Set the job's ids as known to users, and its user. */
static void put_key(struct sw_sample_run *run, const struct sw_job_key *key,
		    bool is_recorded)
{
	run->array_job_id = key->array_job_id;
	run->array_task_id = key->array_task_id;
	run->het_job_id = key->het_job_id;
	run->het_component = key->het_component;
	run->uid = key->uid;
	run->is_recorded = is_recorded;
}

/*
 * Fill in the run's fingerprint without its programs, which are read when it is
 * known which runs are kept.  How it ended is as Slurm says.
 */
static void put_print(struct sw_measured *measured,
		      const struct sw_run *recorded,
		      const struct sw_step_summary *rows, size_t count)
{
	struct sw_sample_run *run = &measured->run;
	struct sw_job_print_key key;
	struct sw_fingerprint print;

	if (!count || !measured->tally.run)
		return;
	sw_fingerprint_of_summaries(&print, recorded, rows, count);
	print.state = run->run.state;
	if (!isnan(run->run.exit_code))
		print.exit_code = sw_whole_real(run->run.exit_code);
	run->fingerprint = measured->fingerprint;
	run->fingerprint_size =
		sw_fingerprint_encode(&print, measured->fingerprint);
	key = sw_job_print_key_of(rows, count);
	run->row_restart = key.restart;
	run->step_rows = key.steps;
}

/* Measure everything; measured is zeroed before, except for names. */
static void measure(struct sw_measured *measured,
		    const struct sw_job_record *job,
		    const struct sw_step_summary *rows, size_t count,
		    struct sw_run *recorded)
{
	struct sw_run *run = &measured->run.run;
	uint64_t *n = measured->tally.n;

	sw_record_run(run, job);
	put_state(n, job);
	if (count) {
		sw_step_summaries_sum_job(recorded, rows, count);
		put_recorded(run, recorded);
	}
	put_cores(n, job, run);
	put_memory(n, job, run, count > 0);
	n[SW_TALLY_GPU_SECONDS] = product(job->allocated.gpus,
					  job->elapsed_seconds);
	if (n[SW_TALLY_COMPLETED] && !isnan(run->requested_seconds)) {
		n[SW_TALLY_LIMIT_SECONDS] = sw_count_of(run->requested_seconds);
		n[SW_TALLY_LIMITED_SECONDS] =
			sw_zero_if_missing(job->elapsed_seconds);
	}
	sw_measure_rows(n, rows, count);
	n[SW_TALLY_RECORDED] = n[SW_TALLY_JOBS] && count;
	n[SW_TALLY_SILENT_OOM_JOBS] =
		(n[SW_TALLY_OOM_KILLS] &&
		 job->end.state == SW_JOB_COMPLETED) ||
		sw_record_is_silent_oom(job);
	sw_measure_gpus(n, rows, count, sw_job_state_is_failed(job->end.state));
	n[SW_TALLY_LATEST_JOB_ID] = sw_zero_if_missing(job->key.job_id);
	put_values(&measured->tally, job, run);
	measured->run.job_id = n[SW_TALLY_LATEST_JOB_ID];
	measured->run.restart = sw_zero_if_missing(job->key.restart_count);
	put_key(&measured->run, &job->key, count > 0);
	if (run->elapsed_seconds > 0 && run->end_seconds > 0)
		measured->tally.run = &measured->run;
}

static void find_names(struct sw_measured *measured,
		       const struct sw_job_record *job,
		       const struct sw_group_rules *rules)
{
	const struct sw_job_names names = {
		.user = job->user, .name = job->name,
		.partition = job->partition, .cluster = job->cluster,
		.comment = job->comment, .step = "",
	};

	sw_job_group_find(&measured->group, rules, &names);
	sw_workflow_find(&measured->workflow, job->name, job->comment,
			 job->work_dir);
}

void sw_measure(struct sw_measured *measured, const struct sw_job_record *job,
		const struct sw_step_summary *rows, size_t count,
		const struct sw_group_rules *rules)
{
	struct sw_run recorded;

	memset(measured, 0, sizeof(*measured));
	find_names(measured, job, rules);
	measure(measured, job, rows, count, &recorded);
	put_print(measured, &recorded, rows, count);
}

/* Rows of a step on its nodes; rows are sorted by step. */
static size_t rows_of(const struct sw_step_summary **rows, size_t count,
		      const char *step)
{
	size_t i, of_step;

	for (i = 0; i < count; i += of_step) {
		of_step = sw_step_summaries_of_step(*rows + i, count - i);
		if (strcmp((*rows)[i].step, step) != 0)
			continue;
		*rows += i;
		return of_step;
	}
	return 0;
}

void sw_measure_step(struct sw_measured *measured,
		     const struct sw_job_record *job, size_t i,
		     const struct sw_step_summary *rows, size_t count)
{
	struct sw_job_record as_job = sw_record_of_step(job, i);
	size_t of_step = rows_of(&rows, count, as_job.id.step);
	struct sw_run recorded;

	memset(measured, 0, sizeof(*measured));
	measure(measured, &as_job, rows, of_step, &recorded);
}
