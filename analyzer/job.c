/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job from the profiles of its nodes. */
#include "analyzer/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view_sum.h"
#include "common/escape.h"

static const char *id_of(const struct sw_view *view)
{
	return view->step_id ? view->step_id : "";
}

/* The cgroups of these hold the others' request, or nothing of their own. */
static bool is_around_others(const struct sw_view *view)
{
	const char *id = id_of(view);

	return !strcmp(id, "batch") || !strcmp(id, "interactive") ||
	       !strcmp(id, "extern");
}

static int compare_steps(const void *a, const void *b)
{
	const struct sw_view *one = a, *two = b;
	int order = sw_stepid_compare(id_of(one), id_of(two));

	if (order)
		return order;
	return one->step_key < two->step_key ? -1 :
					       one->step_key > two->step_key;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct sw_node *one = a, *two = b;
	const char *name_one = one->total.node ? one->total.node : "";
	const char *name_two = two->total.node ? two->total.node : "";
	int order = strcmp(name_one, name_two);

	return order ? order : strcmp(one->path, two->path);
}

static int read_steps(struct sw_node *node, const char *step,
		      struct sw_error *error)
{
	size_t i, count;
	uint64_t *keys;
	int rc = 0;

	if (sw_view_steps(node->reader, &keys, &count, error) < 0)
		return -1;
	node->steps = calloc(count, sizeof(*node->steps));
	if (!node->steps)
		rc = sw_error_set(error, "not enough memory for the report");
	for (i = 0; rc == 0 && i < count; i++) {
		struct sw_view *view = &node->steps[node->step_count];

		rc = sw_view_init(view, node->reader, keys[i], error);
		if (rc < 0)
			break;
		view->shares_request = count > 1 && is_around_others(view);
		if (step && strcmp(step, id_of(view)) != 0)
			sw_view_fini(view);
		else
			node->step_count++;
	}
	free(keys);
	if (rc == 0 && node->step_count)
		qsort(node->steps, node->step_count, sizeof(*node->steps),
		      compare_steps);
	return rc;
}

static int sum_steps(struct sw_node *node, bool is_all,
		     struct sw_error *error)
{
	const struct sw_view **views;
	size_t i;
	int rc;

	if (!node->step_count)
		return 0;
	views = calloc(node->step_count, sizeof(const struct sw_view *));
	if (!views)
		return sw_error_set(error, "not enough memory for the report");
	for (i = 0; i < node->step_count; i++)
		views[i] = &node->steps[i];
	rc = sw_view_sum(&node->total, views, node->step_count, SW_SUM_STEPS,
			 error);
	if (rc == 0 && is_all)
		sw_view_use_job_memory(&node->total);
	if (rc == 0 && node->step_count == 1) {
		node->total.step_key = node->steps[0].step_key;
		node->total.step_id = node->steps[0].step_id;
		node->total.pressure = node->steps[0].pressure;
		node->total.io.stalled_usec = node->steps[0].io.stalled_usec;
		node->total.shares_request = node->steps[0].shares_request;
	}
	free(views);
	return rc;
}

static void node_fini(struct sw_node *node)
{
	size_t i;

	sw_view_fini(&node->total);
	for (i = 0; i < node->step_count; i++)
		sw_view_fini(&node->steps[i]);
	free(node->steps);
	free(node->path);
	sw_reader_close(node->reader);
	memset(node, 0, sizeof(*node));
}

static int node_init(struct sw_node *node, const char *path, const char *step,
		     struct sw_error *error)
{
	memset(node, 0, sizeof(*node));
	node->path = strdup(path);
	if (!node->path)
		return sw_error_set(error, "not enough memory for the report");
	node->reader = sw_reader_open(path, error);
	if (node->reader && read_steps(node, step, error) == 0 &&
	    sum_steps(node, !step, error) == 0)
		return 0;
	node_fini(node);
	return -1;
}

static int read_nodes(struct sw_job *job, const char *const *paths,
		      size_t count, const char *step, struct sw_error *error)
{
	char shown[2 * SW_STEPID_SIZE];
	size_t i;

	job->nodes = calloc(count ? count : 1, sizeof(*job->nodes));
	if (!job->nodes)
		return sw_error_set(error, "not enough memory for the report");
	for (i = 0; i < count; i++) {
		struct sw_node *node = &job->nodes[job->node_count];

		if (node_init(node, paths[i], step, error) < 0) {
			if (job->unread_count++ == 0)
				job->unread = *error;
		} else if (node->step_count) {
			job->node_count++;
		} else {
			node_fini(node);
		}
	}
	if (job->node_count) {
		qsort(job->nodes, job->node_count, sizeof(*job->nodes),
		      compare_nodes);
		return 0;
	}
	if (job->unread_count)
		return -1;
	errno = ENOENT;
	return sw_error_set(error, "no recording has a step \"%s\"", step ?
			    sw_escape_ascii(shown, sizeof(shown), step) : "");
}

static int compare_pointers(const void *a, const void *b)
{
	const struct sw_view *const *one = a, *const *two = b;
	int order = sw_stepid_compare(id_of(*one), id_of(*two));

	if (!order)
		order = strcmp((*one)->node ? (*one)->node : "",
			       (*two)->node ? (*two)->node : "");
	return order ? order : compare_steps(*one, *two);
}

/* All nodes' views, those of one step beside each other. */
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

		for (next = i + 1; next < count && id_of(views[i])[0] &&
				   !strcmp(id_of(views[next]),
					   id_of(views[i])); next++)
			;
		rc = sw_view_sum(&step->view, views + i, next - i,
				 SW_SUM_NODES, error);
		step->on_nodes = views + i;
		step->node_count = next - i;
		job->step_count += rc == 0;
	}
	return rc;
}

static int join_nodes(struct sw_job *job, struct sw_error *error)
{
	const struct sw_view **views;
	size_t i;
	int rc;

	views = calloc(job->node_count, sizeof(const struct sw_view *));
	if (!views)
		return sw_error_set(error, "not enough memory for the report");
	job->node_expected = SW_MISSING;
	for (i = 0; i < job->node_count; i++) {
		views[i] = &job->nodes[i].total;
		/* Batch counts one node only, and can come first. */
		job->node_expected = sw_max_u64(job->node_expected,
			sw_max_u64(views[i]->slurm.job_node_count,
				   views[i]->slurm.step_node_count));
	}
	rc = sw_view_sum(&job->total, views, job->node_count, SW_SUM_NODES,
			 error);
	free(views);
	return rc;
}

int sw_job_init(struct sw_job *job, const char *const *paths, size_t count,
		const char *step, struct sw_error *error)
{
	memset(job, 0, sizeof(*job));
	job->is_one_step = step != NULL;
	if (read_nodes(job, paths, count, step, error) < 0 ||
	    join_steps(job, error) < 0 || join_nodes(job, error) < 0)
		return -1;
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
		node_fini(&job->nodes[i]);
	free(job->steps);
	free(job->views);
	free(job->nodes);
	memset(job, 0, sizeof(*job));
}

bool sw_job_is_plain(const struct sw_job *job)
{
	return job->node_count == 1 && job->nodes[0].step_count == 1 &&
	       !job->nodes[0].steps[0].slurm.is_slurm;
}

bool sw_job_is_partial(const struct sw_job *job)
{
	const struct sw_reader_health *health;
	size_t i;

	for (i = 0; i < job->node_count; i++) {
		health = sw_reader_health(job->nodes[i].reader);
		if (health->frames_damaged || health->frames_missing)
			return true;
	}
	return job->unread_count > 0;
}

struct sw_jobid sw_job_id(const struct sw_view *view)
{
	const struct sw_view_slurm *slurm = &view->slurm;
	struct sw_jobid id = {
		.job = view->job_id,
		.array_task = SW_MISSING, .het_component = SW_MISSING,
	};

	if (!sw_is_missing(slurm->array_job_id) &&
	    !sw_is_missing(slurm->array_task_id)) {
		id.job = slurm->array_job_id;
		id.array_task = slurm->array_task_id;
	} else if (!sw_is_missing(slurm->het_job_id) &&
		   !sw_is_missing(slurm->het_component)) {
		id.job = slurm->het_job_id;
		id.het_component = slurm->het_component;
	}
	return id;
}

static int compare_tasks(const void *a, const void *b)
{
	const struct sw_job_task *one = a, *two = b;

	if (one->task->rank != two->task->rank)
		return one->task->rank < two->task->rank ? -1 : 1;
	return one->task < two->task ? -1 : one->task > two->task;
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
