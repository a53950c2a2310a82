/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for programs: "stepwell.report/1", see stepwell-report(1). */
#include <math.h>

#include "analyzer/job/job_record.h"
#include "analyzer/report/json/report_json.h"
#include "analyzer/report/missing_data.h"
#include "analyzer/report/words.h"
#include "analyzer/suggest/suggest.h"

/* Times in seconds since the Epoch, which programs can compare. */
static void add_times(struct json_object *job, const struct sw_view *view)
{
	sw_json_seconds(job, "start", view->start_realtime_usec);
	sw_json_seconds(job, "end",
			sw_view_realtime_usec(view, view->end_usec));
	sw_json_seconds(job, "elapsed_seconds", view->elapsed_usec);
}

static const char *state_name(enum sw_state state)
{
	static const char *const names[] = {
		[SW_STATE_UNKNOWN] = "UNKNOWN",
		[SW_STATE_COMPLETED] = "COMPLETED",
		[SW_STATE_FAILED] = "FAILED",
		[SW_STATE_KILLED] = "KILLED",
		[SW_STATE_INTERRUPTED] = "INTERRUPTED",
	};

	return names[state];
}

/* Slurm's state if its record was read; otherwise from the exit status. */
static void add_state(struct json_object *job, const struct sw_result *result)
{
	const struct sw_view *view = result->view;
	enum sw_job_state state = sw_record_state(view);
	bool is_of_job = !sw_has_end_of_some_nodes(result);

	sw_json_text(job, "state",
		     state ? sw_job_state_name(state)
			   : state_name(is_of_job ? view->state
						  : SW_STATE_UNKNOWN));
	sw_json_text(job, "state_source", state ? "sacct" : "exit_status");
	if (is_of_job)
		sw_json_number(job, "exit_code", view->exit_code);
	sw_json_number(job, "signal", view->signal);
	if (result->job)
		sw_json_record(job, view, result->job);
}

static void add_nodes(struct json_object *job, const struct sw_result *result)
{
	struct json_object *nodes = sw_json_array(job, "nodes");
	size_t i;

	if (!result->job)
		sw_json_text(sw_json_item(nodes), "name", result->view->node);
	for (i = 0; result->job && i < result->job->node_count; i++)
		sw_json_text(sw_json_item(nodes), "name",
			     result->job->nodes[i].total.node);
}

static void add_job(struct json_object *root, const struct sw_result *result)
{
	struct json_object *job = sw_json_object(root, "job");
	const struct sw_view *view = result->view;

	if (result->job)
		sw_json_job_id(job, result);
	sw_json_fields(job, sw_job_fields, &view->job);
	sw_json_fields(job, sw_view_fields, view);
	add_state(job, result);
	add_nodes(job, result);
	add_times(job, view);
	sw_json_seconds(job, "requested_seconds", view->requested_time_usec);
	sw_json_number(job, "input_bytes", view->input_bytes);
}

static void add_step(struct json_object *root, const struct sw_result *result)
{
	const struct sw_view *view = result->view;
	struct json_object *step;

	step = sw_json_item(sw_json_array(root, "steps"));
	sw_json_text(step, "id", view->step_id);
	sw_json_seconds(step, "elapsed_seconds", view->elapsed_usec);
	sw_json_number(step, "input_bytes", view->input_bytes);
	sw_json_number(step, "exit_code", view->exit_code);
	sw_json_number(step, "signal", view->signal);
	sw_json_usage(step, view, &result->ceilings);
	sw_json_placements(step, &view, 1);
}

static void add_exits(struct json_object *item,
		      const struct sw_exit_counts *exits)
{
	struct json_object *array, *row;
	unsigned i;

	if (!exits->count && !exits->other)
		return;
	array = sw_json_array(item, "exits");
	for (i = 0; i < exits->count; i++) {
		row = sw_json_item(array);
		if (exits->kind[i] < SW_EXIT_SIGNAL)
			sw_json_number(row, "exit_status", exits->kind[i]);
		else
			sw_json_number(row, "signal",
				       exits->kind[i] - SW_EXIT_SIGNAL);
		sw_json_number(row, "processes", exits->processes[i]);
	}
	if (exits->other)
		sw_json_number(sw_json_item(array), "processes", exits->other);
}

static void add_program(struct json_object *array,
			const struct sw_view_program *program)
{
	struct json_object *item = sw_json_item(array);
	const struct sw_field *rest;

	rest = sw_json_fields(item, sw_program_fields, program);
	sw_json_number(item, "exited_unknown", sw_unseen_ends(program));
	rest = sw_json_fields(item, rest, program);
	if (!sw_is_missing(program->cpu_usec))
		sw_json_bool(item, "used_is_lower_bound",
			     program->is_cpu_of_ended);
	if (!sw_is_missing(program->peak_bytes))
		sw_json_bool(item, "peak_is_lower_bound",
			     program->is_peak_sampled);
	sw_json_fields(item, rest, program);
	add_exits(item, &program->exits);
}

static void add_finding(struct json_object *array,
			const struct sw_result *result,
			const struct sw_finding *finding)
{
	struct json_object *item = sw_json_item(array), *evidence, *waste;
	const struct sw_view *view = finding->view;
	size_t i;

	sw_json_text(item, "id", finding->id);
	sw_json_text(item, "severity", sw_severity_word(finding->severity));
	sw_json_text(item, "kind", sw_finding_kind_name(finding->kind));
	sw_json_double(item, "confidence", finding->confidence);
	sw_json_text(item, "confidence_because", finding->because);
	sw_json_text(item, "subject", finding->subject);
	if (result->job) {
		sw_json_text(item, "step", view->step_id);
		sw_json_text(item, "node", view->node);
		if (result->job->component_count > 1)
			sw_json_number(item, "het_component",
				       view->job.het_component);
		sw_json_number(item, "other_occurrences",
			       finding->other_occurrences);
	}
	sw_json_text(item, "sentence", finding->sentence);
	evidence = sw_json_array(item, "evidence");
	for (i = 0; i < finding->evidence_count; i++) {
		const struct sw_evidence *e = &finding->evidence[i];
		struct json_object *row = sw_json_item(evidence);

		sw_json_text(row, "counter", e->counter);
		sw_json_double(row, "value", e->value);
		sw_json_text(row, "unit", e->unit);
		sw_json_double(row, "threshold", e->threshold);
		sw_json_text(row, "where", view->node);
		sw_json_seconds(row, "when",
				sw_view_realtime_usec(view, e->when_usec));
	}
	if (isnan(finding->wasted_core_hours) &&
	    isnan(finding->wasted_gib_hours))
		return;
	waste = sw_json_object(item, "waste");
	sw_json_double(waste, "core_hours", finding->wasted_core_hours);
	sw_json_double(waste, "gib_hours", finding->wasted_gib_hours);
}

static void add_event(struct json_object *array, const struct sw_view *view,
		      const struct sw_view_event *event)
{
	struct json_object *item = sw_json_item(array);

	sw_json_seconds(item, "time",
			sw_view_realtime_usec(view, event->time_usec));
	sw_json_fields(item, sw_event_fields, event);
}

static void add_hang(struct json_object *array, const struct sw_view *view,
		     const struct sw_view_hang *hang)
{
	struct json_object *item = sw_json_item(array);

	sw_json_seconds(item, "time",
			sw_view_realtime_usec(view, hang->time_usec));
	sw_json_fields(item, sw_hang_fields, hang);
}

static void add_lists(struct json_object *root,
		      const struct sw_result *result)
{
	const struct sw_view *view = result->view;
	struct json_object *array;
	char went_on[SW_WENT_ON_SIZE];
	struct sw_request request;
	size_t i;

	array = sw_json_array(root, "programs");
	for (i = 0; i < view->program_count; i++)
		add_program(array, &view->programs[i]);
	if (*sw_went_on_words(went_on, sizeof(went_on), result))
		sw_json_text(root, "went_on", went_on);
	array = sw_json_array(root, "findings");
	for (i = 0; i < result->findings.count; i++)
		add_finding(array, result, &result->findings.items[i]);
	if (result->advice) {
		sw_request_init(&request, result->advice);
		sw_suggestions_json(sw_json_array(root, "suggestions"),
				    &request);
	}
	array = sw_json_array(root, "not_evaluated");
	for (i = 0; i < result->not_evaluated_count; i++) {
		struct json_object *item = sw_json_item(array);

		sw_json_text(item, "id", result->not_evaluated[i].id);
		sw_json_text(item, "because",
			     result->not_evaluated[i].because);
	}
	array = sw_json_array(root, "events");
	for (i = 0; i < view->event_count; i++)
		add_event(array, view, &view->events[i]);
	array = sw_json_array(root, "hangs");
	for (i = 0; i < view->hang_count; i++)
		add_hang(array, view, &view->hangs[i]);
}

static void add_missing_data(void *context,
			     const struct sw_missing_data *missing)
{
	struct json_object *item = sw_json_item(context);

	sw_json_text(item, "sentence", missing->text);
	sw_json_bool(item, "is_major", missing->is_major);
}

static void add_health(const struct sw_reader *reader, uint64_t *dropped,
		       uint64_t *damaged)
{
	const struct sw_reader_health *health = sw_reader_health(reader);

	*dropped = sw_add_u64(*dropped, health->rows_dropped);
	*damaged = sw_add_u64(*damaged, health->frames_damaged);
}

static void add_recording(struct json_object *root,
			  const struct sw_result *result)
{
	const struct sw_view *view = result->view;
	const struct sw_field *rest;
	struct json_object *object = sw_json_object(root, "recording");
	uint64_t dropped = 0, damaged = 0;
	const struct sw_job *job = result->job;
	size_t i, j;

	if (!job)
		add_health(view->reader, &dropped, &damaged);
	for (i = 0; job && i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].file_count; j++)
			add_health(job->nodes[i].files[j].reader, &dropped,
				   &damaged);
	}
	rest = sw_json_fields(object, sw_recording_fields, &view->recording);
	sw_json_number(object, "rows_dropped", dropped);
	sw_json_number(object, "frames_damaged", damaged);
	sw_json_fields(object, rest, &view->recording);
	if (result->verdict->trust != SW_TRUST_OWN)
		sw_json_text(object, "trust",
			     sw_trust_names[result->verdict->trust]);
	sw_missing_data_visit(result, add_missing_data,
			      sw_json_array(object, "missing_data"));
}

static void add_result(struct json_object *root, const struct sw_result *result)
{
	add_job(root, result);
	if (result->job)
		sw_json_job_parts(root, result);
	else
		add_step(root, result);
	add_lists(root, result);
	add_recording(root, result);
}

static int write(FILE *out, const struct sw_result *result,
		 const struct sw_report_style *style)
{
	struct json_object *root = sw_json_new(), *array;
	size_t i;

	(void)style;
	if (!root)
		return -1;
	sw_json_text(root, "schema", "stepwell.report/1");
	add_result(root, result);
	if (result->component_count) {
		array = sw_json_array(root, "components");
		for (i = 0; i < result->component_count; i++)
			add_result(sw_json_item(array), result->components[i]);
	}
	sw_json_print(out, root);
	return ferror(out) ? -1 : 0;
}

const struct sw_report_format sw_report_json = {
	.name = "json",
	.help = "for programs, schema stepwell.report/1",
	.write = write,
};
