/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make a job from the profiles of its nodes. */
#include "analyzer/job/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/job_node.h"
#include "analyzer/job/script_steps.h"
#include "analyzer/job/view_sum.h"
#include "common/delta.h"
#include "common/escape.h"

/* Limit for all files of one job, which are in memory together. */
#define VALUES_BYTES_MAX ((size_t)1 << 32)

static uint64_t component_of(const struct sw_node *node)
{
	return node->steps[0].job.het_component;
}

/* Add to the node that it belongs to, or as a new one. */
static int place_node(struct sw_job *job, struct sw_node *node)
{
	size_t i;

	for (i = 0; sw_node_name(node)[0] && node->steps[0].slurm.is_slurm &&
	     i < job->node_count; i++) {
		if (!strcmp(sw_node_name(&job->nodes[i]), sw_node_name(node)) &&
		    component_of(&job->nodes[i]) == component_of(node))
			return sw_node_join(&job->nodes[i], node);
	}
	job->nodes[job->node_count++] = *node;
	memset(node, 0, sizeof(*node));
	return 0;
}

/* The trust in a job is the least of its files'. */
static void note(struct sw_job *job, const struct sw_node_open *open)
{
	if (open->verdict.trust > job->verdict.trust ||
	    sw_is_missing(job->verdict.owner))
		job->verdict = open->verdict;
	job->lacks_series |= open->lacks_series;
}

static int read_node(struct sw_job *job, const struct sw_job_files *files,
		     size_t at, size_t *values_left, struct sw_error *error)
{
	struct sw_node_open open = {
		.files = files, .values_max_bytes = *values_left,
	};
	struct sw_node node;
	size_t held;
	int rc = 0;

	if (sw_node_init(&node, files->paths[at], &open, error) < 0) {
		if (job->unread_count++ == 0)
			job->unread = *error;
		return 0;
	}
	held = sw_reader_held_bytes(node.files[0].reader);
	/* 0 would mean no limit. */
	*values_left = held < *values_left ? *values_left - held : 1;
	note(job, &open);
	/* Also for a node without the selected step. */
	rc = sw_spans_add_all(&job->worked, &node.worked, 0);
	sw_spans_fini(&node.worked);
	if (rc == 0 && node.step_count)
		rc = place_node(job, &node);
	if (rc < 0)
		sw_error_set(error, "not enough memory for the report");
	/* Empty if it was moved. */
	sw_node_fini(&node);
	return rc;
}

static int read_nodes(struct sw_job *job, const struct sw_job_files *files,
		      struct sw_error *error)
{
	size_t left = files->values_max_bytes ? files->values_max_bytes :
						VALUES_BYTES_MAX;
	const char *step = files->step;
	char shown[2 * SW_STEPID_SIZE];
	size_t i;

	job->nodes = calloc(files->count ? files->count : 1,
			    sizeof(*job->nodes));
	if (!job->nodes)
		return sw_error_set(error, "not enough memory for the report");
	for (i = 0; i < files->count; i++) {
		if (read_node(job, files, i, &left, error) < 0)
			return -1;
	}
	sw_spans_join(&job->worked);
	sw_job_mark_script_steps(job);
	for (i = 0; i < job->node_count; i++) {
		if (sw_node_know_worked(&job->nodes[i], &job->worked) < 0)
			return sw_error_set(error, "not enough memory for the "
					    "report");
		if (sw_node_sum(&job->nodes[i], !step, error) < 0)
			return -1;
	}
	if (job->node_count) {
		qsort(job->nodes, job->node_count, sizeof(*job->nodes),
		      sw_node_compare);
		return 0;
	}
	if (job->unread_count) {
		*error = job->unread;
		return -1;
	}
	errno = ENOENT;
	return sw_error_set(error, "no recording has a step \"%s\"", step ?
			    sw_escape_ascii(shown, sizeof(shown), step) : "");
}

static int compare_pointers(const void *a, const void *b)
{
	const struct sw_view *const *one = a, *const *two = b;
	int order = sw_stepid_compare(sw_text((*one)->step_id),
				      sw_text((*two)->step_id));

	if (!order)
		order = strcmp(sw_text((*one)->node), sw_text((*two)->node));
	return order ? order : sw_node_compare_steps(*one, *two);
}

/* Collect the views of all nodes, sorted by step. */
static const struct sw_view **gather(const struct sw_job *job, size_t *count)
{
	const struct sw_view **views;
	size_t i, j;

	for (*count = 0, i = 0; i < job->node_count; i++)
		*count += job->nodes[i].step_count;
	views = calloc(*count ? *count : 1, sizeof(const struct sw_view *));
	if (!views)
		return NULL;
	for (*count = 0, i = 0; i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].step_count; j++)
			views[(*count)++] = &job->nodes[i].steps[j];
	}
	qsort(views, *count, sizeof(*views), compare_pointers);
	return views;
}

static int join_steps(struct sw_job *job, struct sw_error *error)
{
	size_t count, i, next;
	const struct sw_view **views;
	int rc = 0;

	views = job->views = gather(job, &count);
	job->steps = calloc(count ? count : 1, sizeof(*job->steps));
	if (!views || !job->steps)
		return sw_error_set(error, "not enough memory for the report");
	for (i = 0; rc == 0 && i < count; i = next) {
		struct sw_job_step *step = &job->steps[job->step_count];
		const char *id = sw_text(views[i]->step_id);

		for (next = i + 1; next < count && *id &&
		     !strcmp(sw_text(views[next]->step_id), id); next++)
			;
		rc = sw_view_sum(&step->view, views + i, next - i,
				 SW_SUM_NODES, error);
		step->on_nodes = views + i;
		step->node_count = next - i;
		job->step_count += rc == 0;
	}
	return rc;
}

/* Nodes of the component, for its first node; 0 for the others. */
static uint64_t expected_of(const struct sw_job *job, size_t first)
{
	uint64_t expected = SW_MISSING;
	size_t i;

	for (i = 0; i < job->node_count; i++) {
		const struct sw_view_slurm *slurm = &job->nodes[i].total.slurm;

		if (component_of(&job->nodes[i]) !=
		    component_of(&job->nodes[first]))
			continue;
		if (i < first)
			return 0;
		/* Batch counts only one node, and may come first. */
		expected = sw_max_u64(expected,
				      sw_max_u64(slurm->job_node_count,
						 slurm->step_node_count));
	}
	return expected;
}

static void count_nodes(struct sw_job *job)
{
	size_t i;

	job->node_expected = 0;
	for (i = 0; i < job->node_count; i++) {
		uint64_t expected = expected_of(job, i);

		job->component_count += expected != 0;
		job->node_expected = sw_add_u64(job->node_expected, expected);
	}
}

static int join_nodes(struct sw_job *job, struct sw_error *error)
{
	const struct sw_view **views;
	struct sw_job_key *key = &job->total.job;
	size_t i;
	int rc;

	views = calloc(job->node_count, sizeof(const struct sw_view *));
	if (!views)
		return sw_error_set(error, "not enough memory for the report");
	count_nodes(job);
	for (i = 0; i < job->node_count; i++)
		views[i] = &job->nodes[i].total;
	rc = sw_view_sum(&job->total, views, job->node_count, SW_SUM_NODES,
			 error);
	free(views);
	if (job->component_count > 1) {
		key->job_id = key->het_job_id;
		key->het_job_id = key->het_component = SW_MISSING;
	}
	return rc;
}

int sw_job_read(struct sw_job *job, const struct sw_job_files *files,
		struct sw_error *error)
{
	const char *step = files->step;

	memset(job, 0, sizeof(*job));
	job->verdict.owner = SW_MISSING;
	job->is_one_step = step != NULL;
	if (read_nodes(job, files, error) < 0 ||
	    join_steps(job, error) < 0 || join_nodes(job, error) < 0)
		return -1;
	sw_job_count_script_steps(job);
	if (step && job->step_count)
		job->node_expected =
			job->steps[0].view.slurm.step_node_count;
	return 0;
}

void sw_job_fini(struct sw_job *job)
{
	size_t i;

	sw_view_fini(&job->total);
	for (i = 0; i < job->step_count; i++)
		sw_view_fini(&job->steps[i].view);
	for (i = 0; i < job->node_count; i++)
		sw_node_fini(&job->nodes[i]);
	sw_spans_fini(&job->worked);
	free(job->steps);
	free(job->views);
	free(job->nodes);
	memset(job, 0, sizeof(*job));
}

bool sw_job_is_plain(const struct sw_job *job)
{
	return job->node_count == 1 && job->nodes[0].step_count == 1 &&
	       !job->nodes[0].steps[0].slurm.is_slurm &&
	       sw_is_missing(job->nodes[0].steps[0].job.job_id);
}

const struct sw_node_file *sw_job_find_damaged(const struct sw_job *job)
{
	const struct sw_reader_health *health;
	size_t i, j;

	for (i = 0; i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		for (j = 0; j < node->file_count; j++) {
			health = sw_reader_health(node->files[j].reader);
			if (health->frames_damaged || health->frames_missing)
				return &node->files[j];
		}
	}
	return NULL;
}

size_t sw_job_left_out(const struct sw_job *job)
{
	size_t i, count = 0;

	for (i = 0; i < job->node_count; i++)
		count += job->nodes[i].left_out;
	return count;
}

bool sw_job_is_partial(const struct sw_job *job)
{
	return sw_job_find_damaged(job) || job->unread_count > 0 ||
	       sw_job_left_out(job) > 0;
}

void sw_job_point_to_past(struct sw_job *job, const struct sw_view_past *past)
{
	size_t i, j;

	job->total.past = past;
	for (i = 0; i < job->node_count; i++) {
		job->nodes[i].total.past = past;
		for (j = 0; j < job->nodes[i].step_count; j++)
			job->nodes[i].steps[j].past = past;
	}
}

static int compare_tasks(const void *a, const void *b)
{
	const struct sw_job_task *one = a, *two = b;
	int order;

	if (one->task->rank != two->task->rank)
		return one->task->rank < two->task->rank ? -1 : 1;
	/* Two files of a node may both have it; by address, order would vary. */
	order = strcmp(sw_text(one->step->node), sw_text(two->step->node));
	return order ? order : sw_node_compare_steps(one->step, two->step);
}

struct sw_job_task *sw_job_tasks(const struct sw_job_step *step,
				 size_t *count)
{
	struct sw_job_task *tasks = NULL;
	size_t i, j, used = 0;

	for (*count = 0, i = 0; i < step->node_count; i++)
		*count += step->on_nodes[i]->task_count;
	if (*count)
		tasks = calloc(*count, sizeof(*tasks));
	for (i = 0; tasks && i < step->node_count; i++) {
		for (j = 0; j < step->on_nodes[i]->task_count; j++)
			tasks[used++] = (struct sw_job_task){
				step->on_nodes[i],
				&step->on_nodes[i]->tasks[j],
			};
	}
	if (tasks)
		qsort(tasks, used, sizeof(*tasks), compare_tasks);
	return tasks;
}
