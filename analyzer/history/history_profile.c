/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert a recorded job to runs of the history. */
#include "analyzer/history/history_profile.h"

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/run_state.h"
#include "analyzer/job/job_record.h"
#include "analyzer/recordings/store.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/view_demand.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

/* Relevant programs of a job are among the first. */
enum { PROGRAMS_MAX = 64 };

enum { SIGNAL_INT = 2, SIGNAL_KILL = 9, SIGNAL_TERM = 15 };

/* Slurm ends a job some seconds after its limit; it checks every 30. */
#define LIMIT_SLACK_SECONDS 2.0

/* The kernel charges in batches: it kills slightly below the limit. */
#define LIMIT_SHARE 0.9

static double seconds(uint64_t usec)
{
	return sw_real_u64(usec) / (double)SW_USEC_PER_SEC;
}

/* Clamp a share of the time; fmin() would turn NAN into 1. */
static double share_of(double value)
{
	return value > 1 ? 1 : value;
}

static bool was_ended(const struct sw_view *view)
{
	uint64_t signal = view->signal;

	if (sw_is_missing(signal) && !sw_is_missing(view->exit_code) &&
	    view->exit_code > SW_STATUS_SIGNAL)
		signal = view->exit_code - SW_STATUS_SIGNAL;
	return signal == SIGNAL_INT || signal == SIGNAL_KILL ||
	       signal == SIGNAL_TERM;
}

static enum sw_run_state state_of(const struct sw_view *view,
				  const struct sw_run *run)
{
	/* One in whose midst a program was killed is not a whole run. */
	if (sw_zero_if_missing(view->memory.oom_kills) > 0)
		return SW_RUN_OUT_OF_MEMORY;
	/* Only Slurm knows why it ended a job. */
	if (sw_record_state(view))
		return sw_run_state_of_job(sw_record_state(view));
	if (sw_view_is_past_limit(view))
		return SW_RUN_TIMEOUT;
	if (view->state == SW_STATE_COMPLETED)
		return SW_RUN_COMPLETED;
	if (view->state == SW_STATE_UNKNOWN)
		return SW_RUN_UNKNOWN;
	if (view->state == SW_STATE_INTERRUPTED)
		return SW_RUN_CANCELLED;
	if (!was_ended(view))
		return SW_RUN_FAILED;
	return run->elapsed_seconds + LIMIT_SLACK_SECONDS >=
	       run->requested_seconds ? SW_RUN_TIMEOUT : SW_RUN_CANCELLED;
}

/*
 * Before killing at a limit, the kernel reclaims all page cache: the whole
 * limit was needed, however little of it a sample has seen.
 */
static double need_of_kill(const struct sw_view_memory *memory)
{
	double peak = sw_real_u64(memory->peak_bytes);
	double limit = sw_real_u64(memory->limit_bytes);

	return peak >= LIMIT_SHARE * limit ? limit :
		sw_real_u64(sw_view_memory_base(memory));
}

/*
 * A peak between two samples that page cache does not explain was needed, too:
 * advice below it would lead to a kill.
 */
static void put_memory(struct sw_run *run, const struct sw_view_memory *memory)
{
	bool is_killed = sw_zero_if_missing(memory->oom_kills) > 0;

	run->requested_bytes = sw_real_u64(memory->requested_bytes);
	run->need_bytes = is_killed ? need_of_kill(memory) :
			  sw_real_u64(sw_view_memory_base(memory));
	run->need_upper_bytes = fmax(run->need_bytes,
				     sw_real_u64(memory->need_upper_bytes));
	run->is_lower_bound = memory->need_is_lower_bound || is_killed;
}

/* Also compute the share of time with a CPU busy, for cpu_share. */
static void put_busy(struct sw_run *run, const struct sw_curve *cores)
{
	double length, all = 0, busy = 0;
	size_t i, level;

	for (i = 0; i < cores->count; i++) {
		if (isnan(cores->value[i]))
			continue;
		length = (double)(cores->end_usec[i] - cores->start_usec[i]) /
			 (double)SW_USEC_PER_SEC;
		for (level = 0; level + 1 < SW_BUSY_LEVELS &&
		     cores->value[i] > sw_busy_cores[level]; level++)
			;
		run->busy_seconds[level] += length;
		all += length;
		busy += length * fmin(cores->value[i], 1);
	}
	run->has_busy = all > 0;
	if (run->has_busy)
		run->cpu_share = share_of(busy / all);
}

static void put_cpu(struct sw_run *run, const struct sw_view *view)
{
	/* CPUs that were merely available were not requested. */
	if (view->cpu.is_requested)
		run->requested_cores = view->cpu.allocated_cores;
	run->used_core_seconds = seconds(view->cpu.used_usec);
	/* Use is no measure of demand if the run was held back. */
	if (!sw_view_tells_cpus(&view->cpu))
		return;
	run->peak_cores = view->cpu.peak_cores;
	put_busy(run, &view->cores);
	if (!run->has_busy && run->elapsed_seconds > 0)
		run->cpu_share = share_of(run->used_core_seconds /
					  run->elapsed_seconds);
}

static double share(uint64_t usec, double elapsed_seconds)
{
	return elapsed_seconds > 0 ?
	       share_of(seconds(usec) / elapsed_seconds) : NAN;
}

static void put_waits(struct sw_run *run, const struct sw_view *view)
{
	double full = 0;
	size_t i;

	/* As its report has it; sums have no waits of their own. */
	run->io_share = sw_limits_ratio(&view->limits, SW_LIMITED_BY_IO);
	if (isnan(run->io_share))
		run->io_share = share(view->pressure.io_full_usec,
				      run->elapsed_seconds);
	if (isnan(run->io_share))
		run->io_share = share(view->io.stalled_usec,
				      run->elapsed_seconds);
	for (i = 0; i < view->nearby.link_count; i++) {
		double one = share(view->nearby.links[i].full_usec,
				   run->elapsed_seconds);

		if (one > full)
			full = one;
	}
	if (view->nearby.link_count)
		run->network_share = full;
}

/*
 * Shares of time spent waiting for locks or for others, or of CPU time spent on
 * polling, as MPI ranks do.
 */
static void put_waiting(struct sw_run *run, const struct sw_view *view)
{
	double spun = 0, used = sw_real_u64(view->cpu.used_usec);
	size_t i;

	run->waiting_share = sw_sum_real(
		sw_limits_ratio(&view->limits, SW_LIMITED_BY_WAITING),
		sw_limits_ratio(&view->limits, SW_LIMITED_BY_LOCK)) -
		sw_limit_ratio(&view->limits, SW_LIMIT_UNSEEN);
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		spun += fmax(0, fmax(sw_real_u64(program->spin_usec),
				     sw_real_u64(program->mpi_usec)));
	}
	if (spun > 0 && used > 0)
		run->waiting_share = fmax(run->waiting_share, spun / used);
	run->waiting_share = share_of(run->waiting_share);
}

static void put_gpus(struct sw_run *run, const struct sw_view *view)
{
	double busy = 0, known = 0, bytes;
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		const struct sw_view_gpu *gpu = &view->gpus[i];

		if (!gpu->is_used)
			continue;
		bytes = sw_real_u64(sw_is_missing(gpu->own_memory_bytes) ?
			       gpu->memory_used_bytes : gpu->own_memory_bytes);
		run->gpu_memory_bytes = fmax(run->gpu_memory_bytes, bytes);
		if (isnan(gpu->busy_ratio))
			continue;
		busy += gpu->busy_ratio;
		known++;
	}
	/* Slurm allocates what was requested. */
	run->requested_gpus = sw_real_u64(view->allocated_gpus);
	run->used_gpus = sw_view_used_gpus(view);
	if (known > 0)
		run->gpu_busy_ratio = run->gpu_share =
			share_of(busy / known);
}

void sw_run_of_view(struct sw_run *run, const struct sw_view *view)
{
	*run = sw_run_unknown;
	run->start_seconds = seconds(view->start_realtime_usec);
	run->elapsed_seconds = seconds(view->elapsed_usec);
	run->end_seconds = run->start_seconds + run->elapsed_seconds;
	run->requested_seconds = seconds(view->requested_time_usec);
	run->state = state_of(view, run);
	run->input_bytes = sw_real_u64(view->input_bytes);
	run->tasks = sw_real_u64(view->slurm.task_count);
	if (!sw_is_missing(view->job.restart_count))
		run->attempt = (unsigned)view->job.restart_count + 1;
	run->exit_code = sw_real_u64(view->exit_code);
	if (isnan(run->exit_code))
		run->exit_code = SW_STATUS_SIGNAL + sw_real_u64(view->signal);
	put_memory(run, &view->memory);
	put_cpu(run, view);
	put_waits(run, view);
	put_waiting(run, view);
	put_gpus(run, view);
}

static double slowest_ratio(const struct sw_job_step *step)
{
	struct sw_job_task *tasks;
	double sum = 0, max = 0, one;
	size_t count, known = 0, i;

	tasks = sw_job_tasks(step, &count);
	for (i = 0; tasks && i < count; i++) {
		one = sw_real_u64(tasks[i].task->cpu_usec);
		if (isnan(one))
			continue;
		sum += one;
		max = fmax(max, one);
		known++;
	}
	free(tasks);
	return known > 1 && sum > 0 ? max / (sum / (double)known) : NAN;
}

/* Step with the job's tasks: the one that used most CPU time. */
static const struct sw_job_step *main_step(const struct sw_job *job)
{
	const struct sw_job_step *found = NULL;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		const struct sw_job_step *step = &job->steps[i];

		if (sw_profile_run_is_step(job, step) &&
		    (!found || sw_zero_if_missing(step->view.cpu.used_usec) >
		     sw_zero_if_missing(found->view.cpu.used_usec)))
			found = step;
	}
	return found;
}

/* Set what a view lacks: missing nodes, and tasks. */
static void put_shape(struct sw_run *run, const struct sw_job *job,
		      const struct sw_job_step *step)
{
	const struct sw_job_step *tasks = step ? step : main_step(job);
	bool is_partial = !step && !sw_is_missing(job->node_expected) &&
			  job->node_count < job->node_expected;

	run->nodes = step ? (double)step->node_count :
		     is_partial ? (double)job->node_expected :
				  (double)job->node_count;
	if (tasks) {
		run->slowest_task_ratio = slowest_ratio(tasks);
		run->tasks = sw_real_u64(tasks->view.slurm.task_count);
	}
	/* The job's request counts, not how its steps use it. */
	if (!step && sw_zero_if_missing(job->total.slurm.job_task_count))
		run->tasks = (double)job->total.slurm.job_task_count;
	if (!is_partial && job->unread_count == 0)
		return;
	/* The fullest node may be missing. */
	run->is_lower_bound = true;
	run->used_core_seconds = run->peak_cores = NAN;
	run->requested_cores = NAN;
	run->has_busy = false;
}

/* Another user's file may contain any name: use its owner's uid. */
static void put_user(char *user, const struct sw_view *view,
		     const struct sw_verdict *verdict)
{
	const char *name = verdict->trust == SW_TRUST_OWN ? view->user : NULL;
	struct passwd *entry = NULL;

	if (!name && !sw_is_missing(view->job.uid))
		entry = getpwuid((uid_t)view->job.uid);
	if (name || entry)
		snprintf(user, SW_USER_NAME_SIZE, "%s",
			 name ? name : entry->pw_name);
	else if (!sw_is_missing(view->job.uid))
		snprintf(user, SW_USER_NAME_SIZE, "%llu",
			 (unsigned long long)view->job.uid);
}

static void put_id(struct sw_profile_run *run, const struct sw_job *job,
		   const struct sw_view *view)
{
	struct sw_jobid id = sw_job_key_id(&view->job);

	run->row.is_start_exact = sw_is_missing(id.job);
	if (sw_is_missing(id.job)) {
		sw_store_id(job->nodes[0].files[0].path, run->job,
			    sizeof(run->job));
		return;
	}
	sw_jobid_format(run->job, sizeof(run->job), &id);
	/* With a letter sacct is not asked for it. */
	if (!view->slurm.is_slurm)
		snprintf(run->job, sizeof(run->job), "lsf:%s",
			 sw_jobid_text(&id).s);
}

static void put_programs(char *buf, size_t size, const struct sw_view *view)
{
	const char *names[PROGRAMS_MAX];
	double cpu[PROGRAMS_MAX];
	size_t i;

	for (i = 0; i < view->program_count && i < PROGRAMS_MAX; i++) {
		names[i] = view->programs[i].name;
		cpu[i] = sw_real_u64(view->programs[i].cpu_usec);
	}
	sw_job_group_programs(buf, size, names, cpu, i);
}

void sw_profile_run(struct sw_profile_run *run, const struct sw_job *job,
		    const struct sw_job_step *step,
		    const struct sw_group_rules *rules)
{
	const struct sw_view *whole = &job->total;
	const struct sw_view *view = step ? &step->view : whole;
	struct sw_job_names names;

	memset(run, 0, sizeof(*run));
	sw_run_of_view(&run->row.run, view);
	put_shape(&run->row.run, job, step);
	put_user(run->user, whole, &job->verdict);
	put_id(run, job, whole);
	put_programs(run->programs, sizeof(run->programs), whole);
	names = (struct sw_job_names){
		.user = run->user, .cluster = whole->cluster,
		.name = whole->name ? whole->name : whole->program,
		.programs = run->programs,
		.step = step ? view->step_id : NULL,
		.step_program = step ? view->program : NULL,
	};
	sw_job_group_find(&run->group, rules, &names);
	run->row.cluster = whole->cluster;
	run->row.job = run->job;
	run->row.step = step && view->step_id ? view->step_id : "";
	run->row.user = run->user;
	run->row.name = names.name;
	run->row.programs = names.programs;
	run->row.step_program = names.step_program;
	run->row.group = run->group.group;
	run->row.label = run->group.label;
	run->row.source = SW_HISTORY_PROFILE;
	run->row.restart = (unsigned)
		sw_zero_if_missing(whole->job.restart_count);
}

const char *sw_profile_run_refused(const struct sw_job *job)
{
	const struct sw_view *view = &job->total;

	if (view->state == SW_STATE_UNKNOWN &&
	    sw_zero_if_missing(view->memory.oom_kills) == 0)
		return "the recording has no end: the job is still running, or "
		       "its recorder was lost";
	if (sw_is_missing(view->memory.need_bytes) &&
	    sw_is_missing(view->cpu.used_usec))
		return "neither memory nor CPU time was recorded";
	return NULL;
}

bool sw_profile_run_is_step(const struct sw_job *job,
			    const struct sw_job_step *step)
{
	const char *id = step->view.step_id;

	/* A job of LSF has no steps: it is the whole recording. */
	return !sw_job_is_plain(job) && id && *id &&
	       strcmp(id, "extern") != 0 && strcmp(id, "run") != 0;
}
