/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add jobs to a night; merge nights. */
#include "analyzer/sweep/night/night.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/node_names.h"
#include "analyzer/sweep/night/kind_cost.h"
#include "analyzer/sweep/night/measure.h"
#include "analyzer/sweep/night/named.h"
#include "common/units.h"

void sw_night_init(struct sw_night *night, const struct sw_settings *settings)
{
	*night = (struct sw_night){ .shard = 1, .shards = 1 };
	sw_retries_init(&night->retries, settings ?
			sw_settings_retries(settings) : NULL);
	sw_failures_init(&night->failures, settings ?
			 sw_settings_failures(settings) : NULL);
}

void sw_night_fini(struct sw_night *night)
{
	int saved = errno;

	sw_tallies_fini(&night->tallies);
	sw_tallies_fini(&night->cells);
	sw_keyed_fini(&night->names, NULL);
	sw_retries_fini(&night->retries);
	sw_failures_fini(&night->failures);
	sw_keyed_fini(&night->nodes, NULL);
	errno = saved;
}

int sw_night_add_node(struct sw_night *night, const char *name,
		      const struct sw_night_node *more)
{
	size_t size = strlen(name);
	struct sw_night_node *node =
		sw_keyed_need(&night->nodes, name, size, sizeof(*node),
			      offsetof(struct sw_night_node, name));

	if (!node)
		return -1;
	node->had_jobs |= more->had_jobs;
	node->had_summaries |= more->had_summaries;
	node->steps = sw_tally_plus(node->steps, more->steps);
	node->recorded = sw_tally_plus(node->recorded, more->recorded);
	return 0;
}

static bool is_extern(const char *step)
{
	return !strcmp(step, "extern");
}

/* Add to each node of Slurm's list, "n[1-3,7],login". */
static int add_nodes(struct sw_night *night, const char *list,
		     const struct sw_night_node *more)
{
	struct sw_node_names names = { 0 };
	size_t i;
	int rc = sw_node_names_unfold(&names, list, SW_NODE_LIST_MAX);

	for (i = 0; rc == 0 && i < names.count; i++)
		rc = sw_night_add_node(night, names.names[i], more);
	sw_node_names_fini(&names);
	/* Not a list of nodes: "None assigned". */
	return rc < 0 && errno == ENOMEM ? -1 : 0;
}

/* Count the job's steps on its nodes, and those with a summary. */
static int add_steps(struct sw_night *night, const struct sw_job_record *job,
		     const struct sw_step_summary *rows, size_t count)
{
	static const struct sw_night_node step = { .steps = 1 };
	static const struct sw_night_node recorded = { .recorded = 1 };
	int rc = 0;
	size_t i;

	for (i = 0; rc == 0 && i < job->step_count; i++) {
		if (!is_extern(job->steps[i].id.step) &&
		    job->steps[i].node_list)
			rc = add_nodes(night, job->steps[i].node_list, &step);
	}
	for (i = 0; rc == 0 && i < count; i++) {
		if (!is_extern(rows[i].step) && !rows[i].is_correction)
			rc = sw_night_add_node(night, rows[i].node, &recorded);
	}
	return rc;
}

static int add_tallies(struct sw_night *night, const struct sw_job_record *job,
		       const struct sw_measured *measured)
{
	const struct sw_tally_of_job names = {
		.cluster = job->cluster, .user = job->user,
		.account = job->account, .partition = job->partition,
		.qos = job->qos, .group = measured->group.group,
		.label = measured->group.label,
	};

	return sw_tally_cells_add(&night->cells, &names, &measured->tally);
}

/* Add what the job's steps stood still for. */
static int add_mounts(struct sw_night *night, const struct sw_job_record *job,
		      const struct sw_measured *measured,
		      const struct sw_step_summary *rows, size_t count)
{
	struct sw_tally_names names = {
		.of = SW_TALLY_GROUP_MOUNT, .cluster = job->cluster,
		.name = measured->group.group, .user = job->user,
	};
	struct sw_tally_job stall = { { 0 }, { 0 }, { false }, NULL };
	size_t i;

	for (i = 0; i < count; i++) {
		names.label = sw_measure_stall(rows, count, &rows[i]);
		if (!names.label || !*names.label)
			continue;
		stall.n[SW_TALLY_STALL_IDLE_USEC] =
			sw_whole_real(rows[i].stall_idle * SW_USEC_PER_SEC);
		if (sw_tally_add(&night->tallies, &names, &stall) < 0)
			return -1;
	}
	return 0;
}

/* Slurm's name for a batch script is less useful than the job's name. */
static bool is_script(const char *program)
{
	return !strcmp(program, "slurm_script");
}

/* Use the last row of the job with a cause of failure. */
static void put_failure(struct sw_failure_case *failure,
			const struct sw_step_summary *rows, size_t count)
{
	const struct sw_step_summary *found = NULL;
	const char *program;
	size_t i;

	for (i = 0; i < count; i++) {
		if (*sw_text(rows[i].failed_cause) &&
		    !(found && found->end > rows[i].end))
			found = &rows[i];
	}
	if (!found)
		return;
	failure->message =
		sw_failure_message(found->failed_cause);
	program = sw_text(found->failed_program);
	if (failure->message && *program && !is_script(program))
		failure->program = program;
}

int sw_night_settle(struct sw_night *night)
{
	sw_keyed_fini(&night->names, NULL);
	return sw_tallies_expand(&night->tallies, &night->cells);
}

/*
 * Slurm marks a job as failed if its script passes on the OOM of a step, and
 * does not notice every process that the kernel killed.
 */
static bool is_out_of_memory(const struct sw_job_record *job,
			     const struct sw_step_summary *rows, size_t count)
{
	size_t i;

	if (job->end.state != SW_JOB_FAILED)
		return false;
	for (i = 0; i < count; i++) {
		if (rows[i].oom_kills > 0)
			return true;
	}
	return sw_job_record_is_out_of_memory(job);
}

/* Add its failure, and its attempt. */
static int add_end(struct sw_night *night, const struct sw_job_record *job,
		   const struct sw_measured *measured,
		   const struct sw_step_summary *rows, size_t count)
{
	struct sw_failure_case failure = {
		.job = job,
		.group = measured->group.label,
	};

	if (!sw_measure_is_counted(job))
		return sw_retries_add_part(&night->retries, job);
	/* Any other end is the scheduler's. */
	if (job->end.state == SW_JOB_FAILED)
		put_failure(&failure, rows, count);
	if (sw_retries_add(&night->retries, job) < 0)
		return -1;
	return sw_failures_add(&night->failures, &failure);
}

static int add_job(struct sw_night *night, const struct sw_job_record *job,
		   const struct sw_step_summary *rows, size_t count,
		   const struct sw_group_rules *rules)
{
	static const struct sw_night_node with_job = { .had_jobs = true };
	struct sw_measured measured;

	sw_measure(&measured, job, rows, count, rules);
	if (night->kinds && sw_kind_cost_add(night->kinds, &night->tallies, job,
					 &measured) < 0)
		return -1;
	if (add_tallies(night, job, &measured) < 0 ||
	    add_mounts(night, job, &measured, rows, count) < 0 ||
	    sw_named_add(&night->names, &night->tallies, job, &measured, rows,
			 count) < 0 ||
	    add_end(night, job, &measured, rows, count) < 0)
		return -1;
	return add_nodes(night, job->node_list, &with_job) < 0 ? -1 :
	       add_steps(night, job, rows, count);
}

int sw_night_add(struct sw_night *night, const struct sw_job_record *job,
		 const struct sw_step_summary *rows, size_t count,
		 const struct sw_group_rules *rules)
{
	struct sw_job_record own = *job;

	if (sw_is_missing(job->start_seconds) || job->is_rest_of_array) {
		night->notes[SW_NIGHT_NEVER_STARTED] +=
			sw_measure_is_counted(job);
		return 0;
	}
	if (is_out_of_memory(job, rows, count))
		own.end.state = SW_JOB_OUT_OF_MEMORY;
	return add_job(night, &own, rows, count, rules);
}

static int merge_nodes(struct sw_night *night, const struct sw_night *other)
{
	size_t i;

	for (i = 0; i < other->nodes.room; i++) {
		const struct sw_night_node *node =
			(const struct sw_night_node *)other->nodes.slots[i];

		if (node && sw_night_add_node(night, node->name, node) < 0)
			return -1;
	}
	return 0;
}

int sw_night_merge(struct sw_night *night, const struct sw_night *other)
{
	size_t i;

	night->from_seconds = sw_min_u64(night->from_seconds,
					 other->from_seconds);
	if (other->until_seconds > night->until_seconds)
		night->until_seconds = other->until_seconds;
	for (i = 0; i < SW_NIGHT_NOTES; i++)
		night->notes[i] = sw_tally_plus(night->notes[i],
						other->notes[i]);
	if (sw_tallies_merge(&night->tallies, &other->tallies) < 0 ||
	    sw_named_bound(&night->tallies) < 0 ||
	    sw_retries_merge(&night->retries, &other->retries) < 0 ||
	    sw_failures_merge(&night->failures, &other->failures) < 0)
		return -1;
	return merge_nodes(night, other);
}

char *sw_night_nodes_without(const struct sw_night *night, size_t *count,
			     size_t *of)
{
	struct sw_node_names names = { 0 };
	char *folded = NULL;
	size_t i;
	int rc = 0;

	*count = *of = 0;
	for (i = 0; rc == 0 && i < night->nodes.room; i++) {
		const struct sw_night_node *node =
			(const struct sw_night_node *)night->nodes.slots[i];

		if (!node || !node->had_jobs)
			continue;
		++*of;
		if (node->had_summaries)
			continue;
		++*count;
		/* Do not fold names that no node can have. */
		rc = sw_node_names_add(&names, node->name);
		if (rc < 0 && errno != ENOMEM)
			rc = 0;
	}
	if (rc == 0)
		folded = sw_node_names_fold(&names);
	sw_node_names_fini(&names);
	return folded;
}

static uint64_t lacking(const struct sw_night_node *node)
{
	return node->steps - sw_min_u64(node->recorded, node->steps);
}

static double recorded_share(const struct sw_night_node *node)
{
	return (double)node->recorded / (double)node->steps;
}

/* Least recorded first, then most steps, then by name. */
static bool is_before(const struct sw_night_node *a,
		      const struct sw_night_node *b)
{
	double share_a = recorded_share(a), share_b = recorded_share(b);

	if (share_a < share_b || share_a > share_b)
		return share_a < share_b;
	if (a->steps != b->steps)
		return a->steps > b->steps;
	return strcmp(a->name, b->name) < 0;
}

/* Insert the node in order among the first max. */
static void put_unrecorded(const struct sw_night_node **nodes, size_t max,
			   size_t count, const struct sw_night_node *node)
{
	size_t at = count < max ? count : max, i;

	while (at > 0 && is_before(node, nodes[at - 1]))
		at--;
	if (at >= max)
		return;
	for (i = count < max ? count : max - 1; i > at; i--)
		nodes[i] = nodes[i - 1];
	nodes[at] = node;
}

size_t sw_night_unrecorded(const struct sw_night *night,
			   const struct sw_night_node **nodes, size_t max)
{
	bool has_recorded = false;
	size_t count = 0, i;

	for (i = 0; i < night->nodes.room; i++) {
		const struct sw_night_node *node =
			(const struct sw_night_node *)night->nodes.slots[i];

		if (!node)
			continue;
		has_recorded |= node->recorded > 0;
		if (lacking(node) * 2 > node->steps)
			put_unrecorded(nodes, max, count++, node);
	}
	return has_recorded ? count : 0;
}

int sw_night_total(const struct sw_night *night, uint64_t n[SW_TALLY_NUMBERS])
{
	size_t i;

	memset(n, 0, SW_TALLY_NUMBERS * sizeof(*n));
	for (i = 0; i < night->tallies.room; i++) {
		const struct sw_tally *tally =
			(const struct sw_tally *)night->tallies.slots[i];

		if (!tally || tally->of != SW_TALLY_ALL)
			continue;
		sw_tally_numbers_add(n, tally->n);
	}
	return 0;
}
