/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sample a running step, and end it. */
#include "recorder/jobs/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/recorder_keys.h"
#include "common/units.h"
#include "recorder/jobs/summary_rows.h"
#include "recorder/jobs/tasks.h"
#include "recorder/processes/tree.h"
#include "recorder/processes/visits.h"
#include "recorder/sampler/period.h"
#include "recorder/tables/summary.h"

/* Steps that are due this soon after another are sampled with it. */
#define TOGETHER_USEC 2000

static uint64_t period_of(const struct sw_node_step *step, uint64_t now)
{
	if (!sw_is_missing(step->period_usec))
		return step->period_usec;
	return sw_period_at(sw_excess_u64(now, step->start_usec));
}

/* Put all steps of a period on one grid, so that a single wake-up serves
 * them. */
static void schedule(struct sw_node_step *step, uint64_t now)
{
	uint64_t period = period_of(step, now);

	if (step->last_usec)
		step->lost_samples += sw_excess_u64(now, step->next_usec) /
				    period;
	step->next_usec = (now + TOGETHER_USEC) / period * period + period;
}

/* Compare with the promised period, whatever delayed the recorder. */
static void note_gap(struct sw_node_step *step, uint64_t now)
{
	uint64_t gap = sw_excess_u64(now, step->last_usec);
	const char *limit = sw_recorder_keys[SW_KEY_CPU_LIMIT_PERCENT].name;

	if (step->last_usec && gap > 2 * period_of(step, step->last_usec))
		sw_events_add(&step->events, &(struct sw_event){
			.kind = "gap", .value = gap,
			.detail = step->is_put_off ? limit : NULL });
	step->is_put_off = false;
}

void sw_node_step_sample(struct sw_node_step *step,
			 const struct sw_sampler_self *self, bool is_put_off)
{
	uint64_t now = sw_clock_boottime_usec();

	step->is_put_off = is_put_off;
	schedule(step, now);
	if (!step->sampler)
		return;
	note_gap(step, now);
	step->last_usec = now;
	if (sw_watch_is_asked(&step->watch))
		sw_node_step_check(step);
	sw_sampler_take(step->sampler, self, false);
	if (step->programs) {
		sw_programs_drain(step->programs, now);
		sw_programs_write(step->programs, step->writer, now, false);
	}
	sw_node_summary_watch(step);
}

void sw_node_step_check(struct sw_node_step *step)
{
	bool has_bpf = step->programs &&
		       !strcmp(sw_programs_source(step->programs), "bpf");

	sw_watch_check(&step->watch, has_bpf ? NULL : step->target.tree,
		       &step->events);
}

/* The end of a task has its pid in its own pid namespace. */
static struct sw_message_task as_begun(const struct sw_node_step *step,
				       const struct sw_message_task *task)
{
	struct sw_message_task begun = *task;
	uint32_t i;

	for (i = 0; i < step->task_count; i++) {
		if (step->tasks[i].rank == task->rank)
			begun.pid = step->tasks[i].pid;
	}
	return begun;
}

void sw_node_step_task_end(struct sw_node_step *step,
			   const struct sw_message_task *task, int wait_status,
			   const struct sw_final_values *final_values,
			   const char *final_source)
{
	const struct sw_message_task begun = as_begun(step, task);

	if (wait_status > step->wait_status)
		step->wait_status = wait_status;
	step->ended_tasks++;
	sw_task_write(&(struct sw_task_row){
		.step = step->target.step,
		.task = &begun,
		.start_usec = step->start_usec,
		.end_usec = final_values->time_usec,
		.wait_status = (uint64_t)(uint32_t)wait_status,
		.final_values = final_values,
		.final_source = final_source,
	}, step->writer, sw_clock_boottime_usec());
}

/* Use the plugin's values if the recorder was too late. */
static void put_finals(struct sw_node_step *step,
		       const struct sw_final_values *final_values)
{
	const struct sw_sampler_value cpu[] = {
		{ "usage_usec", final_values->usage_usec },
		{ "user_usec", final_values->user_usec },
		{ "system_usec", final_values->system_usec },
	};
	const struct sw_sampler_value memory[] = {
		{ "memory.peak", final_values->memory_peak_bytes },
		{ "events.max", final_values->events_max },
		{ "events.oom", final_values->events_oom },
		{ "events.oom_kill", final_values->events_oom_kill },
	};

	if (!sw_is_missing(final_values->usage_usec))
		sw_sampler_put(step->sampler, "cpu", cpu,
			       sizeof(cpu) / sizeof(cpu[0]));
	if (!sw_is_missing(final_values->memory_peak_bytes))
		sw_sampler_put(step->sampler, "memory", memory,
			       sizeof(memory) / sizeof(memory[0]));
}

static void take_last_sample(struct sw_node_step *step,
			     const struct sw_node_place *place,
			     const struct sw_sampler_self *self,
			     const struct sw_final_values *final_values)
{
	uint64_t now = sw_clock_boottime_usec();

	if (!step->sampler)
		return;
	step->is_put_off = step->next_usec < place->resume_usec &&
			   step->next_usec < now;
	note_gap(step, now);
	step->last_usec = now;
	if (step->programs)
		sw_programs_settle(step->programs);
	sw_programs_expire();
	sw_node_step_check(step);
	sw_sampler_take(step->sampler, self, true);
	if (step->programs) {
		sw_programs_drain(step->programs, now);
		sw_programs_write(step->programs, step->writer, now, true);
	}
	if (final_values)
		put_finals(step, final_values);
	sw_node_summary_watch(step);
}

int sw_node_step_status(int wait_status, uint32_t told_tasks,
			uint32_t ended_tasks)
{
	/* A single failure is sufficient; success requires all tasks. */
	return wait_status == 0 && ended_tasks < told_tasks ? -1 : wait_status;
}

/* Return the end time; without the hook's, the last sample is the best
 * estimate. */
static uint64_t end_usec(const struct sw_node_step *step,
			 const struct sw_final_values *final_values)
{
	if (final_values)
		return final_values->time_usec;
	return !step->sampler && step->earlier_usec ? step->earlier_usec :
						sw_clock_boottime_usec();
}

void sw_node_step_end(struct sw_node_step *step,
		      const struct sw_node_place *place,
		      const struct sw_sampler_self *self, bool is_last,
		      const struct sw_final_values *final_values,
		      const char *final_source)
{
	struct sw_summary summary = {
		.step = step->target.step,
		.end_usec = end_usec(step, final_values),
		.wait_status = sw_node_step_status(
			step->wait_status, step->told_tasks, step->ended_tasks),
		.final_source = final_source,
		.lost_samples = step->lost_samples,
		.cpu_before_usec = self->cpu_before_usec,
		.proc_fd = place->proc_fd,
		.restart_count = sw_message_number(step->id.restart_count),
		.sluid = step->id.sluid[0] ? step->id.sluid : NULL,
		.job_start_seconds = step->id.job_start_seconds,
		.job_limit_seconds = step->id.job_limit_seconds,
	};

	take_last_sample(step, place, is_last ? self : NULL, final_values);
	summary.samples = sw_node_summary_samples(step);
	/* The extern step has no tasks that could fail. */
	if (summary.wait_status < 0 && final_values && step->told_tasks == 0 &&
	    step->id.step_id == SW_STEP_EXTERN)
		summary.wait_status = 0;
	step->wait_status = summary.wait_status;
	sw_summary_write(&summary, step->writer);
	sw_node_summary_step(step, place, summary.end_usec, final_source);
	sw_node_step_forget(step);
}

void sw_node_step_forget(struct sw_node_step *step)
{
	sw_watch_close(&step->watch);
	sw_sampler_destroy(step->sampler);
	sw_programs_destroy(step->programs);
	sw_tree_destroy(step->target.tree);
	if (step->target.cgroup_fd >= 0)
		close(step->target.cgroup_fd);
	sw_cgroup_v1_close(&step->v1);
	if (step->job.cgroup_fd >= 0)
		close(step->job.cgroup_fd);
	sw_cgroup_v1_close(&step->job.v1);
	if (step->stepd_fd >= 0)
		close(step->stepd_fd);
	free(step->tasks);
	free(step->target_tasks);
	sw_share_give(step->share, step->share_bytes);
	free(step);
}

bool sw_node_is_same_stepd(uint32_t pid, uint64_t start_ticks,
			   const struct sw_message_step *id)
{
	return start_ticks == id->stepd_start_ticks &&
	       (start_ticks || pid == id->stepd_pid);
}

bool sw_node_step_is(const struct sw_node_step *step,
		     const struct sw_message_step *id)
{
	return step->id.job_id == id->job_id &&
	       step->id.step_id == id->step_id &&
	       sw_node_is_same_stepd(step->id.stepd_pid,
				     step->id.stepd_start_ticks, id);
}
