/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node's recorder: samples, and checks for events without a message. */
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/daemon/node_internal.h"
#include "recorder/jobs/verify.h"
#include "recorder/log/node_log.h"
#include "recorder/programs/programs.h"
#include "recorder/stacks/capture.h"
#include "recorder/tables/self.h"

/* A message of an exiting slurmstepd may still be on its way. */
#define GRACE_USEC SW_USEC_PER_SEC
/* Interval of these checks */
#define ROUND_USEC SW_USEC_PER_SEC
/* CPU time used for starting up does not count, for at least this long. */
#define START_USEC (10 * SW_USEC_PER_SEC)
/* A fifth of the CPU limit */
enum { STACKS_PERMILLE = 2 };
/* A recorder that ran this long is not considered to crash at start. */
#define PROOF_USEC (3600 * SW_USEC_PER_SEC)

/*
 * Return when to sample a step: when it is due, or when the CPU limit allows
 * it.  The first sample of a step is never postponed: its counters begin there.
 */
static uint64_t due_usec(const struct sw_node *node,
			 const struct sw_node_step *step)
{
	if (!step->last_usec || step->next_usec >= node->place.resume_usec)
		return step->next_usec;
	return node->place.resume_usec;
}

static struct sw_node_step *find_due(const struct sw_node *node, uint64_t now,
				     struct sw_node_job **of)
{
	struct sw_node_step *step;
	struct sw_node_job *job;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			*of = job;
			if (due_usec(node, step) <= now)
				return step;
		}
	}
	return NULL;
}

/* Sample less often if the recorder exceeds its CPU limit. */
static void keep_to_limit(struct sw_node *node, uint64_t now)
{
	const uint64_t *number = node->settings.number;
	uint64_t cpu_usec = sw_self_cpu_usec();

	/* Reading stacks must not delay samples: count it when repaid. */
	cpu_usec = sw_excess_u64(cpu_usec, sw_capture_owed_usec(now));
	if (now - node->start_usec < START_USEC ||
	    sw_programs_are_preparing()) {
		sw_capture_set_rate(number[SW_KEY_CPU_LIMIT_PERCENT] *
				    STACKS_PERMILLE);
		sw_cpu_budget_start(&node->budget,
				    number[SW_KEY_CPU_LIMIT_PERCENT], now,
				    cpu_usec);
		return;
	}
	node->place.resume_usec =
		sw_cpu_budget_count(&node->budget, now, cpu_usec);
}

void sw_node_sample_due(struct sw_node *node)
{
	uint64_t now = sw_clock_boottime_usec();
	struct sw_sampler_self *self = &node->place.self;
	struct sw_node_step *step;
	struct sw_node_job *job;

	sw_programs_expire();
	/* Steps that are due at the same time share the cost of a round. */
	while ((step = find_due(node, now, &job))) {
		bool is_put_off = due_usec(node, step) > step->next_usec;

		self->late_usec = sw_excess_u64(now, step->next_usec);
		self->cpu_before_usec = job->cpu_before_usec;
		/* Record the recorder's own cost once in each profile. */
		sw_node_guard_enter(&node->guard, job->id.job_id);
		sw_node_step_sample(step, step->next ? NULL : self,
				    is_put_off);
		if (node->place.topology)
			sw_topology_offer(node->place.topology,
					  &job->has_topology, job->writer);
		sw_node_guard_leave(&node->guard);
		/* A hook waits for one sample at most. */
		sw_node_receive_all(node);
	}
	keep_to_limit(node, sw_clock_boottime_usec());
}

/* End a step whose slurmstepd has exited without a message. */
static void end_if_lost(struct sw_node *node, struct sw_node_job *job,
			struct sw_node_step *step, uint64_t now)
{
	if (!step->stepd_gone_usec &&
	    !sw_node_is_stepd(node->place.proc_fd, &step->id))
		step->stepd_gone_usec = now;
	if (!step->stepd_gone_usec ||
	    sw_excess_u64(now, step->stepd_gone_usec) < GRACE_USEC)
		return;
	sw_node_forget(node, &step->id);
	sw_node_job_end_step(job, step, &node->place, NULL, "lost");
}

/* Find the job to blame if memory runs out. */
static void weigh_jobs(struct sw_node *node)
{
	const struct sw_node_job *job, *heaviest = node->jobs;

	for (job = node->jobs; job; job = job->next) {
		if (job->memory->used > heaviest->memory->used)
			heaviest = job;
	}
	sw_node_guard_weigh(&node->guard,
			    heaviest ? heaviest->id.job_id : 0);
}

void sw_node_write_counts(struct sw_node *node, bool is_end)
{
	if (node->deliveries)
		sw_node_counts_removed(
			&node->counts, sw_deliveries_removed(node->deliveries));
	sw_node_counts_write(&node->counts, is_end);
}

void sw_node_check_all(struct sw_node *node)
{
	uint64_t now = sw_clock_boottime_usec();
	struct sw_node_job *job, *next_job;
	struct sw_node_step *step, *next;

	if (now < node->round_usec)
		return;
	node->round_usec = now + ROUND_USEC;
	sw_node_write_counts(node, false);
	weigh_jobs(node);
	if (now - node->start_usec > PROOF_USEC)
		sw_node_guard_forgive(&node->guard);
	for (job = node->jobs; job; job = next_job) {
		next_job = job->next;
		for (step = job->steps; step; step = next) {
			next = step->next;
			end_if_lost(node, job, step, now);
		}
		sw_node_job_pay_spool(job);
		if (sw_node_job_is_over(job, &node->place, now))
			sw_node_finish_job(node, job);
	}
	if (!sw_node_socket_is_there(&node->socket,
				     node->options->socket_path)) {
		sw_node_log("%s no longer belongs to this recorder, which ends",
			    node->options->socket_path);
		node->is_ending = true;
	}
	if (access(node->options->off_path, F_OK) == 0) {
		sw_node_log("%s exists, so the recorder ends",
			    node->options->off_path);
		node->is_ending = true;
	}
}

void sw_node_finish_jobs(struct sw_node *node)
{
	struct sw_node_job *job, *next;

	for (job = node->jobs; job; job = next) {
		next = job->next;
		if (job->is_over && !job->steps)
			sw_node_finish_job(node, job);
	}
}

uint64_t sw_node_next_due(const struct sw_node *node)
{
	uint64_t due = node->round_usec;
	const struct sw_node_step *step;
	const struct sw_node_job *job;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			due = sw_min_u64(due, due_usec(node, step));
		}
	}
	return due;
}
