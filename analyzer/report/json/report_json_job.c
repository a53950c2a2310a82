/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: the parts that only jobs of a scheduler have. */
#include <stdlib.h>
#include <sys/wait.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/job/job_record.h"
#include "analyzer/job/spread.h"
#include "analyzer/report/json/report_json.h"
#include "common/delta.h"
#include "common/units.h"

static size_t count_files(const struct sw_job *job)
{
	size_t i, count = 0;

	for (i = 0; i < job->node_count; i++)
		count += job->nodes[i].file_count;
	return count;
}

void sw_json_job_id(struct json_object *object, const struct sw_result *result)
{
	const struct sw_job *job = result->job;
	const struct sw_view *view = result->view;
	const struct sw_view_slurm *slurm = &view->slurm;
	struct sw_jobid id = sw_job_key_id(&view->job);
	struct json_object *array;
	size_t i;

	if (!sw_is_missing(id.job))
		sw_json_text(object, "id",
			     sw_jobid_text(&id).s);
	sw_json_text(object, "sluid", slurm->sluid);
	sw_json_number(object, "node_count", job->node_expected);
	sw_json_number(object, "nodes_recorded", job->node_count);
	sw_json_number(object, "recordings", count_files(job));
	if (!job->earlier_runs)
		return;
	sw_json_number(object, "earlier_runs", job->earlier_runs);
	array = sw_json_array(object, "earlier_recordings");
	for (i = 0; i < job->earlier_count; i++)
		sw_json_text(sw_json_item(array), "path",
			     job->earlier_paths[i]);
}

void sw_json_record(struct json_object *object, const struct sw_view *view,
		    const struct sw_job *job)
{
	const struct sw_job_record *row = view->slurm.record;
	struct json_object *record;

	if (!view->slurm.is_slurm || job->record == SW_RECORD_UNASKED ||
	    (!row && job->record == SW_RECORD_FINAL))
		return;
	record = sw_json_object(object, "slurm_record");
	if (row) {
		sw_json_text(record, "state", row->end.text);
		sw_json_number(record, "exit_code",
			       sw_record_end_exit_code(&row->end));
		sw_json_number(record, "signal",
			       sw_record_end_signal(&row->end));
		sw_json_seconds(record, "elapsed_seconds",
				sw_usec_of_seconds(row->elapsed_seconds));
	} else {
		sw_json_text(record, job->record == SW_RECORD_OPEN ?
			     "state" : "because", job->record_state);
	}
}

static void add_spread(struct json_object *parent, const char *name,
		       const struct sw_job_task *tasks, size_t count,
		       enum sw_measure measure)
{
	struct sw_spread spread;
	struct json_object *object;

	if (sw_spread_of_tasks(&spread, tasks, count, measure) < 0 ||
	    spread.count < 2)
		return;
	object = sw_json_object(parent, name);
	if (measure == SW_CPU_USED) {
		sw_json_seconds(object, "min", spread.min);
		sw_json_seconds(object, "median", spread.median);
		sw_json_seconds(object, "max", spread.max);
	} else {
		sw_json_number(object, "min", spread.min);
		sw_json_number(object, "median", spread.median);
		sw_json_number(object, "max", spread.max);
	}
	sw_json_number(object, "min_rank", tasks[spread.min_at].task->rank);
	sw_json_text(object, "min_node", tasks[spread.min_at].step->node);
	sw_json_number(object, "max_rank", tasks[spread.max_at].task->rank);
	sw_json_text(object, "max_node", tasks[spread.max_at].step->node);
}

static void add_balance(struct json_object *item,
			const struct sw_job_step *step)
{
	struct json_object *object;
	struct sw_job_task *tasks;
	size_t count;

	tasks = sw_job_tasks(step, &count);
	if (tasks && count > 1) {
		object = sw_json_object(item, "balance");
		add_spread(object, "used_core_seconds", tasks, count,
			   SW_CPU_USED);
		add_spread(object, "peak_bytes", tasks, count,
			   SW_MEMORY_PEAK);
	}
	free(tasks);
}

static void add_step(struct json_object *array,
		     const struct sw_job_step *step,
		     const struct sw_result *result)
{
	const struct sw_view *view = &step->view;
	struct json_object *item = sw_json_item(array);

	sw_json_text(item, "id", view->step_id);
	sw_json_seconds(item, "start", view->start_realtime_usec);
	sw_json_seconds(item, "elapsed_seconds", view->elapsed_usec);
	sw_json_number(item, "input_bytes", view->input_bytes);
	sw_json_number(item, "tasks", view->slurm.task_count);
	sw_json_number(item, "node_count", view->slurm.step_node_count);
	sw_json_number(item, "nodes_recorded", step->node_count);
	sw_json_number(item, "exit_code", view->exit_code);
	sw_json_number(item, "signal", view->signal);
	if (view->slurm.record)
		sw_json_record(item, view, result->job);
	if (!sw_is_missing(view->slurm.is_armed))
		sw_json_bool(item, "is_armed", view->slurm.is_armed == 1);
	sw_json_usage(item, view, &result->ceilings);
	sw_json_placements(item, step->on_nodes, step->node_count);
	add_balance(item, step);
}

static void add_end(struct json_object *item, uint64_t status)
{
	int wait_status = (int)status;

	if (sw_is_missing(status))
		return;
	if (WIFEXITED(wait_status))
		sw_json_number(item, "exit_code",
			       (uint64_t)WEXITSTATUS(wait_status));
	else if (WIFSIGNALED(wait_status))
		sw_json_number(item, "signal",
			       (uint64_t)WTERMSIG(wait_status));
}

static void add_task(struct json_object *array, const struct sw_view *step,
		     const struct sw_view_task *task)
{
	struct json_object *item = sw_json_item(array);
	const struct sw_field *rest;

	sw_json_text(item, "step", step->step_id);
	sw_json_text(item, "node", step->node);
	rest = sw_json_fields(item, sw_task_fields, task);
	sw_json_seconds(item, "start",
			sw_view_realtime_usec(step, task->start_usec));
	sw_json_seconds(item, "elapsed_seconds",
			sw_delta_u64(task->end_usec, task->start_usec));
	add_end(item, task->wait_status);
	rest = sw_json_fields(item, rest, task);
	sw_json_counters(item, &task->counters,
			 sw_delta_u64(task->end_usec, task->start_usec));
	sw_json_fields(item, rest, task);
}

static void add_tasks(struct json_object *root, const struct sw_job *job)
{
	struct json_object *array = sw_json_array(root, "tasks");
	size_t i, j, count;

	for (i = 0; i < job->step_count; i++) {
		struct sw_job_task *tasks;

		tasks = sw_job_tasks(&job->steps[i], &count);
		for (j = 0; tasks && j < count; j++)
			add_task(array, tasks[j].step, tasks[j].task);
		free(tasks);
	}
}

static void add_node(struct json_object *array, const struct sw_node *node,
		     const struct sw_result *result)
{
	const struct sw_view *view = &node->total;
	struct json_object *item = sw_json_item(array);

	sw_json_text(item, "name", view->node);
	if (result->job->component_count > 1)
		sw_json_number(item, "het_component", view->job.het_component);
	sw_json_number(item, "cpus", view->node_cpus);
	sw_json_number(item, "memory_bytes", view->node_memory_bytes);
	sw_json_number(item, "steps", node->step_count);
	sw_json_seconds(item, "start", view->start_realtime_usec);
	sw_json_seconds(item, "elapsed_seconds", view->elapsed_usec);
	sw_json_bool(item, "is_finished", view->recording.is_finished);
	sw_json_usage(item, view, &result->ceilings);
}

void sw_json_job_parts(struct json_object *root,
		       const struct sw_result *result)
{
	const struct sw_job *job = result->job;
	struct json_object *array = sw_json_array(root, "steps");
	size_t i;

	for (i = 0; i < job->step_count; i++)
		add_step(array, &job->steps[i], result);
	add_tasks(root, job);
	array = sw_json_array(root, "nodes");
	for (i = 0; i < job->node_count; i++)
		add_node(array, &job->nodes[i], result);
}
