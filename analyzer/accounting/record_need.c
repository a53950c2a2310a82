/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimate the memory need of a job from samples of its steps. */
#include "analyzer/accounting/record_need.h"

#include <math.h>
#include <string.h>

#include "analyzer/accounting/node_names.h"
#include "common/units.h"

enum {
	/* Jobs with more steps are treated as if all ran at the same time. */
	COMPARED_MAX = 2000,
	/*
	 * Slurm may record the end of a step after its srun has ended and the
	 * script started the next one: chosen by hand.
	 */
	END_SLACK_SECONDS = 2,
};

static bool is_extern(const struct sw_step_record *step)
{
	return !strcmp(step->id.step, "extern");
}

/* The batch script, or salloc's shell, is one task, whatever its CPUs. */
static bool is_one_task(const struct sw_step_record *step)
{
	static const char *const names[] = { "batch", "interactive" };
	size_t length = strcspn(step->id.step, "+"), i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == length &&
		    !strncmp(step->id.step, names[i], length))
			return true;
	}
	return false;
}

/* Return the tasks on the node with most of them; NAN: unknown. */
static double tasks_on_node(const struct sw_job_record *job,
			    const struct sw_step_record *step)
{
	double nodes = sw_real_positive(step->node_count);
	double tasks = sw_real_positive(step->task_count);
	double cpus = sw_real_positive(step->allocated.cpus);

	if (is_one_task(step))
		return 1;
	if (isnan(nodes))
		nodes = fmax(1, sw_real_positive(job->node_count));
	if (tasks > 0)
		return ceil(tasks / nodes);
	if (isnan(cpus))
		cpus = sw_real_positive(job->allocated.cpus);
	return cpus <= nodes ? 1 : NAN;
}

/* 0 means that the step was not sampled. */
static struct sw_record_need need_of(const struct sw_job_record *job,
				     const struct sw_step_record *step)
{
	double rss = sw_real_positive(step->used.task_rss_bytes);
	double average = sw_real_positive(step->used.average_rss_bytes);
	double tasks = tasks_on_node(job, step);
	struct sw_record_need need = {
		.low_bytes = fmax(rss, average * tasks),
		.high_bytes = rss * tasks,
	};

	if (need.high_bytes < need.low_bytes)
		need.high_bytes = need.low_bytes;
	return need;
}

static bool is_beside(const struct sw_step_record *step,
		      const struct sw_step_record *other)
{
	/* They ran on different nodes, one each. */
	if (step->node_count == 1 && other->node_count == 1 &&
	    *step->node_list && *other->node_list &&
	    strcmp(step->node_list, other->node_list) != 0)
		return false;
	if (sw_is_missing(step->start_seconds))
		return true;
	return (sw_is_missing(other->start_seconds) ||
		other->start_seconds <= step->start_seconds) &&
	       other->end_seconds >= END_SLACK_SECONDS &&
	       other->end_seconds - END_SLACK_SECONDS > step->start_seconds;
}

/* Sum the upper ends of a step and all that ran when it began; NAN: unknown. */
static double high_beside(const struct sw_job_record *job, size_t which)
{
	const struct sw_step_record *step = &job->steps[which];
	double sum = need_of(job, step).high_bytes;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		const struct sw_step_record *other = &job->steps[i];

		if (i != which && !is_extern(other) &&
		    sw_real_positive(other->used.task_rss_bytes) > 0 &&
		    (job->step_count > COMPARED_MAX || is_beside(step, other)))
			sum += need_of(job, other).high_bytes;
	}
	return sum;
}

/* Estimate from a job without steps: some exports have one line per job. */
static struct sw_record_need need_of_line(const struct sw_job_record *job)
{
	const struct sw_step_record as_step = {
		.node_count = job->node_count,
		.task_count = job->task_count,
		.allocated = job->allocated,
		.used = job->used,
	};

	return need_of(job, &as_step);
}

/* Did no earlier step run on the same nodes? */
static bool has_new_nodes(const struct sw_job_record *job, size_t which)
{
	size_t i;

	for (i = 0; i < which; i++) {
		if (!is_extern(&job->steps[i]) &&
		    !strcmp(job->steps[i].node_list,
			    job->steps[which].node_list))
			return false;
	}
	return true;
}

/* With pam_slurm_adopt, processes started by ssh are in the extern step. */
static bool is_adopted(const struct sw_step_record *step)
{
	return is_extern(step) && step->used.cpu_usec >= SW_USEC_PER_SEC &&
	       !sw_is_missing(step->used.cpu_usec);
}

/* Add a step's nodes; *unnamed counts those of lists that cannot be read. */
static void add_nodes(struct sw_node_names *names, double *unnamed,
		      const struct sw_step_record *step)
{
	if (sw_node_names_unfold(names, step->node_list,
				 SW_NODE_LIST_MAX) < 0)
		*unnamed += (double)sw_zero_if_missing(step->node_count);
	/* Steps are many: keep no more names than the job has nodes. */
	sw_node_names_sort(names);
}

/*
 * Return the number of nodes on which a step ran, by the names of nodes.  Lists
 * that cannot be read are assumed to be disjoint, so that less is reported.
 */
static double nodes_seen(const struct sw_job_record *job)
{
	struct sw_node_names names = { NULL, 0 };
	double unnamed = 0;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		if (!is_extern(&job->steps[i]) && has_new_nodes(job, i))
			add_nodes(&names, &unnamed, &job->steps[i]);
	}
	unnamed += (double)names.count;
	sw_node_names_fini(&names);
	return unnamed;
}

/* Did a step run on all nodes, or may processes have run anywhere? */
static bool is_seen_whole(const struct sw_job_record *job, double nodes)
{
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		const struct sw_step_record *step = &job->steps[i];

		if (is_adopted(step) ||
		    (!is_extern(step) &&
		     sw_real_positive(step->node_count) >= nodes))
			return true;
	}
	return false;
}

double sw_record_accounted_ratio(const struct sw_job_record *job)
{
	double nodes = sw_real_positive(job->node_count), seen;

	if (!(nodes > 1) || job->step_count > COMPARED_MAX ||
	    is_seen_whole(job, nodes))
		return 1;
	seen = nodes_seen(job);
	return seen > 0 && seen < nodes ? seen / nodes : 1;
}

struct sw_record_need sw_record_need(const struct sw_job_record *job)
{
	struct sw_record_need need = { .low_bytes = NAN, .high_bytes = NAN };
	double accounted = sw_record_accounted_ratio(job);
	bool is_unknown = false;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		const struct sw_step_record *step = &job->steps[i];
		double low = need_of(job, step).low_bytes, high;

		if (is_extern(step) || isnan(low))
			continue;
		need.low_bytes = fmax(need.low_bytes, low);
		if (job->step_count > COMPARED_MAX && need.high_bytes > 0)
			continue;
		high = high_beside(job, i);
		is_unknown |= isnan(high);
		need.high_bytes = fmax(need.high_bytes, high);
	}
	if (is_unknown || accounted < 1)
		need.high_bytes = NAN;
	if (isnan(need.low_bytes))
		need = need_of_line(job);
	need.accounted_ratio = accounted;
	return need;
}
